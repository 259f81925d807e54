//===- Random.h - Seed and counts of randomised tests -----------*- C++ -*-===//

#ifndef DPL_TEST_SUPPORT_RANDOM_H
#define DPL_TEST_SUPPORT_RANDOM_H

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace dpl::test {

/// DPL_TEST_SEED, which test/run.sh sets and prints, or 1.
inline uint64_t testSeed() {
  const char *seed = std::getenv("DPL_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

/// Is this the long run, test/run.sh --long?
inline bool isLongRun() {
  const char *value = std::getenv("DPL_TEST_LONG");
  return value && std::string_view(value) == "1";
}

/// `count`, ten times as much in the long run.
inline int64_t repetitions(int64_t count) {
  return isLongRun() ? 10 * count : count;
}

} // namespace dpl::test

#endif // DPL_TEST_SUPPORT_RANDOM_H
