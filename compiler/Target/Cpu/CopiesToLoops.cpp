//===- CopiesToLoops.cpp - Memory copies to loops -------------------------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_COPIESTOLOOPS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

/// Whether `buffer` is all of a temporary buffer, not a part of one.
static bool isWholeTemporary(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::SubViewOp>(view.getOperation()))
      return false;
    buffer = view.getViewSource();
  }
  return buffer.getDefiningOp<memref::AllocOp>() != nullptr;
}

static bool isConflict(memref::CopyOp copy) {
  return isWholeTemporary(copy.getSource()) &&
         isWholeTemporary(copy.getTarget());
}

namespace {
struct CopiesToLoops : dpl::cpu::impl::CopiesToLoopsBase<CopiesToLoops> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      if (!allowConflicts && isConflict(copy)) {
        copy.emitError("two operations write one value, so bufferisation "
                       "copies the whole temporary buffer of type ")
            << copy.getSource().getType();
        return signalPassFailure();
      }
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
      ++numCopies;
    }
  }
};
} // namespace
