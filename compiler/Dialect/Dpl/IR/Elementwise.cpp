//===- Elementwise.cpp - Elementwise primitives ---------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace dpl;

LogicalResult dpl::inferPrimitive(FailureOr<Shape> shape, Type element,
                                  ValueRange operands,
                                  SmallVectorImpl<Type> &results) {
  if (failed(shape))
    return failure();
  bool perSample =
      llvm::any_of(operands, [](Value v) { return isPerSample(v.getType()); });
  results.push_back(tensorType(*shape, element, perSample));
  return success();
}

Value dpl::splatLike(OpBuilder &b, Location loc, Value like, double value) {
  RankedTensorType type = withPerSample(typeOf(like), false);
  TypedAttr element =
      isa<FloatType>(type.getElementType())
          ? TypedAttr(b.getFloatAttr(type.getElementType(), value))
          : b.getIntegerAttr(type.getElementType(), (int64_t)value);
  return ConstantOp::create(b, loc, DenseElementsAttr::get(type, element));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static FailureOr<Shape> sameShape(std::optional<Location> loc,
                                  ValueRange operands,
                                  unsigned firstTyped = 0) {
  RankedTensorType first = typeOf(operands[firstTyped]);
  for (auto [i, v] : llvm::enumerate(operands)) {
    if (shapeOf(v) != first.getShape())
      return emitOptionalError(
          loc, "elementwise operands ", describeShape(first.getShape()),
          " and ", describeShape(shapeOf(v)), " [elementwise_shape]");
    if (i >= firstTyped && typeOf(v).getElementType() != first.getElementType())
      return emitOptionalError(
          loc, "elementwise operands of ", first.getElementType(), " and ",
          typeOf(v).getElementType(), " [elementwise_type]");
  }
  return Shape(first.getShape());
}

Type dpl::findMixedElement(ValueRange operands) {
  Type element = typeOf(operands[0]).getElementType();
  for (Value v : operands)
    if (Type other = typeOf(v).getElementType();
        !isa<FloatType>(other) || other != element)
      return other;
  return Type();
}

LogicalResult dpl::requireFloat(std::optional<Location> loc,
                                ValueRange operands) {
  if (Type other = findMixedElement(operands))
    return emitOptionalError(
        loc, "operands of ", typeOf(operands[0]).getElementType(), " and ",
        other, " where one floating point type is needed [float_operands]");
  return success();
}

static FailureOr<Shape> sameShapeOfFloats(std::optional<Location> loc,
                                          ValueRange operands) {
  if (failed(requireFloat(loc, operands)))
    return failure();
  return sameShape(loc, operands);
}

#define DPL_INFER(OP, SHAPE)                                                   \
  LogicalResult OP::inferReturnTypes(MLIRContext *,                            \
                                     std::optional<Location> loc, Adaptor a,   \
                                     SmallVectorImpl<Type> &results) {         \
    return inferPrimitive(SHAPE(loc, a.getOperands()),                         \
                          typeOf(a.getOperands()[0]).getElementType(),         \
                          a.getOperands(), results);                           \
  }
DPL_INFER(AddOp, sameShape)
DPL_INFER(SubOp, sameShape)
DPL_INFER(MulOp, sameShape)
DPL_INFER(DivOp, sameShape)
DPL_INFER(MaxOp, sameShape)
DPL_INFER(AbsOp, sameShape)
DPL_INFER(PowOp, sameShapeOfFloats)
DPL_INFER(ExpOp, sameShapeOfFloats)
DPL_INFER(LogOp, sameShapeOfFloats)
DPL_INFER(SqrtOp, sameShapeOfFloats)
DPL_INFER(TanhOp, sameShapeOfFloats)
DPL_INFER(ErfOp, sameShapeOfFloats)
DPL_INFER(SinOp, sameShapeOfFloats)
#undef DPL_INFER

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor a,
                                          SmallVectorImpl<Type> &results) {
  return inferPrimitive(sameShape(loc, a.getOperands(), 0),
                        IntegerType::get(context, 1), a.getOperands(), results);
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc, Adaptor a,
                                         SmallVectorImpl<Type> &results) {
  if (!typeOf(a.getCondition()).getElementType().isInteger(1))
    return emitOptionalError(loc, "the condition of select is ",
                             typeOf(a.getCondition()).getElementType(),
                             ", not i1");
  return inferPrimitive(sameShape(loc, a.getOperands(), 1),
                        typeOf(a.getLhs()).getElementType(), a.getOperands(),
                        results);
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor a,
                                       SmallVectorImpl<Type> &results) {
  return inferPrimitive(Shape(shapeOf(a.getX())), a.getTo(), a.getOperands(),
                        results);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

double CompareOp::compareValues(Predicate p, double a, double b) {
  switch (p) {
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  case Predicate::lt:
    return a < b;
  case Predicate::le:
    return a <= b;
  case Predicate::gt:
    return a > b;
  case Predicate::ge:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}

double CastOp::castValue(double a) {
  return isa<FloatType>(getTo()) ? a : std::trunc(a);
}

/// The only value of a splat constant; none otherwise.
static std::optional<double> splatValue(Attribute attr) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  APInt n = dense.getSplatValue<APInt>();
  return n.getBitWidth() == 1 ? (double)n.getZExtValue()
                              : (double)n.getSExtValue();
}

/// Folds uniform splats; the value is computed in f64 and rounded once.
static OpFoldResult foldSplats(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<double> values;
  for (Attribute a : operands) {
    std::optional<double> v = splatValue(a);
    if (!v)
      return {};
    values.push_back(*v);
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (isPerSample(type))
    return {};
  double v = cast<ElementwiseOpInterface>(op).evaluate(values);
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    return DenseElementsAttr::get(type, FloatAttr::get(element, v).getValue());
  if (!std::isfinite(v))
    return {};
  return DenseElementsAttr::get(
      type, APInt(element.getIntOrFloatBitWidth(), (int64_t)v, true, true));
}

static bool isSplat(Attribute attr, double value) {
  std::optional<double> v = splatValue(attr);
  return v && *v == value;
}

/// `kept` replaces the operation if it has its type.
static OpFoldResult foldTo(Operation *op, Value kept) {
  return kept.getType() == op->getResult(0).getType() ? OpFoldResult(kept)
                                                      : OpFoldResult();
}

OpFoldResult AddOp::fold(FoldAdaptor a) {
  if (isSplat(a.getRhs(), 0))
    return foldTo(*this, getLhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult SubOp::fold(FoldAdaptor a) {
  if (isSplat(a.getRhs(), 0))
    return foldTo(*this, getLhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult MulOp::fold(FoldAdaptor a) {
  if (isSplat(a.getRhs(), 1))
    return foldTo(*this, getLhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult DivOp::fold(FoldAdaptor a) {
  if (isSplat(a.getRhs(), 1))
    return foldTo(*this, getLhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult PowOp::fold(FoldAdaptor a) {
  if (isSplat(a.getRhs(), 1))
    return foldTo(*this, getLhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult SelectOp::fold(FoldAdaptor a) {
  if (std::optional<double> c = splatValue(a.getCondition()))
    return foldTo(*this, *c != 0 ? getLhs() : getRhs());
  return foldSplats(*this, a.getOperands());
}
OpFoldResult CastOp::fold(FoldAdaptor a) {
  if (getX().getType() == getType())
    return getX();
  return foldSplats(*this, a.getOperands());
}

#define DPL_FOLD_SPLATS(OP)                                                    \
  OpFoldResult OP::fold(FoldAdaptor a) {                                       \
    return foldSplats(*this, a.getOperands());                                 \
  }
DPL_FOLD_SPLATS(MaxOp)
DPL_FOLD_SPLATS(ExpOp)
DPL_FOLD_SPLATS(LogOp)
DPL_FOLD_SPLATS(SqrtOp)
DPL_FOLD_SPLATS(TanhOp)
DPL_FOLD_SPLATS(ErfOp)
DPL_FOLD_SPLATS(SinOp)
DPL_FOLD_SPLATS(AbsOp)
DPL_FOLD_SPLATS(CompareOp)
#undef DPL_FOLD_SPLATS

namespace {
/// Constants to the right of commutative operations, so that folds see them.
struct ConstantRight : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const final {
    if (!op.getLhs().getDefiningOp<ConstantOp>() ||
        op.getRhs().getDefiningOp<ConstantOp>())
      return failure();
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getRhs(), op.getLhs());
    return success();
  }
};
} // namespace

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<ConstantRight>(context);
}

//===----------------------------------------------------------------------===//
// Scalar bodies
//===----------------------------------------------------------------------===//

static bool isFloat(Value v) { return isa<FloatType>(v.getType()); }

#define DPL_SCALAR(OP, FLOAT, INTEGER)                                         \
  Value OP::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,       \
                        int64_t) {                                             \
    if (isFloat(e[0]))                                                         \
      return FLOAT::create(b, loc, e[0], e[1]);                                \
    return INTEGER::create(b, loc, e[0], e[1]);                                \
  }
DPL_SCALAR(AddOp, arith::AddFOp, arith::AddIOp)
DPL_SCALAR(SubOp, arith::SubFOp, arith::SubIOp)
DPL_SCALAR(MulOp, arith::MulFOp, arith::MulIOp)
DPL_SCALAR(DivOp, arith::DivFOp, arith::DivSIOp)
#undef DPL_SCALAR

#define DPL_SCALAR(OP, MATH)                                                   \
  Value OP::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,       \
                        int64_t) {                                             \
    return MATH::create(b, loc, e);                                            \
  }
DPL_SCALAR(PowOp, math::PowFOp)
#undef DPL_SCALAR

#define DPL_SCALAR(OP, MATH)                                                   \
  Value OP::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,       \
                        int64_t) {                                             \
    return MATH::create(b, loc, e[0]);                                         \
  }
DPL_SCALAR(ExpOp, math::ExpOp)
DPL_SCALAR(LogOp, math::LogOp)
DPL_SCALAR(SqrtOp, math::SqrtOp)
DPL_SCALAR(TanhOp, math::TanhOp)
DPL_SCALAR(ErfOp, math::ErfOp)
DPL_SCALAR(SinOp, math::SinOp)
#undef DPL_SCALAR

Value AbsOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                         int64_t) {
  if (isFloat(e[0]))
    return math::AbsFOp::create(b, loc, e[0]);
  return math::AbsIOp::create(b, loc, e[0]);
}

/// Is `v` a constant that is a number?
static bool isNumber(Value v) {
  FloatAttr constant;
  return matchPattern(v, m_Constant(&constant)) && !constant.getValue().isNaN();
}

Value MaxOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                         int64_t) {
  if (!isFloat(e[0]))
    return arith::MaxSIOp::create(b, loc, e[0], e[1]);
  // `b > a ? b : a` with an unordered NaN keeps a: one vector instruction.
  // Ties keep a, which has the same value.
  Value larger =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, e[1], e[0]);
  Value top = arith::SelectOp::create(b, loc, larger, e[1], e[0]);
  if (isNumber(e[1]))
    return top;
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, e[1], e[1]);
  return arith::SelectOp::create(b, loc, isNaN, e[1], top);
}

Value CompareOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                             int64_t) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT,
                                 F::OLE, F::OGT, F::OGE};
  static constexpr I integers[] = {I::eq,  I::ne,  I::slt,
                                   I::sle, I::sgt, I::sge};
  auto p = static_cast<unsigned>(getPredicate());
  if (isFloat(e[0]))
    return arith::CmpFOp::create(b, loc, floats[p], e[0], e[1]);
  return arith::CmpIOp::create(b, loc, integers[p], e[0], e[1]);
}

Value SelectOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                            int64_t) {
  return arith::SelectOp::create(b, loc, e[0], e[1], e[2]);
}

Value CastOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                          int64_t) {
  Type from = e[0].getType(), to = getTo();
  if (from == to)
    return e[0];
  if (isa<FloatType>(from) && isa<FloatType>(to)) {
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, to, e[0]);
    return arith::TruncFOp::create(b, loc, to, e[0]);
  }
  if (isa<FloatType>(from))
    return arith::FPToSIOp::create(b, loc, to, e[0]);
  bool isBool = from.isInteger(1);
  if (isa<FloatType>(to))
    return isBool ? Value(arith::UIToFPOp::create(b, loc, to, e[0]))
                  : Value(arith::SIToFPOp::create(b, loc, to, e[0]));
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, loc, to, e[0]);
  return isBool ? Value(arith::ExtUIOp::create(b, loc, to, e[0]))
                : Value(arith::ExtSIOp::create(b, loc, to, e[0]));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

#define DPL_VJP(OP)                                                            \
  void OP::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &needed, \
                    MutableArrayRef<Value> d)

static Value mask(OpBuilder &b, Location loc, Predicate p, Value lhs, Value rhs,
                  Value g) {
  Value c = CompareOp::create(b, loc, p, lhs, rhs);
  return SelectOp::create(b, loc, c, g, splatLike(b, loc, g, 0));
}

DPL_VJP(AddOp) {
  d[0] = g;
  d[1] = g;
}
DPL_VJP(SubOp) {
  d[0] = g;
  if (needed[1])
    d[1] = MulOp::create(b, getLoc(), g, splatLike(b, getLoc(), g, -1));
}
DPL_VJP(MulOp) {
  if (needed[0])
    d[0] = MulOp::create(b, getLoc(), g, getRhs());
  if (needed[1])
    d[1] = MulOp::create(b, getLoc(), g, getLhs());
}
DPL_VJP(DivOp) {
  Location loc = getLoc();
  if (needed[0])
    d[0] = DivOp::create(b, loc, g, getRhs());
  if (needed[1]) {
    Value q =
        DivOp::create(b, loc, MulOp::create(b, loc, g, getResult()), getRhs());
    d[1] = MulOp::create(b, loc, q, splatLike(b, loc, q, -1));
  }
}
DPL_VJP(PowOp) {
  Location loc = getLoc();
  if (needed[0]) {
    Value one = splatLike(b, loc, getRhs(), 1);
    Value p =
        PowOp::create(b, loc, getLhs(), SubOp::create(b, loc, getRhs(), one));
    // At exponent 0 the power is constant, also where its base is 0.
    d[0] = mask(b, loc, Predicate::ne, getRhs(), splatLike(b, loc, getRhs(), 0),
                MulOp::create(b, loc, g, MulOp::create(b, loc, getRhs(), p)));
  }
  if (needed[1]) {
    Value t =
        MulOp::create(b, loc, getResult(), LogOp::create(b, loc, getLhs()));
    d[1] = mask(b, loc, Predicate::ne, getLhs(), splatLike(b, loc, getLhs(), 0),
                MulOp::create(b, loc, g, t));
  }
}
DPL_VJP(MaxOp) {
  // lhs > rhs exactly where the result is: the result is what backward keeps.
  Location loc = getLoc();
  if (needed[0])
    d[0] = mask(b, loc, Predicate::gt, getResult(), getRhs(), g);
  if (needed[1])
    d[1] = mask(b, loc, Predicate::le, getResult(), getRhs(), g);
}
DPL_VJP(ExpOp) { d[0] = MulOp::create(b, getLoc(), g, getResult()); }
DPL_VJP(LogOp) { d[0] = DivOp::create(b, getLoc(), g, getX()); }
DPL_VJP(SqrtOp) {
  Location loc = getLoc();
  Value half = MulOp::create(b, loc, g, splatLike(b, loc, g, 0.5));
  d[0] = DivOp::create(b, loc, half, getResult());
}
DPL_VJP(TanhOp) {
  Location loc = getLoc();
  Value square = MulOp::create(b, loc, getResult(), getResult());
  d[0] = MulOp::create(
      b, loc, g, SubOp::create(b, loc, splatLike(b, loc, square, 1), square));
}
DPL_VJP(ErfOp) {
  Location loc = getLoc();
  Value square = MulOp::create(b, loc, getX(), getX());
  Value bell = ExpOp::create(
      b, loc, MulOp::create(b, loc, square, splatLike(b, loc, square, -1)));
  Value slope = MulOp::create(
      b, loc, bell, splatLike(b, loc, bell, 2 * std::numbers::inv_sqrtpi));
  d[0] = MulOp::create(b, loc, g, slope);
}
DPL_VJP(SinOp) {
  // cos x = 1 - 2 sin(x/2)^2 needs no constant that has to be rounded.
  Location loc = getLoc();
  Value half = SinOp::create(
      b, loc, MulOp::create(b, loc, getX(), splatLike(b, loc, getX(), 0.5)));
  Value twice = MulOp::create(b, loc, MulOp::create(b, loc, half, half),
                              splatLike(b, loc, half, 2));
  d[0] = MulOp::create(
      b, loc, g, SubOp::create(b, loc, splatLike(b, loc, twice, 1), twice));
}
DPL_VJP(AbsOp) {
  Location loc = getLoc();
  Value zero = splatLike(b, loc, getX(), 0);
  Value up = mask(b, loc, Predicate::gt, getX(), zero, g);
  Value down = mask(b, loc, Predicate::lt, getX(), zero, g);
  d[0] = SubOp::create(b, loc, up, down);
}
DPL_VJP(SelectOp) {
  Location loc = getLoc();
  Value zero = splatLike(b, loc, g, 0);
  if (needed[1])
    d[1] = SelectOp::create(b, loc, getCondition(), g, zero);
  if (needed[2])
    d[2] = SelectOp::create(b, loc, getCondition(), zero, g);
}
DPL_VJP(CastOp) {
  Type from = typeOf(getX()).getElementType();
  if (isa<FloatType>(from) && isa<FloatType>(getTo()))
    d[0] = CastOp::create(b, getLoc(), g, from);
}
#undef DPL_VJP
