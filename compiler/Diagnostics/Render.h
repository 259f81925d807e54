//===- Render.h - diagnostics as text and as JSON ---------------*- C++ -*-===//

#ifndef DPL_COMPILER_DIAGNOSTICS_RENDER_H
#define DPL_COMPILER_DIAGNOSTICS_RENDER_H

#include "compiler/Diagnostics/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

namespace dpl {

/// `file:line:column: error: text [code]`, the line with carets, then notes and
/// hints, one a line. Warnings likewise.
void renderText(const DiagnosticEngine &diags, const SourceManager &sources,
                llvm::raw_ostream &os);

/// A JSON array, one object a diagnostic: severity, code, message, file, start
/// and end (line and column from 1, in bytes), and arrays of notes, hints (with
/// `replacement` where there is one) and context.
void renderJson(const DiagnosticEngine &diags, const SourceManager &sources,
                llvm::raw_ostream &os);

} // namespace dpl

#endif // DPL_COMPILER_DIAGNOSTICS_RENDER_H
