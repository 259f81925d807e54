//===- Parser.h - tokens to the syntax tree ---------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_PARSER_H
#define DPL_COMPILER_SYNTAX_PARSER_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Syntax/AST.h"

namespace dpl {

/// Parses a buffer; the tree lies in `context`. Each syntax error of the file
/// is reported and skipped, so there is always a tree: with errors it holds
/// what could be read.
SourceFile parse(const SourceBuffer &buffer, ASTContext &context,
                 DiagnosticEngine &diags);

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_PARSER_H
