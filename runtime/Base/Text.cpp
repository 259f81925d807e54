//===- Base/Text.cpp - Making and matching text ---------------------------===//

#include "runtime/Base/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

using namespace dpl::rt;

std::string dpl::rt::shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

std::string dpl::rt::numberText(double value) {
  if (std::isnan(value))
    return "nan";
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

std::string dpl::rt::sixDigits(double value) {
  if (std::isnan(value))
    return "nan";
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.6g", value);
  return buffer;
}

/// Levenshtein's distance, one row at a time.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string dpl::rt::nearestName(std::string_view name,
                                 std::span<const std::string> candidates) {
  size_t limit = name.size() / 3 + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    const size_t distance = editDistance(name, candidate);
    if (distance <= limit && distance < candidate.size()) {
      nearest = candidate;
      limit = distance ? distance - 1 : 0;
    }
    if (distance == 0)
      break;
  }
  return nearest;
}

std::string dpl::rt::knownNames(std::string_view name,
                                std::span<const std::string> candidates) {
  const std::string nearest = nearestName(name, candidates);
  if (!nearest.empty())
    return "; did you mean `" + nearest + "`?";
  if (candidates.empty())
    return "; there are none";
  std::string text = "; known are ";
  for (size_t i = 0; i < candidates.size(); ++i)
    text += (i ? ", `" : "`") + candidates[i] + "`";
  return text;
}

std::vector<std::string_view> dpl::rt::split(std::string_view text,
                                             char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return pieces;
    text.remove_prefix(end + 1);
  }
}
