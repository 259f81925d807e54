//===- Reduce.cpp - Reductions and contractions ---------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace dpl;

#define DPL_VJP(OP)                                                            \
  void OP::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &needed, \
                    MutableArrayRef<Value> d)
#define DPL_INFER(OP)                                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *context,                     \
                                     std::optional<Location> loc, Adaptor a,   \
                                     SmallVectorImpl<Type> &results)

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

DPL_INFER(ReduceOp) {
  if (failed(requireFloat(loc, a.getOperands())))
    return failure();
  return inferPrimitive(
      inferReduceShape(shapeOf(a.getX()), a.getAxes(), irError(loc)),
      typeOf(a.getX()).getElementType(), a.getOperands(), results);
}
OpFoldResult ReduceOp::fold(FoldAdaptor) {
  return getAxes().empty() ? OpFoldResult(getX()) : OpFoldResult();
}

/// Axes of the operand that stay, in order.
static Shape keptAxes(ReduceOp op) {
  Shape kept;
  for (int64_t i = 0; i < typeOf(op.getX()).getRank(); ++i)
    if (!llvm::is_contained(op.getAxes(), i))
      kept.push_back(i);
  return kept;
}

Structure ReduceOp::getStructure() {
  Structure s = elementwiseStructure(shapeOf(getX()), 1, getContext());
  SmallVector<AffineExpr> out;
  for (int64_t axis : keptAxes(*this))
    out.push_back(getAffineDimExpr(axis, getContext()));
  for (int64_t axis : getAxes())
    s.iterators[axis] = utils::IteratorType::reduction;
  s.output = AffineMap::get(s.domain.size(), 0, out, getContext());
  s.combiner = getKind() == ReduceKind::sum ? Combiner::Sum : Combiner::Max;
  return s;
}
Value ReduceOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value acc,
                            int64_t) {
  if (getKind() == ReduceKind::sum)
    return arith::AddFOp::create(b, loc, acc, e[0]);
  return arith::MaximumFOp::create(b, loc, acc, e[0]);
}
DPL_VJP(ReduceOp) {
  Location loc = getLoc();
  Shape kept = keptAxes(*this);
  ArrayRef<int64_t> shape = shapeOf(getX());
  if (getKind() == ReduceKind::sum) {
    d[0] = BroadcastOp::create(b, loc, g, shape, kept);
    return;
  }
  Value top = BroadcastOp::create(b, loc, getResult(), shape, kept);
  Value hit = CompareOp::create(b, loc, Predicate::eq, getX(), top);
  Value ones = CastOp::create(b, loc, hit, typeOf(g).getElementType());
  Value count = ReduceOp::create(b, loc, ReduceKind::sum, ones, getAxes());
  Value part =
      BroadcastOp::create(b, loc, DivOp::create(b, loc, g, count), shape, kept);
  d[0] = SelectOp::create(b, loc, hit, part, splatLike(b, loc, part, 0));
}

namespace {
/// A sum over axes and a sum over the batch commute; the smaller tensor is
/// what crosses the batch.
struct SumBeforeBatch : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const final {
    auto batch = op.getX().getDefiningOp<BatchSumOp>();
    if (!batch || op.getKind() != ReduceKind::sum || !batch->hasOneUse() ||
        !isPerSample(batch.getX().getType()))
      return failure();
    Value inner = ReduceOp::create(rewriter, op.getLoc(), ReduceKind::sum,
                                   batch.getX(), op.getAxes());
    rewriter.replaceOpWithNewOp<BatchSumOp>(op, inner);
    return success();
  }
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SumBeforeBatch>(context);
}

//===----------------------------------------------------------------------===//
// argmax
//===----------------------------------------------------------------------===//

DPL_INFER(ArgmaxOp) {
  int64_t axis = a.getAxis();
  if (failed(requireFloat(loc, a.getOperands())))
    return failure();
  return inferPrimitive(
      inferReduceShape(shapeOf(a.getX()), {axis}, irError(loc)),
      IntegerType::get(context, 32), a.getOperands(), results);
}

//===----------------------------------------------------------------------===//
// contract
//===----------------------------------------------------------------------===//

DPL_INFER(ContractOp) {
  if (failed(requireFloat(loc, a.getOperands())))
    return failure();
  return inferPrimitive(
      inferContractShape(shapeOf(a.getLhs()), shapeOf(a.getRhs()),
                         a.getLhsLabels(), a.getRhsLabels(),
                         a.getResultLabels(), irError(loc)),
      typeOf(a.getLhs()).getElementType(), a.getOperands(), results);
}

Structure ContractOp::getStructure() {
  // Loops: the result's labels in order, then the summed ones as they appear.
  Shape labels(getResultLabels());
  for (ArrayRef<int64_t> operand : {getLhsLabels(), getRhsLabels()})
    for (int64_t label : operand)
      if (!llvm::is_contained(labels, label))
        labels.push_back(label);
  Structure s;
  s.domain.resize(labels.size());
  s.iterators.assign(labels.size(), utils::IteratorType::reduction);
  auto place = [&](int64_t label) {
    return std::distance(labels.begin(), llvm::find(labels, label));
  };
  auto mapOf = [&](ArrayRef<int64_t> operand) {
    SmallVector<AffineExpr> e;
    for (int64_t label : operand)
      e.push_back(getAffineDimExpr(place(label), getContext()));
    return AffineMap::get(labels.size(), 0, e, getContext());
  };
  for (auto [operand, names] : {std::pair(getLhs(), getLhsLabels()),
                                std::pair(getRhs(), getRhsLabels())}) {
    s.inputs.push_back(mapOf(names));
    for (auto [n, label] : llvm::zip(shapeOf(operand), names))
      s.domain[place(label)] = n;
  }
  for (unsigned i = 0; i < getResultLabels().size(); ++i)
    s.iterators[i] = utils::IteratorType::parallel;
  s.output = mapOf(getResultLabels());
  s.combiner = llvm::is_contained(s.iterators, utils::IteratorType::reduction)
                   ? Combiner::Sum
                   : Combiner::None;
  return s;
}

Value dpl::multiplyAdd(OpBuilder &b, Location loc, ValueRange e, Value acc) {
  if (!acc)
    return arith::MulFOp::create(b, loc, e[0], e[1]);
  auto contract = arith::FastMathFlags::contract;
  Value p = arith::MulFOp::create(b, loc, e[0], e[1], contract);
  return arith::AddFOp::create(b, loc, acc, p, contract);
}
Value ContractOp::buildScalar(OpBuilder &b, Location loc, ValueRange e,
                              Value acc, int64_t) {
  return multiplyAdd(b, loc, e, acc);
}

/// Cotangent of one operand: the cotangent of the result contracted with the
/// other one. A label that only this operand has was summed alone, so its
/// axis is a repetition.
static Value contractVjp(OpBuilder &b, Location loc, Value g,
                         ArrayRef<int64_t> resultLabels, Value other,
                         ArrayRef<int64_t> otherLabels, Value self,
                         ArrayRef<int64_t> selfLabels) {
  Shape known, axes;
  for (auto [i, label] : llvm::enumerate(selfLabels))
    if (llvm::is_contained(resultLabels, label) ||
        llvm::is_contained(otherLabels, label)) {
      known.push_back(label);
      axes.push_back(i);
    }
  Value v =
      ContractOp::create(b, loc, g, other, resultLabels, otherLabels, known);
  if (known.size() == selfLabels.size())
    return v;
  return BroadcastOp::create(b, loc, v, shapeOf(self), axes);
}
DPL_VJP(ContractOp) {
  if (needed[0])
    d[0] = contractVjp(b, getLoc(), g, getResultLabels(), getRhs(),
                       getRhsLabels(), getLhs(), getLhsLabels());
  if (needed[1])
    d[1] = contractVjp(b, getLoc(), g, getResultLabels(), getLhs(),
                       getLhsLabels(), getRhs(), getRhsLabels());
}
