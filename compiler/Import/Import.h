//===- Import.h - from a checked program to the dpl dialect -----*- C++ -*-===//
//
// One forward pass over the source evaluates what is known at compile time,
// infers shapes, makes parameters, and writes operations. What comes out:
//
//   dpl.option, dpl.dataset, dpl.iterator      as declared
//   dpl.parameter, dpl.state                   named by their path
//   func @<Model>.<path>, func @<fn>           layers and functions, private,
//                                              each with `dpl.layer`; a layer
//                                              with `dpl.path`, too
//   func @<Model>.forward                      the model, per sample
//   func @settings                             options to settings, f64
//   func @train.<Model>                        one training step
//   func @eval.<Model>.<iterator>              model, loss and metrics only
//   dpl.model, dpl.train                       tables for the runtime
//
// Operations have the place in the source as their location, wrapped in the
// layer's path as a NameLoc.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_IMPORT_H
#define DPL_COMPILER_IMPORT_IMPORT_H

#include "compiler/Sema/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace dpl {

class DiagnosticEngine;

struct ImportOptions {
  /// `-D name=text`: values of consts instead of those in the file.
  llvm::StringMap<std::string> overrides;
};

/// Adds the prelude's files to `sources`, in the order that `analyze` takes.
std::vector<const SourceBuffer *> addPrelude(SourceManager &sources);

/// The module of a program that Sema accepted. Null exactly if an error was
/// reported. `sources` are those that the program was analysed with; loads the
/// dialects that it needs into `context`.
mlir::OwningOpRef<mlir::ModuleOp> importProgram(mlir::MLIRContext &context,
                                                const SourceManager &sources,
                                                const Program &program,
                                                const ImportOptions &options,
                                                DiagnosticEngine &diags);

} // namespace dpl

#endif // DPL_COMPILER_IMPORT_IMPORT_H
