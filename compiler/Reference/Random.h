//===- Random.h - Repeatable random numbers of checks -----------*- C++ -*-===//

#ifndef DPL_REFERENCE_RANDOM_H
#define DPL_REFERENCE_RANDOM_H

#include <cstdint>

namespace dpl::reference {

/// splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators, 2014): the same numbers from the same seed on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * ((double)(next() >> 11) * 0x1p-53);
  }
  /// A whole number in low..high, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + (int64_t)(next() % (uint64_t)(high - low + 1));
  }

private:
  uint64_t state;
};

} // namespace dpl::reference

#endif // DPL_REFERENCE_RANDOM_H
