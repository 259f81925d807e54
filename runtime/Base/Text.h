//===- Base/Text.h - Making and matching text -------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_TEXT_H
#define DPL_RUNTIME_BASE_TEXT_H

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace dpl::rt {

/// The arguments written one after the other, as `<<` writes them.
template <typename... Parts> std::string concat(const Parts &...parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

/// `[1, 28, 28]`.
std::string shapeText(std::span<const int64_t> shape);

/// The shortest decimal that reads back as the same number; a NaN is `nan`
/// whatever its sign.
std::string numberText(double value);
/// Six digits of a number, for a person to read.
std::string sixDigits(double value);

/// The candidate nearest to `name` by edit distance, or empty when none is
/// near enough to be what was meant.
std::string nearestName(std::string_view name,
                        std::span<const std::string> candidates);

/// The tail of an error about an unknown name: `; did you mean `x`?` when one
/// is near, otherwise `; known are `a`, `b``.
std::string knownNames(std::string_view name,
                       std::span<const std::string> candidates);

/// The pieces of `text` between separators; empty pieces are kept.
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_TEXT_H
