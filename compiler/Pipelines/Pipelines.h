//===- Pipelines.h - The order of all passes --------------------*- C++ -*-===//
//
// The only place where passes are ordered. A phase has a name, a sentence that
// is true behind it, and a verifier of that sentence.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_PIPELINES_PIPELINES_H
#define DPL_PIPELINES_PIPELINES_H

#include "compiler/Target/Cpu/TargetInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace dpl {

/// In the order in which they run. Syntax and Import are the front end's.
enum class Phase {
  Syntax,
  Import,
  Gradient,
  Layout,
  Kernels,
  Linalg,
  Tiles,
  Memory,
  Llvm
};

struct PhaseInfo {
  Phase phase;
  llvm::StringRef name;     ///< as in --stop-after
  llvm::StringRef sentence; ///< what is true behind it
};

llvm::ArrayRef<PhaseInfo> allPhases();
std::optional<Phase> phaseNamed(llvm::StringRef name);

struct PipelineOptions {
  cpu::TargetInfo target;
  /// Samples of a tile, at most.
  int64_t tile = 8;
  /// Elements of a block of a uniform kernel, about.
  int64_t block = 16384;
  /// Print the time of every pass on standard error.
  bool timing = false;
};

/// Dialects and interfaces of every phase.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Runs one phase behind Import and verifies its sentence. Errors are reported
/// on the module.
llvm::LogicalResult runPhase(Phase phase, mlir::ModuleOp module,
                             const PipelineOptions &options);

/// Verifies the sentence of `phase` (VerifyPhase.cpp).
llvm::LogicalResult verifyPhase(Phase phase, mlir::ModuleOp module);

} // namespace dpl

#endif // DPL_PIPELINES_PIPELINES_H
