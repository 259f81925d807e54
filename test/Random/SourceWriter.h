//===- SourceWriter.h - Writes one random program ---------------*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_SOURCEWRITER_H
#define DPL_TEST_RANDOM_SOURCEWRITER_H

#include "test/Random/Choice.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace dpl::test {

using Sizes = std::vector<int64_t>;

/// Number of elements.
int64_t product(const Sizes &sizes);
/// As the language writes it.
std::string text(int64_t number);
std::string text(const Sizes &sizes);

/// A value of the model.
struct Named {
  std::string name;
  Sizes sizes;
};

/// An expression and the sizes of its value; none where no operand fits.
using Made = std::optional<std::pair<std::string, Sizes>>;

class SourceWriter {
public:
  explicit SourceWriter(const Choice &choice)
      : choice(choice), random(choice.whole()) {}
  std::string write();

private:
  using Maker = Made (SourceWriter::*)();
  static llvm::ArrayRef<Maker> makers();

  int64_t between(int64_t low, int64_t high) {
    return random.between(low, high);
  }
  bool chance(int64_t of) { return between(1, of) == 1; }
  template <size_t N> std::string oneOf(const char *const (&texts)[N]) {
    return texts[between(0, N - 1)];
  }
  const Named &pick(size_t least = 0, size_t most = 9);
  const Named *sameAs(const Named &x);
  std::string use(const Named &x) {
    used.push_back(x.name);
    return x.name;
  }

  Made makeActivation(), makeFunction(), makeBinary(), makeLinear(), makeConv(),
      makePool(), makeNorm(), makeOwn(), makeShared(), makeList(), makeShape(),
      makeReduce(), makeTake(), makeEinsum(), makeBatch(), makeChoice(),
      makeDepthwise(), makeDropout(), makeGlobalPool(), makeJoin();
  std::string output();
  std::string training();

  const Choice &choice;
  reference::Random random;
  std::vector<Named> pool;
  std::vector<std::string> used;
  std::string layers, body;
  unsigned layerCount = 0;
};

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_SOURCEWRITER_H
