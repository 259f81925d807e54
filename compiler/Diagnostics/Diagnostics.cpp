//===- Diagnostics.cpp - collecting errors and warnings -------------------===//

#include "compiler/Diagnostics/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace dpl;
using llvm::ArrayRef;
using llvm::StringRef;

diag::Sizes::Sizes(ArrayRef<int64_t> sizes) {
  text = "()";
  if (!sizes.empty())
    text = llvm::join(
        llvm::map_range(sizes, [](int64_t s) { return std::to_string(s); }),
        "x");
}

ArrayRef<diag::Info> diag::registry() {
  static constexpr Info table[] = {
#define DIAG(layer, severity, code, text, ...)                                 \
  {Layer::layer, Severity::severity, llvm::StringLiteral(#code),               \
   llvm::StringLiteral(text)},
#include "compiler/Diagnostics/Diagnostics.def"
#undef DIAG
  };
  return table;
}

/// Puts the arguments in the places of `{0}`, `{1}`, ..; braces in arguments
/// stay as they are.
static std::string format(unsigned index, ArrayRef<std::string> args) {
  StringRef text = diag::registry()[index].text;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' &&
        llvm::isDigit(text[i + 1])) {
      result += args[text[i + 1] - '0'];
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

static Attachment attachment(unsigned index, Range range,
                             ArrayRef<std::string> args) {
  const diag::Info &info = diag::registry()[index];
  return {info.severity,       info.code, range,
          format(index, args), false,     std::string()};
}

DiagnosticEngine::Builder DiagnosticEngine::add(unsigned index, Range range,
                                                ArrayRef<std::string> args) {
  const diag::Info &info = diag::registry()[index];
  diagnostics.push_back({info.severity,
                         info.code,
                         range,
                         format(index, args),
                         {contexts.rbegin(), contexts.rend()},
                         std::string(),
                         static_cast<unsigned>(diagnostics.size())});
  errors += info.severity == Severity::Error;
  return Builder(diagnostics.back());
}

Attachment &DiagnosticEngine::Builder::attach(unsigned index, Range range,
                                              ArrayRef<std::string> args) {
  // Contexts were attached by the report and stay behind what is added to it.
  auto &list = diagnostic->attachments;
  auto at = std::find_if(list.begin(), list.end(), [](const Attachment &a) {
    return a.severity == Severity::Context;
  });
  return *list.insert(at, attachment(index, range, args));
}

bool DiagnosticEngine::hasErrorIn(Range range) const {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic &d) {
                       return d.severity == Severity::Error &&
                              d.range.isValid() && range.contains(d.range);
                     });
}

std::vector<const Diagnostic *> DiagnosticEngine::sorted() const {
  std::vector<const Diagnostic *> result;
  llvm::StringSet<> seen;
  for (const Diagnostic &d : diagnostics) {
    std::string key = d.cause;
    if (key.empty() && d.range.isValid())
      key = std::to_string(d.range.begin.offset) + ":" +
            std::to_string(d.range.end.offset);
    if (key.empty() || seen.insert((d.code + " " + key).str()).second)
      result.push_back(&d);
  }
  std::sort(result.begin(), result.end(),
            [](const Diagnostic *a, const Diagnostic *b) {
              return std::pair(a->range.begin, a->order) <
                     std::pair(b->range.begin, b->order);
            });
  return result;
}

DiagnosticContext::DiagnosticContext(DiagnosticEngine &engine, unsigned index,
                                     Range range, ArrayRef<std::string> args)
    : engine(engine) {
  engine.contexts.push_back(attachment(index, range, args));
}
