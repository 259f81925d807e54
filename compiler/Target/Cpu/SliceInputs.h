//===- SliceInputs.h - Plain indices for the vectoriser ---------*- C++ -*-===//

#ifndef DPL_TARGET_CPU_SLICEINPUTS_H
#define DPL_TARGET_CPU_SLICEINPUTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace dpl::cpu {

/// Rewrites the inputs of `op` whose indices are no projected permutation, the
/// only form that the vectoriser reads: an index `d * s` becomes a slice with
/// stride `s`, a constant index a slice of one element. Other forms are left
/// as they are.
void sliceStridedInputs(mlir::RewriterBase &rewriter,
                        mlir::linalg::GenericOp op);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_SLICEINPUTS_H
