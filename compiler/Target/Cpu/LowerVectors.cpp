//===- LowerVectors.cpp - Contractions, reductions, transposes ------------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_LOWERVECTORS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

namespace {
/// One element that is read as a vector without dimensions. Upstream lowers it
/// where the last dimension of the memory is contiguous only.
struct ReadOneElement : OpRewritePattern<vector::TransferReadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::TransferReadOp op,
                                PatternRewriter &rewriter) const final {
    if (op.getVectorType().getRank() != 0 || op.getMask() ||
        !isa<MemRefType>(op.getBase().getType()))
      return failure();
    Value element = memref::LoadOp::create(rewriter, op.getLoc(), op.getBase(),
                                           op.getIndices());
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, op.getVectorType(),
                                                     element);
    return success();
  }
};

struct WriteOneElement : OpRewritePattern<vector::TransferWriteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::TransferWriteOp op,
                                PatternRewriter &rewriter) const final {
    if (op.getVectorType().getRank() != 0 || op.getMask() ||
        !isa<MemRefType>(op.getBase().getType()))
      return failure();
    Value element =
        vector::ExtractOp::create(rewriter, op.getLoc(), op.getValueToStore());
    rewriter.replaceOpWithNewOp<memref::StoreOp>(op, element, op.getBase(),
                                                 op.getIndices());
    return success();
  }
};

struct LowerVectors : dpl::cpu::impl::LowerVectorsBase<LowerVectors> {
  void runOnOperation() override {
    if (failed(lowerContractions()) || failed(lowerToVectors()) ||
        failed(lowerToScalars()))
      signalPassFailure();
  }

  LogicalResult lowerContractions() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult lowerToVectors() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::Shuffle16x16);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateVectorStepLoweringPatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult lowerToScalars() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    patterns.add<ReadOneElement, WriteOneElement>(&getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
