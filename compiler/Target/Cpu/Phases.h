//===- Phases.h - The CPU target's passes by phase --------------*- C++ -*-===//
//
// From a module of `func.func` kernels on linalg, tensor, arith and math to the
// LLVM dialect, in three phases that compiler/Pipelines names and orders.
//
// Contract of the input. Arguments are static memrefs (contiguous, or strided
// with static strides) and `index` sizes with an integer attribute `dpl.size`
// (enum dpl_size of dpl/abi.h). Every read goes through
// `bufferization.to_tensor restrict`, with `writable` where the result is
// written in place; every result through
// `bufferization.materialize_in_destination`. Two arguments never overlap.
// Functions return nothing.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_PHASES_H
#define DPL_TARGET_CPU_PHASES_H

#include "compiler/Target/Cpu/TargetInfo.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace dpl::cpu {

/// What the phases depend on.
struct PhaseOptions {
  TargetInfo target;
  /// Accept copies between temporary buffers where two writers need one value.
  bool allowBufferCopies = false;
};

/// Linalg on tensors to vectors on tensors: fusion, tiling, vectorisation.
void addTilePhase(mlir::OpPassManager &pm, const PhaseOptions &options);

/// Tensors to memory: one arena, which becomes the last argument of each
/// function; `dpl.arena` on the function is its size in bytes. Afterwards no
/// tensor, allocation or copy is left.
void addBufferizePhase(mlir::OpPassManager &pm, const PhaseOptions &options);

/// Memory and vectors to the LLVM dialect, with the kernels' final signature
/// (dpl/abi.h). With `wrapKernels` false the functions keep bare pointers and
/// sizes as arguments.
void addLowerToLlvmPhase(mlir::OpPassManager &pm, const PhaseOptions &options,
                         bool wrapKernels = true);

/// All three phases.
void buildCpuPipeline(mlir::OpPassManager &pm, const PhaseOptions &options,
                      bool wrapKernels = true);

/// Registers the dialects of the input, and the interfaces which the phases and
/// the translation to LLVM IR need.
void registerCpuDialects(mlir::DialectRegistry &registry);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_PHASES_H
