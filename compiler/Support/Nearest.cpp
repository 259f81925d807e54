//===- Nearest.cpp - the name that a typo meant ---------------------------===//

#include "compiler/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <string>
#include <vector>

using llvm::StringRef;

/// Lower case without underscores: `batchNorm` and `batch_norm` are one.
static std::string folded(StringRef name) {
  std::string result = name.lower();
  std::erase(result, '_');
  return result;
}

/// The least number of insertions, deletions, replacements and exchanges of
/// neighbours that make `b` of `a`, none touching a place twice.
static unsigned editDistance(StringRef a, StringRef b) {
  size_t width = b.size() + 1;
  // Row i holds the distances of a's first i letters to b's beginnings.
  std::vector<unsigned> rows((a.size() + 1) * width);
  auto at = [&](size_t i, size_t j) -> unsigned & {
    return rows[i * width + j];
  };
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      bool differs = a[i - 1] != b[j - 1];
      unsigned best = std::min(
          {at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs});
      bool exchanged =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      at(i, j) = exchanged ? std::min(best, at(i - 2, j - 2) + 1) : best;
    }
  }
  return rows.back();
}

StringRef dpl::nearest(StringRef name, llvm::ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned limit = std::max<unsigned>(1, name.size() / 3);
  unsigned bestDistance = limit + 1;
  std::string foldedName = folded(name);
  for (StringRef candidate : candidates) {
    if (candidate == name)
      return candidate;
    // An edit of a name of one letter leaves nothing of it.
    if (candidate.size() < 2 && name.size() < 2)
      continue;
    unsigned distance =
        folded(candidate) == foldedName ? 0 : editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
