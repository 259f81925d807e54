//===- Compilation.h - One run of the compiler ------------------*- C++ -*-===//

#ifndef DPL_DRIVER_COMPILATION_H
#define DPL_DRIVER_COMPILATION_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Driver/Options.h"
#include "compiler/Support/Source.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace dpl {

/// From the file to the trainer, phase by phase. Every failure has been
/// reported on standard error.
class Compilation {
public:
  /// `self`: how this program was called, to find what is installed beside it.
  Compilation(const DriverOptions &options, llvm::StringRef self);

  /// Finds out about the CPU that is asked for; failure is a wrong command
  /// line.
  llvm::LogicalResult chooseTarget();
  /// Behind chooseTarget: compiles and links, or prints the program behind a
  /// phase.
  llvm::LogicalResult compile();
  /// Compares the program's gradients with finite differences.
  llvm::LogicalResult gradcheck();

private:
  llvm::LogicalResult checkOutput();
  const SourceBuffer *load();
  mlir::OwningOpRef<mlir::ModuleOp> import();
  llvm::LogicalResult printSyntax();
  llvm::LogicalResult makeTrainer();
  llvm::LogicalResult checkGradients();
  llvm::LogicalResult lower(mlir::ModuleOp module);
  llvm::LogicalResult emit(mlir::ModuleOp module,
                           llvm::ArrayRef<std::string> kernels,
                           llvm::StringRef description);
  /// All at once, so that what another program reads is one list.
  llvm::LogicalResult finish(llvm::LogicalResult result);
  /// Reports a failure of the machine or of dplc itself.
  llvm::LogicalResult fail(const llvm::Twine &message);

  const DriverOptions &options;
  std::string self;
  cpu::TargetInfo target;
  SourceManager sources;
  DiagnosticEngine diags;
  mlir::MLIRContext context;
};

} // namespace dpl

#endif // DPL_DRIVER_COMPILATION_H
