//===- FuseElementwise.cpp - Elementwise producers into consumers ---------===//

#include "compiler/Target/Cpu/Passes.h"
#include "compiler/Target/Cpu/TileSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

/// Whether the producer behind `use` has one reader, which is not a
/// contraction.
static bool mayFuse(OpOperand *use) {
  auto consumer = dyn_cast<linalg::LinalgOp>(use->getOwner());
  if (!consumer || dpl::cpu::isContraction(consumer))
    return false;
  return llvm::all_of(use->get().getDefiningOp()->getUsers(),
                      [&](Operation *user) { return user == consumer; });
}

namespace {
struct FuseElementwise : dpl::cpu::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
