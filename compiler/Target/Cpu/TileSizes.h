//===- TileSizes.h - How the CPU target tiles -------------------*- C++ -*-===//
//
// The choices of the pass dpl-cpu-tile-and-fuse, as functions of an operation
// and of the vector unit. Sizes are per loop of the operation; 0 leaves a loop
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_TILESIZES_H
#define DPL_TARGET_CPU_TILESIZES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace dpl::cpu {

/// The part of a target that tiles depend on.
struct VectorUnit {
  int64_t lanes;     ///< f32 elements of a vector
  int64_t registers; ///< vector registers

  /// Registers for the sums of a contraction; the rest holds its operands.
  int64_t accumulators() const { return registers * 3 / 4; }
};

/// Whether `op` reduces a product of operands (matrix product, convolution and
/// their gradients).
bool isContraction(mlir::linalg::LinalgOp op);

/// Whether `op` reduces the contiguous dimension of its first input.
bool isRowReduction(mlir::linalg::LinalgOp op);

/// The tile of the parallel loops of `op`. `contraction` is where the values
/// come from: `op` itself, a contraction that is to be fused into it, or null.
/// Columns are the innermost dimension of the result. Rows are the innermost
/// dimension that does not index the operand with the columns, so that one
/// loaded vector serves every row. Other loops have tile 1.
llvm::SmallVector<int64_t> parallelTile(mlir::linalg::LinalgOp op,
                                        mlir::linalg::LinalgOp contraction,
                                        const VectorUnit &unit);

/// The order of the loops over the tiles of `op`: loops that index the largest
/// operand of `contraction` go outside, so that it is read once.
llvm::SmallVector<int64_t> loopOrder(mlir::linalg::LinalgOp op,
                                     mlir::linalg::LinalgOp contraction);

/// The tile of the reduction loops of `op`, inside the parallel tile.
llvm::SmallVector<int64_t> reductionTile(mlir::linalg::LinalgOp op,
                                         const VectorUnit &unit);

/// The loop of a contraction that sums over the leading dimension of every
/// input (the samples of a weight gradient), if it reduces others too. It goes
/// outermost: one sample's operands stay in cache for every block of the
/// result.
std::optional<unsigned> sampleLoop(mlir::linalg::LinalgOp op);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_TILESIZES_H
