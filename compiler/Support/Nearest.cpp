//===- Nearest.cpp - the name that a typo meant ---------------------------===//

#include "compiler/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"

#include <string>

using llvm::StringRef;

/// Lower case without underscores: `batchNorm` and `batch_norm` are one.
static std::string folded(StringRef name) {
  std::string result = name.lower();
  std::erase(result, '_');
  return result;
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
        folded(candidate) == foldedName
            ? 0
            : name.edit_distance(candidate, /*AllowReplacements=*/true, limit);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
