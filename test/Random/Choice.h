//===- Choice.h - Which random graph ----------------------------*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_CHOICE_H
#define DPL_TEST_RANDOM_CHOICE_H

#include "compiler/Reference/Random.h"

#include <set>

namespace dpl::test {

/// A graph is a function of the seed of the run, its number, and the
/// operations that are left out of it to find the smallest one that still
/// fails. Each operation has random numbers of its own, so leaving one out
/// keeps the others' kinds.
struct Choice {
  uint64_t seed = 1;
  uint64_t number = 0;
  std::set<unsigned> without;

  /// Random numbers for the graph as a whole.
  reference::Random whole() const { return stream(0); }
  /// Random numbers of operation `index`.
  reference::Random operation(unsigned index) const {
    return stream(index + 1);
  }
  /// Number of operations that are drawn.
  unsigned operations() const {
    return (unsigned)whole().between(kLeast, kMost);
  }

  static constexpr int64_t kLeast = 8, kMost = 10;

private:
  reference::Random stream(uint64_t index) const {
    reference::Random mix(seed);
    mix = reference::Random(mix.next() ^ number * 0x9e3779b97f4a7c15u);
    return reference::Random(mix.next() ^ index * 0xbf58476d1ce4e5b9u);
  }
};

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_CHOICE_H
