//===- Passes.h - Passes of the CPU target ----------------------*- C++ -*-===//
//
// Passes.td describes them. Phases.h puts them in order.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_PASSES_H
#define DPL_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace dpl::cpu {

#define GEN_PASS_DECL
#include "compiler/Target/Cpu/Passes.h.inc"

/// Makes the passes of this folder known to tools by their names.
void registerCpuPasses();

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_PASSES_H
