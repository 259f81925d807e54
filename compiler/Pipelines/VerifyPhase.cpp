//===- VerifyPhase.cpp - What is true behind each phase -------------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace dpl;

/// Walks the bodies of the functions with attribute `marker`; the first
/// operation that `wrong` describes is an error.
static LogicalResult
checkBodies(ModuleOp module, StringRef marker,
            llvm::function_ref<std::optional<StringRef>(Operation *)> wrong) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func->hasAttr(marker))
      continue;
    WalkResult result = func.getBody().walk([&](Operation *op) {
      std::optional<StringRef> what = wrong(op);
      if (!what)
        return WalkResult::advance();
      op->emitOpError(*what);
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

static std::optional<StringRef> underived(Operation *op) {
  if (isa<GradOp>(op))
    return "is left behind the phase `gradient`";
  if (isa<func::CallOp>(op))
    return "calls a layer behind the phase `gradient`";
  return std::nullopt;
}

static std::optional<StringRef> windowed(Operation *op) {
  auto plain = [](const Window &w) { return w.isPlain() && w.channelsLast; };
  if (auto conv = dyn_cast<ConvOp>(op); conv && !plain(conv.getGeometry()))
    return "has padding, or channels first, behind the phase `layout`";
  if (auto pool = dyn_cast<PoolOp>(op); pool && !plain(pool.getGeometry()))
    return "has padding, or channels first, behind the phase `layout`";
  return underived(op);
}

static std::optional<StringRef> inDpl(Operation *op) {
  if (isa<DplDialect>(op->getDialect()))
    return "is left behind the phase `linalg`";
  return std::nullopt;
}

static std::optional<StringRef> onTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(op->getResultTypes(), isTensor))
    return "makes a tensor behind the phase `memory`";
  return std::nullopt;
}

static LogicalResult noStepLeft(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr(DplDialect::kStepAttr))
      return func.emitError("the step is left behind the phase `kernels`");
  return success();
}

LogicalResult dpl::verifyPhase(Phase phase, ModuleOp module) {
  switch (phase) {
  case Phase::Gradient:
    return checkBodies(module, DplDialect::kStepAttr, underived);
  case Phase::Layout:
    return checkBodies(module, DplDialect::kStepAttr, windowed);
  case Phase::Kernels:
    return noStepLeft(module);
  case Phase::Linalg:
  case Phase::Tiles:
    return checkBodies(module, DplDialect::kKernelAttr, inDpl);
  case Phase::Memory:
    return checkBodies(module, DplDialect::kKernelAttr, onTensors);
  default:
    return success();
  }
}
