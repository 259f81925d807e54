//===- KernelLowering.h - Lowering of one kernel ----------------*- C++ -*-===//
//
// Private to the conversion. One file for each family of primitives.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_CONVERSION_DPLTOLINALG_KERNELLOWERING_H
#define DPL_CONVERSION_DPLTOLINALG_KERNELLOWERING_H

#include "compiler/Dialect/Dpl/IR/TailZeros.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace dpl {

class KernelLowering {
public:
  /// `tile`: samples of the program's tiles; `chunkStride`: floats from one
  /// chunk's sums to the next.
  KernelLowering(mlir::func::FuncOp kernel, int64_t tile, int64_t chunkStride);

  /// Builds the lowered function beside the kernel and erases the kernel.
  llvm::LogicalResult run();

private:
  /// A buffer: one memref argument, read, written, or both.
  struct Slot {
    mlir::DictionaryAttr buffer;
    mlir::RankedTensorType type; ///< in dpl, of the value there
    mlir::Value memref;          ///< the argument, of the lowered function
    bool written = false;
  };

  // Signature (LowerKernels.cpp).
  unsigned slotOf(mlir::DictionaryAttr buffer, mlir::RankedTensorType type,
                  bool written);
  mlir::MemRefType memrefType(const Slot &slot) const;
  bool isChunked(const Slot &slot) const;
  void buildSignature();
  void loadArguments();
  std::pair<bool, bool> usesBefore(unsigned slot, mlir::Value result);
  void storeResults(mlir::func::ReturnOp op);
  mlir::Value loadTensor(const Slot &slot);
  mlir::Value sumChunks(mlir::Value copies, mlir::RankedTensorType type);

  // Values.
  /// Lowered type: with the tile in front if per sample.
  mlir::RankedTensorType lowered(mlir::Type type) const;
  /// The tensor of `v`; broadcasts and constants are made where needed.
  mlir::Value get(mlir::Value v);
  mlir::Value size(unsigned which) const { return sizes[which]; }
  mlir::Value scalar(mlir::Type type, double value);
  mlir::Value filled(mlir::RankedTensorType type, double value);
  /// A filled tensor of its own: never merged with an equal one.
  mlir::Value filledOwn(mlir::RankedTensorType type, double value);
  /// Is sample `index` of the tile a true one? Inside a body of linalg.
  mlir::Value isTrueSample();
  /// `x` in the shape of `to`; with `samples`, the first axis of both is that
  /// of the samples.
  mlir::Value reshaped(mlir::Value x, mlir::RankedTensorType to, bool samples);
  /// The tensor of `v`, with axes split as in `view` if that is not empty.
  mlir::Value viewed(mlir::Value v, llvm::ArrayRef<int64_t> view);
  /// A uniform value, once for each sample of the tile.
  mlir::Value forEachSample(mlir::Value x);
  /// Elementwise linalg over lowered tensors of one type; `body` gets an
  /// element of each input.
  mlir::Value
  elementwise(mlir::RankedTensorType result, mlir::ValueRange inputs,
              llvm::function_ref<mlir::Value(mlir::ValueRange)> body);

  /// Does the sum over the batch of the result of `op` become one loop nest
  /// with the operation itself?
  bool isFusedIntoSum(mlir::Operation *op) const;

  // Families.
  llvm::LogicalResult lower(mlir::Operation *op);
  mlir::Value lowerStructured(StructuredOpInterface op,
                              mlir::Value accumulator);
  mlir::Value lowerArgmax(ArgmaxOp op);
  mlir::Value lowerReshape(ReshapeOp op);
  mlir::Value lowerConcat(ConcatOp op);
  mlir::Value lowerSlice(SliceOp op);
  mlir::Value lowerPad(PadOp op);
  mlir::Value lowerPool(PoolOp op);
  mlir::Value lowerPoolMaxGrad(PoolMaxGradOp op);
  mlir::Value takenHere(mlir::RankedTensorType type, mlir::Value g,
                        mlir::Value y, llvm::ArrayRef<mlir::Value> seen);
  mlir::Value lowerBatchSum(BatchSumOp op);
  mlir::Value lowerBatchSpread(BatchSpreadOp op);
  mlir::Value lowerBatchContract(BatchContractOp op);
  mlir::Value sumProducts(BatchContractOp op, mlir::Value lhs, mlir::Value rhs);
  mlir::Value windowSlice(mlir::Value x, const Window &w,
                          llvm::ArrayRef<int64_t> tap,
                          llvm::ArrayRef<int64_t> result, mlir::Value into,
                          llvm::ArrayRef<int64_t> shift);
  mlir::Value sliceOf(mlir::Value x, llvm::ArrayRef<int64_t> offsets,
                      llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<int64_t> strides);
  mlir::Value insertInto(mlir::Value part, mlir::Value whole,
                         llvm::ArrayRef<int64_t> offsets,
                         llvm::ArrayRef<int64_t> strides);

  mlir::func::FuncOp kernel, func;
  TailZeros zeros;
  mlir::ImplicitLocOpBuilder b;
  int64_t programTile; ///< samples of a tile
  int64_t tile;        ///< the same in tile kernels, 0 in uniform ones
  int64_t chunkStride;
  llvm::SmallVector<Slot> slots;
  llvm::SmallVector<unsigned> argumentSlots, resultSlots;
  llvm::SmallVector<mlir::Value> sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> map;
};

} // namespace dpl

#endif // DPL_CONVERSION_DPLTOLINALG_KERNELLOWERING_H
