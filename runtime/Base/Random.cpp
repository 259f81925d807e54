//===- Base/Random.cpp - Counted random numbers ---------------------------===//

#include "runtime/Base/Random.h"

#include <cmath>

using namespace dpl::rt;

RandomBlock dpl::rt::philox4x32(RandomBlock counter, RandomKey key) {
  constexpr uint64_t multiplier0 = 0xd2511f53, multiplier1 = 0xcd9e8d57;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = multiplier0 * counter[0];
    const uint64_t product1 = multiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

uint64_t dpl::rt::hashText(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mixBits(hash);
}

/// What a key is for. The values are part of the meaning of a seed.
enum Purpose : uint64_t { StepPurpose = 1, InitialPurpose, OrderPurpose };

static RandomKey makeKey(Purpose purpose, uint64_t seed, uint64_t a, uint64_t b,
                         uint64_t c) {
  uint64_t key = mixBits(seed ^ mixBits(purpose));
  for (const uint64_t part : {a, b, c})
    key = mixBits(key ^ mixBits(part));
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
}

RandomKey dpl::rt::stepKey(uint64_t seed, uint64_t epoch, std::string_view step,
                           std::string_view path) {
  return makeKey(StepPurpose, seed, epoch, hashText(step), hashText(path));
}

RandomKey dpl::rt::initialKey(uint64_t seed, std::string_view parameterPath) {
  return makeKey(InitialPurpose, seed, hashText(parameterPath), 0, 0);
}

RandomKey dpl::rt::orderKey(uint64_t seed, uint64_t epoch) {
  return makeKey(OrderPurpose, seed, epoch, 0, 0);
}

void dpl::rt::fillUniform(std::span<float> out, RandomKey key, float low,
                          float high) {
  for (size_t i = 0; i < out.size(); i += 4) {
    const RandomBlock block =
        randomBlock(key, 0, 0, static_cast<uint32_t>(i / 4));
    for (size_t j = 0; j < 4 && i + j < out.size(); ++j)
      out[i + j] = low + (high - low) * uniformFromBits(block[j]);
  }
}

void dpl::rt::fillNormal(std::span<float> out, RandomKey key, float mean,
                         float deviation) {
  constexpr double tau = 6.283185307179586476925;
  for (size_t i = 0; i < out.size(); i += 2) {
    const RandomBlock block =
        randomBlock(key, 0, 0, static_cast<uint32_t>(i / 4));
    const size_t word = i % 4;
    // The half keeps the logarithm's argument above zero.
    const double u = (block[word] + 0.5) * 0x1p-32;
    const double angle = tau * (block[word + 1] * 0x1p-32);
    const double radius = std::sqrt(-2.0 * std::log(u));
    const double z[2] = {radius * std::cos(angle), radius * std::sin(angle)};
    for (size_t j = 0; j < 2 && i + j < out.size(); ++j)
      out[i + j] = static_cast<float>(mean + deviation * z[j]);
  }
}

void dpl::rt::fillTruncatedNormal(std::span<float> out, RandomKey key,
                                  double mean, double deviation, double low,
                                  double high) {
  const auto probability = [&](double x) {
    return 0.5 * std::erfc((mean - x) / (deviation * std::sqrt(2.0)));
  };
  const double first = probability(low), last = probability(high);
  for (size_t i = 0; i < out.size(); ++i) {
    const RandomBlock block =
        randomBlock(key, 0, 0, static_cast<uint32_t>(i / 4));
    const double p = first + (last - first) * ((block[i % 4] + 0.5) * 0x1p-32);
    double below = low, above = high;
    constexpr int halvings = 40; // to 2^-40 of the range, far below f32
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (below + above);
      (probability(middle) < p ? below : above) = middle;
    }
    out[i] = static_cast<float>(0.5 * (below + above));
  }
}
