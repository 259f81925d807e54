//===- ReshapesToCasts.cpp - Reshaped memory that vectors are read from ---===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_RESHAPESTOCASTS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

static bool isTransfer(Operation *op) {
  return isa<vector::TransferReadOp, vector::TransferWriteOp>(op);
}

/// Replaces `view`, a reshape of `source`, by a cast to the same layout.
static void castInstead(Operation *view, Value source) {
  auto type = cast<MemRefType>(view->getResult(0).getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (!type.hasStaticShape() ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return;
  OpBuilder builder(view);
  OpFoldResult start = builder.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    start = memref::ExtractStridedMetadataOp::create(builder, view->getLoc(),
                                                     source)
                .getOffset();
  auto cast = memref::ReinterpretCastOp::create(
      builder, view->getLoc(), type, source, start,
      getAsIndexOpFoldResult(view->getContext(), type.getShape()),
      getAsIndexOpFoldResult(view->getContext(), strides));
  view->getResult(0).replaceAllUsesWith(cast);
  view->erase();
}

namespace {
struct ReshapesToCasts : dpl::cpu::impl::ReshapesToCastsBase<ReshapesToCasts> {
  void runOnOperation() override {
    SmallVector<Operation *> views;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op) &&
          llvm::any_of(op->getUsers(), isTransfer))
        views.push_back(op);
    });
    for (Operation *view : views)
      castInstead(view, view->getOperand(0));
  }
};
} // namespace
