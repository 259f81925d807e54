//===- Printer.h - the syntax tree as text: the formatter -------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_PRINTER_H
#define DPL_COMPILER_SYNTAX_PRINTER_H

#include "compiler/Syntax/AST.h"

#include "llvm/Support/raw_ostream.h"

namespace dpl {

/// Prints a file in the form that all files have: two blanks for each level,
/// lines of at most 100 columns where a list or a pipe can be broken, comments
/// in their places, single blank lines where the source has some. Parsing the
/// result gives the same tree, and printing that gives the same text. For files
/// without syntax errors.
void print(const SourceFile &file, llvm::raw_ostream &os);

/// One expression or type on one line, for messages.
std::string toString(const Expr *expr);
std::string toString(const TypeNode *type);

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_PRINTER_H
