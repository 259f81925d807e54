//===- Batch.cpp - Across the batch ---------------------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace dpl;

LogicalResult BatchSumOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor a,
                                           SmallVectorImpl<Type> &results) {
  if (failed(requireFloat(loc, a.getOperands())))
    return failure();
  results.push_back(withPerSample(typeOf(a.getX()), false));
  return success();
}
void BatchSumOp::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &,
                          MutableArrayRef<Value> d) {
  d[0] = BatchSpreadOp::create(b, getLoc(), g);
}

LogicalResult BatchSpreadOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location>,
                                              Adaptor a,
                                              SmallVectorImpl<Type> &results) {
  results.push_back(withPerSample(typeOf(a.getX()), true));
  return success();
}
void BatchSpreadOp::buildVjp(OpBuilder &b, Value g,
                             const llvm::SmallBitVector &,
                             MutableArrayRef<Value> d) {
  d[0] = BatchSumOp::create(b, getLoc(), g);
}

LogicalResult
BatchContractOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                  Adaptor a, SmallVectorImpl<Type> &results) {
  if (failed(requireFloat(loc, a.getOperands())))
    return failure();
  FailureOr<Shape> shape = inferContractShape(
      shapeOf(a.getLhs()), shapeOf(a.getRhs()), a.getLhsLabels(),
      a.getRhsLabels(), a.getResultLabels(), irError(loc));
  if (failed(shape))
    return failure();
  results.push_back(
      RankedTensorType::get(*shape, typeOf(a.getLhs()).getElementType()));
  return success();
}

namespace {
/// The sum of a uniform value over the batch is the value times the count.
struct SumOfUniform : OpRewritePattern<BatchSumOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchSumOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType type = typeOf(op.getX());
    if (isPerSample(type))
      return failure();
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value n = BatchCountOp::create(rewriter, op.getLoc(), scalar);
    Value count =
        BroadcastOp::create(rewriter, op.getLoc(), n, type.getShape(), Shape());
    rewriter.replaceOpWithNewOp<MulOp>(op, count, op.getX());
    return success();
  }
};
} // namespace

void BatchSumOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<SumOfUniform>(context);
}
