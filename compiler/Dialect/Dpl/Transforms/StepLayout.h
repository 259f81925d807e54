//===- StepLayout.h - Where the values of a step are ------------*- C++ -*-===//
//
// Buffers of a step program: which region holds a value that crosses from one
// kernel to another, and at which offset.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_TRANSFORMS_STEPLAYOUT_H
#define DPL_DIALECT_DPL_TRANSFORMS_STEPLAYOUT_H

#include "compiler/Dialect/Dpl/IR/TailZeros.h"
#include "compiler/Dialect/Dpl/Transforms/Stages.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace dpl {

/// Bytes of one instance of a tensor; booleans take a byte.
int64_t bytesOf(mlir::RankedTensorType type);

/// Numbers of the parameters, states and settings of a module: their places in
/// the lists of the program description.
struct ProgramNumbers {
  explicit ProgramNumbers(mlir::ModuleOp module);
  llvm::StringMap<int64_t> parameters, states, settings;
};

/// A place in a program's regions.
struct Place {
  llvm::StringRef space;
  std::optional<int64_t> index;
  int64_t offset = 0;
};

class StepLayout {
public:
  StepLayout(mlir::func::FuncOp step, const Stages &stages,
             const ProgramNumbers &numbers, bool bucketed);

  /// Where a kernel finds `v`: a field, a leaf, a sum over the batch, or a
  /// value that an earlier kernel made. `inTiles`: the kernel runs for tiles.
  Place placeOf(mlir::Value v, bool inTiles) const;
  /// Where a tile kernel adds up the sum `v`.
  Place accumulatorOf(mlir::Value v) const {
    return {"sums", std::nullopt, sums.lookup(v)};
  }
  /// Parameter or state of that name.
  Place symbolPlace(llvm::StringRef name) const;

  /// Does another kernel than its own read `v`?
  bool isStored(mlir::Value v) const {
    return uniform.contains(v) || saved.contains(v);
  }

  /// Is the sum `v` copied to uniform scratch once it is complete? Tiles that
  /// read it would find only their chunk's part.
  bool isCopied(mlir::Value v) const {
    return sums.contains(v) && uniform.contains(v);
  }

  /// Is `v` zero behind the true samples?
  bool isZeroInTail(mlir::Value v) const { return zeros.contains(v); }

  /// Places of a block of the reduction over chunks, in floats.
  int64_t reduceBlock() const;
  /// Call paths of the step's random numbers, in the order of space `random`.
  llvm::ArrayRef<llvm::StringRef> randomPaths() const {
    return paths.getArrayRef();
  }
  int64_t sumsBytes() const { return sumsSize; }
  int64_t uniformBytes() const { return uniformSize; }
  llvm::ArrayRef<int64_t> savedBytes() const { return savedSizes; }
  /// Ranges [offset, bytes) of the sums, in the order in which they are done.
  llvm::SmallVector<std::pair<int64_t, int64_t>> buckets() const;

private:
  void placeSum(mlir::Value v);
  void placeStored(mlir::Value v);

  const ProgramNumbers &numbers;
  TailZeros zeros;
  bool bucketed;
  llvm::MapVector<mlir::Value, int64_t> sums;
  llvm::DenseMap<mlir::Value, int64_t> uniform, saved;
  llvm::SetVector<llvm::StringRef> paths;
  int64_t sumsSize = 0, uniformSize = 0;
  llvm::SmallVector<int64_t> savedSizes;
};

} // namespace dpl

#endif // DPL_DIALECT_DPL_TRANSFORMS_STEPLAYOUT_H
