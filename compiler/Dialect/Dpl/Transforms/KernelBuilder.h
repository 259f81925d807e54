//===- KernelBuilder.h - Kernels made of pieces of a step -------*- C++ -*-===//

#ifndef DPL_DIALECT_DPL_TRANSFORMS_KERNELBUILDER_H
#define DPL_DIALECT_DPL_TRANSFORMS_KERNELBUILDER_H

#include "compiler/Dialect/Dpl/Transforms/Blocks.h"
#include "compiler/Dialect/Dpl/Transforms/StepLayout.h"

#include "mlir/IR/IRMapping.h"

namespace dpl {

/// Builds one kernel: a function of dpl operations whose arguments and results
/// say in which buffer they are. A value that is used and not made here
/// becomes an argument; free operations are repeated.
class KernelBuilder {
public:
  /// A kernel of `domain` in phase `phase` of `program`. `tile` is the number
  /// of samples of a tile in the domain `tiles`, 0 elsewhere.
  KernelBuilder(mlir::OpBuilder &outer, mlir::Location loc,
                llvm::StringRef name, llvm::StringRef program, int64_t phase,
                llvm::StringRef domain, const StepLayout &layout,
                const BlockPlan &plan, int64_t tile);

  /// Repeats an operation of the step here.
  void clone(mlir::Operation *op);
  /// Writes a value of the step to `place` at the end of the kernel.
  void store(mlir::Value v, const Place &place);
  /// An argument at `place`, `blockStride` bytes further for each block.
  mlir::Value argument(mlir::RankedTensorType type, const Place &place,
                       int64_t blockStride);
  /// A result at `place`, `blockStride` bytes further for each block.
  void result(mlir::Value v, const Place &place, int64_t blockStride);
  /// Completes the function.
  void finish();

private:
  mlir::Value get(mlir::Value v);
  mlir::DictionaryAttr bufferOf(mlir::Value v, const Place &place);
  mlir::DictionaryAttr buffer(const Place &place, int64_t tileStride,
                              int64_t blockStride);

  mlir::func::FuncOp func;
  mlir::OpBuilder b;
  const StepLayout &layout;
  const BlockPlan &plan;
  int64_t tile;
  mlir::IRMapping map;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttrs, resultAttrs;
  llvm::SmallVector<unsigned> zeroArguments; ///< those zero in the tail
};

} // namespace dpl

#endif // DPL_DIALECT_DPL_TRANSFORMS_KERNELBUILDER_H
