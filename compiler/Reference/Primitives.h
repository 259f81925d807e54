//===- Primitives.h - Reference evaluation of one primitive -----*- C++ -*-===//
//
// Private to this folder. One function for each primitive that looks at one
// sample only: from that sample's operands to its result. Shapes are those
// that the operation was verified with.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_REFERENCE_PRIMITIVES_H
#define DPL_REFERENCE_PRIMITIVES_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Reference/Tensor.h"

namespace dpl::reference {

/// The shape of an operation's only result.
llvm::ArrayRef<int64_t> resultShape(mlir::Operation *op);

Tensor elementwise(mlir::Operation *op,
                   llvm::ArrayRef<const Tensor *> operands);

Tensor constant(ConstantOp op);
Tensor iota(IotaOp op);
Tensor broadcast(BroadcastOp op, const Tensor &x);
Tensor reshape(ReshapeOp op, const Tensor &x);
Tensor transpose(TransposeOp op, const Tensor &x);
Tensor reverse(ReverseOp op, const Tensor &x);
Tensor slice(SliceOp op, const Tensor &x);
Tensor pad(PadOp op, const Tensor &x);
Tensor concat(ConcatOp op, llvm::ArrayRef<const Tensor *> parts);

Tensor reduce(ReduceOp op, const Tensor &x);
Tensor argmax(ArgmaxOp op, const Tensor &x);
Tensor take(TakeOp op, const Tensor &x, const Tensor &indices);
Tensor scatterAdd(ScatterAddOp op, const Tensor &x, const Tensor &indices);

/// Adds the sum of products to `result`, which has the result's shape. Labels
/// as in `dpl.contract`.
void addContraction(const Tensor &lhs, const Tensor &rhs,
                    llvm::ArrayRef<int64_t> lhsLabels,
                    llvm::ArrayRef<int64_t> rhsLabels,
                    llvm::ArrayRef<int64_t> resultLabels, Tensor &result);

Tensor conv(ConvOp op, const Tensor &x, const Tensor &filter);
Tensor convFilter(ConvFilterOp op, const Tensor &x, const Tensor &cotangent);
Tensor pool(PoolOp op, const Tensor &x);
Tensor poolMaxGrad(PoolMaxGradOp op, const Tensor &x, const Tensor &y,
                   const Tensor &cotangent);

/// `x` with axis i of the result being axis `permutation[i]`.
Tensor transposed(const Tensor &x, llvm::ArrayRef<int64_t> permutation);

/// `x` in the middle of `shape`: element i of an axis is at place
/// `low + i * step`, or nowhere if there is no such place; `value` elsewhere.
Tensor placed(const Tensor &x, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> step,
              double value);

} // namespace dpl::reference

#endif // DPL_REFERENCE_PRIMITIVES_H
