//===- FoldViews.cpp - Views folded into what reads and writes them -------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_FOLDVIEWS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

/// Whether the patterns keep the meaning of `op`. A transfer from a reshaped
/// buffer becomes one from the buffer itself with the same vector and the same
/// map; that is right only for a part of one row there.
static bool isFoldable(Operation *op) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  Operation *view = transfer ? transfer.getBase().getDefiningOp() : nullptr;
  if (isa_and_nonnull<memref::CollapseShapeOp>(view))
    return false;
  return !isa_and_nonnull<memref::ExpandShapeOp>(view) ||
         (transfer.getVectorType().getRank() == 1 &&
          transfer.getPermutationMap().isMinorIdentity() &&
          !transfer.hasOutOfBoundsDim());
}

namespace {
struct FoldViews : dpl::cpu::impl::FoldViewsBase<FoldViews> {
  void runOnOperation() override {
    RewritePatternSet set(&getContext());
    memref::populateFoldMemRefAliasOpPatterns(set);
    FrozenRewritePatternSet patterns(std::move(set));
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    // A fold uncovers the next view, which is to be looked at again.
    for (bool changed = true; changed;) {
      SmallVector<Operation *> ops;
      getOperation().walk([&](Operation *op) {
        if (isFoldable(op))
          ops.push_back(op);
      });
      changed = false;
      if (failed(applyOpPatternsGreedily(ops, patterns, config, &changed)))
        return signalPassFailure();
    }
  }
};
} // namespace
