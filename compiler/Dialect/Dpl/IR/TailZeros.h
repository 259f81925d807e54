//===- TailZeros.h - What is zero behind the true samples -------*- C++ -*-===//

#ifndef DPL_DIALECT_DPL_IR_TAILZEROS_H
#define DPL_DIALECT_DPL_IR_TAILZEROS_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace dpl {

/// The values of a function that are zero in the places behind the true
/// samples of a tile: those that depend linearly on a `batch_spread`, and
/// arguments with the attribute `dpl.zero_in_tail`. (Every other factor is
/// finite there if it is for true samples: those places hold copies of one; see
/// docs/design/0003.) Valid as long as the function is not changed.
class TailZeros {
public:
  explicit TailZeros(mlir::func::FuncOp func);
  bool contains(mlir::Value v) const { return zeros.contains(v); }

private:
  bool isZero(mlir::Operation *op) const;
  llvm::DenseSet<mlir::Value> zeros;
};

} // namespace dpl

#endif // DPL_DIALECT_DPL_IR_TAILZEROS_H
