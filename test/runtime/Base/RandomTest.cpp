//===- Base/RandomTest.cpp ------------------------------------------------===//

#include "runtime/Base/Random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace dpl::rt;

/// The known answers that the authors of Philox publish for 4x32, 10 rounds.
TEST(RandomTest, PhiloxKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (RandomBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (RandomBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (RandomBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// The known answers of SplitMix64 for the seed 0.
TEST(RandomTest, MixBitsIsSplitMix) {
  EXPECT_EQ(mixBits(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mixBits(0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
}

TEST(RandomTest, EachPartOfAKeyCounts) {
  std::set<RandomKey> keys;
  size_t count = 0;
  const auto add = [&](RandomKey key) { keys.insert(key), ++count; };
  for (uint64_t seed = 0; seed < 4; ++seed) {
    add(initialKey(seed, "a.weight"));
    add(initialKey(seed, "b.weight"));
    for (uint64_t epoch = 0; epoch < 4; ++epoch) {
      add(orderKey(seed, epoch));
      for (const char *step : {"", "d", "g"})
        for (const char *path : {"dropout1", "dropout2", "d"})
          add(stepKey(seed, epoch, step, path));
    }
  }
  EXPECT_EQ(keys.size(), count);
}

/// These numbers are what a seed means: they may never change.
TEST(RandomTest, KeysAreKept) {
  EXPECT_EQ(initialKey(0, "conv1.weight"), (RandomKey{3910490629, 1255893914}));
  EXPECT_EQ(stepKey(1, 2, "d", "dropout1"), (RandomKey{831121000, 3923165269}));
  EXPECT_EQ(orderKey(7, 3), (RandomKey{1412138585, 3833892937}));
}

TEST(RandomTest, UniformStaysInItsRange) {
  EXPECT_EQ(uniformFromBits(0), 0.0f);
  EXPECT_LT(uniformFromBits(~0u), 1.0f);
  std::vector<float> values(100001);
  fillUniform(values, initialKey(0, "w"), -2, 6);
  double sum = 0;
  for (const float value : values) {
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 6);
    sum += value;
  }
  // Four standard deviations of the mean.
  EXPECT_NEAR(sum / 100001, 2, 4 * 8 / std::sqrt(12.0 * 100001));
}

TEST(RandomTest, NormalHasItsMoments) {
  std::vector<float> values(100001);
  fillNormal(values, initialKey(0, "w"), 3, 2);
  double sum = 0, squares = 0, fourth = 0;
  for (const float value : values) {
    const double z = (value - 3.0) / 2;
    sum += z, squares += z * z, fourth += z * z * z * z;
  }
  const double n = 100001;
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(fourth / n, 3, 4 * std::sqrt(96 / n));
}

/// An element is a function of its number, so a shorter fill is a prefix.
TEST(RandomTest, FillsDoNotDependOnTheirLength) {
  std::vector<float> all(64);
  const RandomKey key = initialKey(5, "w");
  for (const bool normal : {false, true}) {
    const auto fill = normal ? fillNormal : fillUniform;
    fill(all, key, 0, 1);
    for (size_t length = 0; length < all.size(); ++length) {
      std::vector<float> some(length);
      fill(some, key, 0, 1);
      ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    }
  }
}
