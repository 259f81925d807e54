//===- VerifyNoAlloc.cpp - Kernels allocate, free and copy nothing --------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_VERIFYNOALLOC
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

static bool managesMemory(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp, memref::ReallocOp,
             memref::DeallocOp, memref::CopyOp, bufferization::CloneOp>(op);
}

namespace {
struct VerifyNoAlloc : dpl::cpu::impl::VerifyNoAllocBase<VerifyNoAlloc> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!managesMemory(op))
        return WalkResult::advance();
      op->emitError("a kernel must not allocate, free or copy memory");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
