//===- LowerVectors.cpp - Contractions, reductions, transposes ------------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_LOWERVECTORS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

namespace {
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
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
