//===- ParserFuzzer.cpp - any text as a program, parsed and printed -------===//

#include "compiler/Diagnostics/Render.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Printer.h"
#include "test/fuzz/Fuzzer.h"

using namespace dpl;

/// The printed form of a text; empty if it has syntax errors.
static std::optional<std::string> format(llvm::StringRef text) {
  SourceManager sources;
  ASTContext context;
  DiagnosticEngine diags;
  SourceFile file = parse(sources.add("fuzz.dpl", text), context, diags);
  renderText(diags, sources, llvm::nulls());
  renderJson(diags, sources, llvm::nulls());
  if (diags.hasErrors())
    return std::nullopt;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  print(file, os);
  return printed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::optional<std::string> once =
      format(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  if (!once)
    return 0;
  std::optional<std::string> twice = format(*once);
  DPL_PROMISE(twice);
  DPL_PROMISE(*once == *twice);
  return 0;
}
