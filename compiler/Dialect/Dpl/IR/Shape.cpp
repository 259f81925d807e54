//===- Shape.cpp - Primitives that make and rearrange ---------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace dpl;

#define DPL_VJP(OP)                                                            \
  void OP::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &needed, \
                    MutableArrayRef<Value> d)
#define DPL_INFER(OP)                                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *context,                     \
                                     std::optional<Location> loc, Adaptor a,   \
                                     SmallVectorImpl<Type> &results)

static Type elementOf(Value v) { return typeOf(v).getElementType(); }

/// A structure whose loops are the result's axes, with the given operand map.
static Structure gatherStructure(Operation *op, ArrayRef<AffineExpr> indices) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  MLIRContext *context = op->getContext();
  Structure s = elementwiseStructure(type.getShape(), 1, context);
  s.inputs[0] = AffineMap::get(type.getRank(), 0, indices, context);
  return s;
}

//===----------------------------------------------------------------------===//
// constant, iota
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  auto axis = (int64_t)getAxis();
  if (axis < 0 || axis >= getType().getRank())
    return emitOpError("axis ")
           << axis << " of " << describeShape(getType().getShape());
  if (!getType().getElementType().isInteger(32))
    return emitOpError("counts in i32, not ") << getType().getElementType();
  return success();
}
Structure IotaOp::getStructure() {
  return elementwiseStructure(getType().getShape(), 0, getContext());
}
Value IotaOp::buildScalar(OpBuilder &b, Location loc, ValueRange, Value,
                          int64_t firstLoop) {
  Value i = linalg::IndexOp::create(b, loc, firstLoop + getAxis());
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), i);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

DPL_INFER(BroadcastOp) {
  return inferPrimitive(inferBroadcastShape(shapeOf(a.getX()), a.getShape(),
                                            a.getAxes(), irError(loc)),
                        elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult BroadcastOp::fold(FoldAdaptor a) {
  if (getX().getType() == getType())
    return getX();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(a.getX());
      dense && dense.isSplat())
    return dense.resizeSplat(getType());
  return {};
}
Structure BroadcastOp::getStructure() {
  SmallVector<AffineExpr> e;
  for (int64_t axis : getAxes())
    e.push_back(getAffineDimExpr(axis, getContext()));
  return gatherStructure(*this, e);
}
Value BroadcastOp::buildScalar(OpBuilder &, Location, ValueRange e, Value,
                               int64_t) {
  return e[0];
}
DPL_VJP(BroadcastOp) {
  Shape summed;
  for (int64_t i = 0; i < getType().getRank(); ++i)
    if (!llvm::is_contained(getAxes(), i))
      summed.push_back(i);
  d[0] = summed.empty()
             ? g
             : ReduceOp::create(b, getLoc(), ReduceKind::sum, g, summed);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

DPL_INFER(ReshapeOp) {
  return inferPrimitive(
      inferReshapeShape(shapeOf(a.getX()), a.getShape(), irError(loc)),
      elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult ReshapeOp::fold(FoldAdaptor a) {
  if (getX().getType() == getType())
    return getX();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(a.getX()))
    return dense.reshape(getType());
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}
DPL_VJP(ReshapeOp) {
  d[0] = ReshapeOp::create(b, getLoc(), g, shapeOf(getX()));
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

DPL_INFER(TransposeOp) {
  return inferPrimitive(
      inferTransposeShape(shapeOf(a.getX()), a.getPermutation(), irError(loc)),
      elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult TransposeOp::fold(FoldAdaptor a) {
  // Axes of size 1 may be anywhere.
  Shape moved;
  for (int64_t p : getPermutation())
    if (typeOf(getX()).getDimSize(p) != 1)
      moved.push_back(p);
  if (llvm::is_sorted(moved) && getX().getType() == getType())
    return getX();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(a.getX());
      dense && dense.isSplat())
    return dense.resizeSplat(getType());
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    Shape composed;
    for (int64_t p : getPermutation())
      composed.push_back(inner.getPermutation()[p]);
    setPermutation(composed);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}
Structure TransposeOp::getStructure() {
  SmallVector<AffineExpr> e;
  for (int64_t p : invertPermutationVector(getPermutation()))
    e.push_back(getAffineDimExpr(p, getContext()));
  return gatherStructure(*this, e);
}
Value TransposeOp::buildScalar(OpBuilder &, Location, ValueRange e, Value,
                               int64_t) {
  return e[0];
}
DPL_VJP(TransposeOp) {
  d[0] = TransposeOp::create(b, getLoc(), g,
                             invertPermutationVector(getPermutation()));
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

DPL_INFER(ReverseOp) {
  return inferPrimitive(
      inferReverseShape(shapeOf(a.getX()), a.getAxes(), irError(loc)),
      elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult ReverseOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> shape = getType().getShape();
  if (llvm::all_of(getAxes(), [&](int64_t a) { return shape[a] == 1; }))
    return getX();
  return {};
}
Structure ReverseOp::getStructure() {
  SmallVector<AffineExpr> e;
  for (auto [i, n] : llvm::enumerate(getType().getShape())) {
    AffineExpr dim = getAffineDimExpr(i, getContext());
    e.push_back(llvm::is_contained(getAxes(), (int64_t)i) ? n - 1 - dim : dim);
  }
  return gatherStructure(*this, e);
}
Value ReverseOp::buildScalar(OpBuilder &, Location, ValueRange e, Value,
                             int64_t) {
  return e[0];
}
DPL_VJP(ReverseOp) { d[0] = ReverseOp::create(b, getLoc(), g, getAxes()); }

//===----------------------------------------------------------------------===//
// slice, pad
//===----------------------------------------------------------------------===//

DPL_INFER(SliceOp) {
  return inferPrimitive(inferSliceShape(shapeOf(a.getX()), a.getStart(),
                                        a.getSize(), a.getStep(), irError(loc)),
                        elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult SliceOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? OpFoldResult(getX()) : OpFoldResult();
}
DPL_VJP(SliceOp) {
  Shape low(getStart()), high, interior;
  for (auto [i, n] : llvm::enumerate(shapeOf(getX()))) {
    interior.push_back(getStep()[i] - 1);
    high.push_back(n - (getStart()[i] + (getSize()[i] - 1) * getStep()[i] + 1));
  }
  d[0] = PadOp::create(b, getLoc(), g, low, high, interior, APFloat(0.0));
}

DPL_INFER(PadOp) {
  return inferPrimitive(inferPadShape(shapeOf(a.getX()), a.getLow(),
                                      a.getHigh(), a.getInterior(),
                                      irError(loc)),
                        elementOf(a.getX()), a.getOperands(), results);
}
OpFoldResult PadOp::fold(FoldAdaptor) {
  auto zero = [](ArrayRef<int64_t> v) {
    return llvm::all_of(v, [](int64_t n) { return n == 0; });
  };
  return zero(getLow()) && zero(getHigh()) && zero(getInterior())
             ? OpFoldResult(getX())
             : OpFoldResult();
}
bool PadOp::isHalo() {
  auto nonNegative = [](ArrayRef<int64_t> v) {
    return llvm::all_of(v, [](int64_t n) { return n >= 0; });
  };
  return nonNegative(getLow()) && nonNegative(getHigh()) &&
         llvm::all_of(getInterior(), [](int64_t n) { return n == 0; });
}
DPL_VJP(PadOp) {
  // Slice of the places where elements of the operand are, then zeros for the
  // elements that negative padding had cut.
  Location loc = getLoc();
  Shape start, size, step, low, high;
  bool cut = false;
  for (auto [i, n] : llvm::enumerate(shapeOf(getX()))) {
    int64_t s = getInterior()[i] + 1;
    auto [first, count] = keptElements(n, getLow()[i], getHigh()[i], s);
    if (count == 0)
      return;
    start.push_back(getLow()[i] + first * s);
    size.push_back(count);
    step.push_back(s);
    low.push_back(first);
    high.push_back(n - first - count);
    cut |= count != n;
  }
  Value v = SliceOp::create(b, loc, g, start, size, step);
  d[0] = cut ? Value(PadOp::create(b, loc, v, low, high, Shape(low.size(), 0),
                                   APFloat(0.0)))
             : v;
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

DPL_INFER(ConcatOp) {
  SmallVector<Shape> parts;
  for (Value v : a.getParts()) {
    parts.emplace_back(shapeOf(v));
    if (elementOf(v) != elementOf(a.getParts()[0]))
      return emitOptionalError(loc, "parts of ", elementOf(a.getParts()[0]),
                               " and ", elementOf(v), " [concat_element]");
  }
  FailureOr<Shape> shape = inferConcatShape(parts, a.getAxis(), irError(loc));
  if (failed(shape))
    return failure();
  return inferPrimitive(shape, elementOf(a.getParts()[0]), a.getOperands(),
                        results);
}
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getParts().size() == 1 ? OpFoldResult(getParts()[0]) : OpFoldResult();
}
DPL_VJP(ConcatOp) {
  Shape start(getType().getRank(), 0), step(getType().getRank(), 1);
  for (auto [i, v] : llvm::enumerate(getParts())) {
    if (needed[i])
      d[i] = SliceOp::create(b, getLoc(), g, start, shapeOf(v), step);
    start[getAxis()] += shapeOf(v)[getAxis()];
  }
}

//===----------------------------------------------------------------------===//
// stop_gradient
//===----------------------------------------------------------------------===//

DPL_INFER(StopGradientOp) {
  results.push_back(a.getX().getType());
  return success();
}
