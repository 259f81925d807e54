//===- Sema.h - names, arguments, constants, the pipeline -------*- C++ -*-===//
//
// Checks everything that needs no shape and gives a Program.
//
// What the prelude declares, and how Sema reads it:
//   extern fn NAME(..) -> type          a primitive
//   extern reader NAME(..) -> record    a reader
//   extern reader NAME(..)(x: type) ..  a transform; the second list is the
//                                       type of the field that it changes, its
//                                       setting `field` names another field
//   extern reader NAME(..) -> iterator  a kind of iterator
//   extern fn NAME(..) -> action        an action of `every`; actions have a
//                                       name space of their own (`log`)
// Types of parameters beyond those of the language: `dataset`, `iterator`,
// `field` (a bare name of a field) and `log_key` (a string that must be a key
// of the log). A last positional parameter `name: T[..]` of a compile-time T is
// variadic.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SEMA_SEMA_H
#define DPL_COMPILER_SEMA_SEMA_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Sema/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

namespace dpl {

/// Parses and analyses the prelude's buffers and the user's file. Imported
/// files are found relative to the file that imports them and are added to
/// `sources`. All errors of the run are in `diags`; on failure there is at
/// least one, and warnings do not make a failure.
llvm::FailureOr<std::unique_ptr<Program>>
analyze(SourceManager &sources, llvm::ArrayRef<const SourceBuffer *> prelude,
        const SourceBuffer &user, DiagnosticEngine &diags);

} // namespace dpl

#endif // DPL_COMPILER_SEMA_SEMA_H
