//===- Stages.h - Stages of a step function ---------------------*- C++ -*-===//
//
// When each operation of a step runs. Even stages are uniform, odd ones run
// for tiles of samples; see docs/design/0001.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_TRANSFORMS_STAGES_H
#define DPL_DIALECT_DPL_TRANSFORMS_STAGES_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace dpl {

/// A value that a kernel takes as an argument from where it always is:
/// parameters and states, settings, the batch's count, counters of random
/// numbers.
bool isLeaf(mlir::Operation *op);

/// An operation so cheap that every kernel that wants its result repeats it:
/// uniform constants, broadcasts, reshapes and indices.
bool isFree(mlir::Operation *op);

/// Stages of the operations of a step function. Uniform operations run as late
/// as their users allow, so that what only the update needs is not kept.
class Stages {
public:
  explicit Stages(mlir::func::FuncOp step);

  /// Stage of an operation that is neither leaf nor free. A `batch_sum` has
  /// the stage of its result, which is uniform.
  int64_t of(mlir::Operation *op) const { return stage.lookup(op); }
  /// The last stage, which is uniform.
  int64_t last() const { return lastStage; }
  /// The operations of a stage, in order. Sums over the batch are in the tile
  /// stage before theirs, where their samples are.
  llvm::ArrayRef<mlir::Operation *> operations(int64_t stage) const {
    return byStage[stage];
  }

private:
  int64_t ofValue(mlir::Value v) const;
  int64_t earliest(mlir::Operation *op) const;
  int64_t latest(mlir::Operation *op) const;

  llvm::DenseMap<mlir::Operation *, int64_t> stage;
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> byStage;
  int64_t lastStage = 0;
};

} // namespace dpl

#endif // DPL_DIALECT_DPL_TRANSFORMS_STAGES_H
