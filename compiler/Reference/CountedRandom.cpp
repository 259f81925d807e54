//===- CountedRandom.cpp - Random numbers of training steps ---------------===//

#include "compiler/Reference/CountedRandom.h"

#include <cmath>
#include <numbers>

using namespace dpl;
using namespace dpl::reference;

using Block = std::array<uint32_t, 4>;

/// The finaliser of SplitMix64 on the next of its states.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a, mixed.
static uint64_t hash(llvm::StringRef text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (unsigned char c : text)
    h = (h ^ c) * 0x100000001b3u;
  return mix(h);
}

std::array<uint32_t, 2> dpl::reference::randomKey(const Counters &counters,
                                                  llvm::StringRef path) {
  constexpr uint64_t stepPurpose = 1;
  uint64_t key = mix(counters.seed ^ mix(stepPurpose));
  for (uint64_t part : {counters.epoch, hash(""), hash(path)})
    key = mix(key ^ mix(part));
  return {(uint32_t)key, (uint32_t)(key >> 32)};
}

static Block philox(Block c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = 0xd2511f53u * (uint64_t)c[0], q = 0xcd9e8d57u * (uint64_t)c[2];
    c = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q,
         (uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p};
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return c;
}

static double normal(const Block &words, int64_t place) {
  uint32_t a = words[place & 2], b = words[(place & 2) + 1];
  double radius = std::sqrt(-2 * std::log((a + 0.5) * 0x1p-32));
  double angle = 2 * std::numbers::pi * (b * 0x1p-32);
  return radius * (place & 1 ? std::sin(angle) : std::cos(angle));
}

Tensor dpl::reference::random(RandomOp op, const Tensor &key0,
                              const Tensor &key1, const Tensor &sample) {
  Tensor y(op.getType().getShape());
  auto number = (int64_t)sample[0];
  for (int64_t i = 0; i < y.size(); ++i) {
    Block words = philox(
        {(uint32_t)(i / 4), 0, (uint32_t)number, (uint32_t)(number >> 32)},
        (uint32_t)(int64_t)key0[0], (uint32_t)(int64_t)key1[0]);
    y[i] = op.getKind() == RandomKind::uniform ? (words[i % 4] >> 8) * 0x1p-24
                                               : normal(words, i);
  }
  return y;
}
