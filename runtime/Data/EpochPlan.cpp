//===- Data/EpochPlan.cpp - Which sample is where in an epoch -------------===//

#include "runtime/Data/EpochPlan.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <bit>
#include <cassert>

using namespace dpl::rt;

EpochOrder::EpochOrder(int64_t length, RandomKey key)
    : length(static_cast<uint64_t>(length)) {
  assert(length >= 1 && "an order needs something to order");
  // With few bits eight rounds reach some orders more often than others.
  const int bits = std::max(
      8, static_cast<int>(std::bit_width(static_cast<uint64_t>(length - 1))));
  leftBits = bits / 2;
  rightBits = bits - leftBits;
  for (uint32_t round = 0; round < rounds; ++round) {
    const RandomBlock block = philox4x32({round, 0, 0, 0}, key);
    keys[round] = block[0] | static_cast<uint64_t>(block[1]) << 32;
  }
}

/// The halves, whose widths may differ by one, change each other in turn.
uint64_t EpochOrder::permute(uint64_t x) const {
  const uint64_t leftMask = (uint64_t{1} << leftBits) - 1;
  const uint64_t rightMask = (uint64_t{1} << rightBits) - 1;
  uint64_t left = x >> rightBits, right = x & rightMask;
  for (int round = 0; round < rounds; round += 2) {
    left ^= mixBits(right ^ keys[round]) & leftMask;
    right ^= mixBits(left ^ keys[round + 1]) & rightMask;
  }
  return left << rightBits | right;
}

int64_t EpochOrder::operator()(int64_t place) const {
  auto x = static_cast<uint64_t>(place);
  assert(x < length && "place outside of the epoch");
  do
    x = permute(x);
  while (x >= length);
  return static_cast<int64_t>(x);
}

Result<LastBatch> dpl::rt::parseLastBatch(std::string_view text) {
  if (text == "keep")
    return LastBatch::Keep;
  if (text == "drop")
    return LastBatch::Drop;
  if (text == "wrap")
    return LastBatch::Wrap;
  return Status::error(
      Exit::Usage,
      concat("`last` is `", text, "`, but must be `keep`, `drop` or `wrap`"));
}

EpochPlan::EpochPlan(int64_t length, int64_t batch, uint64_t seed,
                     int64_t epoch, bool shuffle, LastBatch last)
    : order(length, orderKey(seed, static_cast<uint64_t>(epoch))),
      length(length), batch(batch), shuffle(shuffle), last(last) {}

int64_t EpochPlan::batchesOf(int64_t length, int64_t batch, LastBatch last) {
  return last == LastBatch::Drop ? length / batch
                                 : (length + batch - 1) / batch;
}

int64_t EpochPlan::samplesOf(int64_t number) const {
  return last == LastBatch::Wrap ? batch
                                 : std::min(batch, length - number * batch);
}

int64_t EpochPlan::sample(int64_t number, int64_t place) const {
  const int64_t position = (number * batch + place) % length;
  return shuffle ? order(position) : position;
}
