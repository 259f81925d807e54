//===- Description.h - The program description ------------------*- C++ -*-===//
//
// Writes what the runtime reads: docs/design/0002-step-programs.md.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_PROGRAM_DESCRIPTION_H
#define DPL_TARGET_PROGRAM_DESCRIPTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace dpl {

/// What the description says beside the module.
struct DescriptionInfo {
  std::string source;   ///< name of the .dpl file
  std::string compiler; ///< "dplc 0.1.0"
  std::string cpu, triple;
  std::vector<std::string> needs; ///< instruction sets of dpl/cpu_features.h
  std::string hash;               ///< hashProgram of the module behind Import
};

/// Digest (SHA-256, hexadecimal) of what a snapshot must agree on: parameters,
/// states, models, and the steps with their loss and solver; not of data,
/// options, target or the places in the source.
std::string hashProgram(mlir::ModuleOp module);

/// Kernels of a module in the order of their numbers.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module);

/// The description of a module whose kernels have an arena (phase `memory`):
/// JSON, one line.
std::string describeProgram(mlir::ModuleOp module, const DescriptionInfo &info);

} // namespace dpl

#endif // DPL_TARGET_PROGRAM_DESCRIPTION_H
