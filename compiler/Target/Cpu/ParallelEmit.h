//===- ParallelEmit.h - Several objects at the same time --------*- C++ -*-===//

#ifndef DPL_TARGET_CPU_PARALLELEMIT_H
#define DPL_TARGET_CPU_PARALLELEMIT_H

#include "compiler/Target/Cpu/CodeGen.h"

#include <string>

namespace dpl::cpu {

/// Like emitObjectFile, with the functions of `module` shared out over up to
/// `parts` objects that are made by a thread each. Returns the paths of the
/// objects, `prefix` with a number and `.o`; the caller removes them. Every
/// function is optimised by itself, so the code does not depend on `parts`.
llvm::FailureOr<std::vector<std::string>>
emitObjectFiles(mlir::ModuleOp module, const TargetInfo &target, OptLevel level,
                unsigned parts, llvm::StringRef prefix);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_PARALLELEMIT_H
