//===- Blocks.h - Uniform kernels in blocks ---------------------*- C++ -*-===//
//
// A uniform kernel whose operations treat the places along one axis
// independently can run on slices of its tensors, one slice a task.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_TRANSFORMS_BLOCKS_H
#define DPL_DIALECT_DPL_TRANSFORMS_BLOCKS_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace dpl {

/// How the values of a group of operations are cut. A value that is not in
/// `axis` is used whole by every block.
struct BlockPlan {
  int64_t count = 1; ///< number of blocks
  int64_t size = 0;  ///< places of a block along the axis
  llvm::DenseMap<mlir::Value, int64_t> axis;

  /// `type` of `v` with the cut axis shortened to one block.
  mlir::RankedTensorType blockType(mlir::Value v) const;
};

/// Plans blocks of about `elements` elements for `group` (operations in order,
/// with the free ones between them); one block if an operation couples the
/// places of every axis.
BlockPlan planBlocks(llvm::ArrayRef<mlir::Operation *> group, int64_t elements);

} // namespace dpl

#endif // DPL_DIALECT_DPL_TRANSFORMS_BLOCKS_H
