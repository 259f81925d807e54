//===- Parsed.h - parsing texts in tests ------------------------*- C++ -*-===//

#ifndef DPL_TEST_SYNTAX_PARSED_H
#define DPL_TEST_SYNTAX_PARSED_H

#include "compiler/Diagnostics/Render.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Printer.h"

#include "test/Diagnostics/Coverage.h"

#include <string>

namespace dpl::test {

/// `line:column code` of each diagnostic, one a line, in order.
inline std::string codes(const DiagnosticEngine &diags,
                         const SourceManager &sources) {
  std::string result;
  for (const Diagnostic *d : diags.sorted()) {
    const SourceBuffer *buffer = sources.buffer(d->range.begin);
    if (buffer) {
      LineColumn at = buffer->lineColumn(d->range.begin);
      result += std::to_string(at.line) + ":" + std::to_string(at.column) + " ";
    }
    result += d->code.str() + "\n";
  }
  return result;
}

/// A text with its tree.
struct Parsed {
  SourceManager sources;
  ASTContext context;
  DiagnosticEngine diags;
  SourceFile file;

  explicit Parsed(llvm::StringRef text, llvm::StringRef name = "test.dpl")
      : file(parse(sources.add(name, text), context, diags)) {
    recordCodes(diags);
  }

  std::string codes() const { return test::codes(diags, sources); }
  std::string printed() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    print(file, os);
    return text;
  }
  std::string rendered() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    renderText(diags, sources, os);
    return text;
  }
};

/// The syntax errors of a text.
inline std::string syntaxCodes(llvm::StringRef text) {
  return Parsed(text).codes();
}

} // namespace dpl::test

#endif // DPL_TEST_SYNTAX_PARSED_H
