//===- Registry.h - every message the compiler has --------------*- C++ -*-===//
//
// Diagnostics.def as typed constants: `diag::unknown_name` knows its severity,
// its code and the types of its placeholders, so that a report with a wrong
// argument does not compile.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_DIAGNOSTICS_REGISTRY_H
#define DPL_COMPILER_DIAGNOSTICS_REGISTRY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <concepts>
#include <cstdint>
#include <string>

namespace dpl {

/// What a message of the registry is: an error or a warning stands alone, the
/// others belong to one. A label is the text behind the carets, a context is
/// one frame of "in `f`, applied to ..".
enum class Severity { Error, Warning, Note, Hint, Label, Context };

namespace diag {

/// The layer of the compiler that reports a message and whose tests produce it.
enum class Layer { Syntax, Sema, Import, Driver };

/// A name of the source, or any text that fits into a sentence.
struct Text {
  std::string text;
  Text(const char *text) : text(text) {}
  Text(std::string text) : text(std::move(text)) {}
  Text(llvm::StringRef text) : text(text.str()) {}
  Text(const llvm::Twine &text) : text(text.str()) {}
};

/// A whole number.
struct Int {
  std::string text;
  template <std::integral T> Int(T value) : text(std::to_string(value)) {}
};

/// Sizes, written `3x3`; none is `()`.
struct Sizes {
  std::string text;
  Sizes(llvm::ArrayRef<int64_t> sizes);
};

/// The key of one message.
template <Severity S, typename... Params> struct Message {
  unsigned index;
};

/// What the registry knows about a message.
struct Info {
  Layer layer;
  Severity severity;
  llvm::StringLiteral code;
  llvm::StringLiteral text;
};

/// All messages, in the order of Diagnostics.def.
llvm::ArrayRef<Info> registry();

/// The number of placeholders that a text needs: one more than the largest
/// `{i}`, or -1 if one below it does not occur.
consteval int placeholders(const char *text) {
  unsigned seen = 0;
  for (; *text; ++text)
    if (text[0] == '{' && text[1] >= '0' && text[1] <= '9' && text[2] == '}')
      seen |= 1u << (text[1] - '0');
  int count = 0;
  for (; seen & 1; seen >>= 1)
    ++count;
  return seen ? -1 : count;
}

/// The number of types in Diagnostics.def's list for a text.
template <typename... Params> consteval int parameters() {
  return sizeof...(Params);
}

enum Index : unsigned {
#define DIAG(layer, severity, code, text, ...) index_##code,
#include "compiler/Diagnostics/Diagnostics.def"
#undef DIAG
};

#define DIAG(layer, severity, code, text, ...)                                 \
  static_assert(placeholders(text) == parameters<__VA_ARGS__>(),               \
                "placeholders and types of `" #code "` disagree");             \
  inline constexpr Message<Severity::severity __VA_OPT__(, ) __VA_ARGS__>      \
      code{index_##code};
#include "compiler/Diagnostics/Diagnostics.def"
#undef DIAG

} // namespace diag
} // namespace dpl

#endif // DPL_COMPILER_DIAGNOSTICS_REGISTRY_H
