//===- DplInterfaces.h - Interfaces of the primitives -----------*- C++ -*-===//
//
// Differentiable, structured and elementwise primitives. See the .td file for
// the contracts.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_INTERFACES_H
#define DPL_DIALECT_DPL_INTERFACES_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallBitVector.h"

namespace dpl {

/// What combines the iterations of a reduction.
enum class Combiner { None, Sum, Max, Min };

/// The loop nest of a structured primitive over one sample.
struct Structure {
  llvm::SmallVector<int64_t> domain; ///< trip count of each loop
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<mlir::AffineMap> inputs; ///< loops -> operand indices
  mlir::AffineMap output;                    ///< loops -> result indices
  Combiner combiner = Combiner::None;
  /// Shapes that the operands and the result are seen in, for the maps: their
  /// own with axes split. Where one is empty or missing, it is their own.
  llvm::SmallVector<llvm::SmallVector<int64_t>, 0> inputViews;
  llvm::SmallVector<int64_t> outputView;
};

/// The loops of an elementwise primitive over tensors of `shape`.
Structure elementwiseStructure(llvm::ArrayRef<int64_t> shape, unsigned operands,
                               mlir::MLIRContext *context);

} // namespace dpl

#include "compiler/Dialect/Dpl/Interfaces/DplInterfaces.h.inc"

#endif // DPL_DIALECT_DPL_INTERFACES_H
