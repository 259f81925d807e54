//===- Imported.h - imported programs in tests ------------------*- C++ -*-===//

#ifndef DPL_TEST_IMPORT_IMPORTED_H
#define DPL_TEST_IMPORT_IMPORTED_H

#include "compiler/Import/Import.h"

#include "compiler/Diagnostics/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace dpl::test {

using Overrides = std::vector<std::pair<std::string, std::string>>;

/// A program that went through analysis and Import, with the real prelude.
struct Imported {
  SourceManager sources;
  DiagnosticEngine diags;
  mlir::MLIRContext context;
  std::unique_ptr<Program> program;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null if there are errors

  explicit Imported(llvm::StringRef text, const Overrides &overrides = {});

  /// `line:column code` of each diagnostic, one a line.
  std::string codes() const;
  /// Everything as a user sees it.
  std::string rendered() const;
  /// The module as text.
  std::string ir();
  /// The function of that name as text; empty if there is none.
  std::string function(llvm::StringRef name);
  /// `name: type` of each parameter, joined by blanks.
  std::string parameters();
};

/// The diagnostics of a program.
std::string codesOf(llvm::StringRef text, const Overrides &overrides = {});

/// Lines around a model `M` that is trained with the given entries behind the
/// usual ones. The model begins in column 1 of line 1.
std::string trained(llvm::StringRef model, llvm::StringRef entries = "");

} // namespace dpl::test

#endif // DPL_TEST_IMPORT_IMPORTED_H
