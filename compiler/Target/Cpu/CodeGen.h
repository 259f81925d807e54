//===- CodeGen.h - From the LLVM dialect to an object file ------*- C++ -*-===//
//
// The last steps of the CPU target, all in this process.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_CODEGEN_H
#define DPL_TARGET_CPU_CODEGEN_H

#include "compiler/Target/Cpu/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace dpl::cpu {

/// What LLVM does with the kernels. Their loops are already in their final
/// shape, so a higher level mostly costs compile time.
enum class OptLevel { O1, O2, O3 };

/// Adds the global `dpl_main_program` (dpl/abi.h) to a module that has passed
/// the phases: the table of `kernels`, which are functions of `module` in the
/// order of their numbers, and the step program's `description`.
llvm::LogicalResult addProgramTable(mlir::ModuleOp module,
                                    llvm::ArrayRef<llvm::StringRef> kernels,
                                    llvm::StringRef description);

/// Translates `module` (LLVM dialect) and optimises it for `target`. Null on
/// failure, which has been reported on the module.
std::unique_ptr<llvm::Module> translateToLlvmIr(mlir::ModuleOp module,
                                                const TargetInfo &target,
                                                OptLevel level,
                                                llvm::LLVMContext &context);

/// Translates, optimises and assembles `module` into `object` (a relocatable
/// ELF file). Fails if the object needs a symbol that a kernel must not need:
/// only C library mathematics, `memcpy`, `memmove` and `memset` are allowed.
/// Errors are reported on the module.
llvm::LogicalResult emitObject(mlir::ModuleOp module, const TargetInfo &target,
                               OptLevel level,
                               llvm::SmallVectorImpl<char> &object);

/// Like emitObject, into the file `path`.
llvm::LogicalResult emitObjectFile(mlir::ModuleOp module,
                                   const TargetInfo &target, OptLevel level,
                                   llvm::StringRef path);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_CODEGEN_H
