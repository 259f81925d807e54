//===- Base/Random.h - Counted random numbers -------------------*- C++ -*-===//
//
// Randomness is counted, not drawn: every number is a pure function of a key
// and a counter, so that it depends neither on the number of workers, threads
// or ranks nor on what was asked before.
//
// The generator is Philox 4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011. What is uniform over a batch
// (seed, epoch, step, call path, or the path of a parameter) makes the key;
// what differs between samples and elements (sample, scan index, element)
// makes the counter.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_BASE_RANDOM_H
#define DPL_RUNTIME_BASE_RANDOM_H

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace dpl::rt {

using RandomKey = std::array<uint32_t, 2>;
using RandomBlock = std::array<uint32_t, 4>;

/// The ten rounds of Philox 4x32.
RandomBlock philox4x32(RandomBlock counter, RandomKey key);

/// A bijection of 64 bits without fixed structure: the finaliser of SplitMix64
/// (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
constexpr uint64_t mixBits(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a of 64 bits, then mixed: the number of a name or path.
uint64_t hashText(std::string_view text);

/// The key of the random operations of one call in a training step. `path` is
/// the call path in the model, `step` the named training step (empty when
/// there is one only).
RandomKey stepKey(uint64_t seed, uint64_t epoch, std::string_view step,
                  std::string_view path);
/// The key of the initial values of a parameter or state.
RandomKey initialKey(uint64_t seed, std::string_view parameterPath);
/// The key of the order of an epoch.
RandomKey orderKey(uint64_t seed, uint64_t epoch);

/// The block with the elements 4 * block .. 4 * block + 3 of one sample's draw.
inline RandomBlock randomBlock(RandomKey key, uint64_t sample, uint32_t scan,
                               uint32_t block) {
  return philox4x32({block, scan, static_cast<uint32_t>(sample),
                     static_cast<uint32_t>(sample >> 32)},
                    key);
}

/// The upper 24 bits as a number in [0, 1); exact in f32.
constexpr float uniformFromBits(uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

/// out[i] = low + (high - low) * u(i), u in [0, 1), for sample 0, scan 0.
void fillUniform(std::span<float> out, RandomKey key, float low, float high);
/// out[i] = mean + deviation * z(i), z standard normal by Box and Muller's
/// transform, computed in f64, for sample 0, scan 0.
void fillNormal(std::span<float> out, RandomKey key, float mean,
                float deviation);

/// out[i] = the normal distribution's quantile of u(i), u uniform between the
/// probabilities of `low` and `high`: the distribution cut to [low, high],
/// computed in f64, for sample 0, scan 0.
void fillTruncatedNormal(std::span<float> out, RandomKey key, double mean,
                         double deviation, double low, double high);

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_RANDOM_H
