//===- LinkTrainer.h - From an object to a trainer --------------*- C++ -*-===//
//
// Runs the C++ linker driver of the machine, the only external program that a
// compilation needs.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_LINKTRAINER_H
#define DPL_TARGET_CPU_LINKTRAINER_H

#include "compiler/Target/Cpu/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"

namespace dpl::cpu {

/// Finds libdpl_runtime.a beside the compiler: `../lib/dpl`, then `../lib`,
/// relative to the folder of `compilerPath`, the file of the running compiler
/// (links are resolved).
llvm::FailureOr<std::string> findRuntimeArchive(llvm::StringRef compilerPath,
                                                EmitError emitError);

/// Links generated objects and the runtime archive to an executable at
/// `outputPath`. It needs nothing but the C library at run time: the C++
/// library is linked in, and the archive holds the runtime's dependencies. An
/// existing file is replaced only on success.
llvm::LogicalResult linkTrainer(llvm::ArrayRef<std::string> objectPaths,
                                llvm::StringRef outputPath,
                                llvm::StringRef runtimeArchivePath,
                                EmitError emitError);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_LINKTRAINER_H
