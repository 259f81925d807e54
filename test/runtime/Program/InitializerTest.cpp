//===- InitializerTest.cpp - Initial values -------------------------------===//

#include "runtime/Program/Initializer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace dpl::rt;
using desc::InitKind;
using desc::InitSpec;

namespace {

std::vector<float> make(const InitSpec &init, const char *name = "fc.weight",
                        uint64_t seed = 0, size_t count = 40000) {
  std::vector<float> values(count);
  initialize(init, seed, name, values);
  return values;
}

double mean(const std::vector<float> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double deviation(const std::vector<float> &values) {
  double sum = 0, middle = mean(values);
  for (float value : values)
    sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(InitializerTest, HeUniformHasTheBoundOfThePaper) {
  InitSpec init;
  init.kind = InitKind::HeUniform;
  init.fanIn = 54;
  std::vector<float> values = make(init);
  double bound = std::sqrt(6.0 / 54);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, -bound);
  EXPECT_LT(*high, bound);
  EXPECT_NEAR(*low, -bound, 0.01 * bound);
  EXPECT_NEAR(*high, bound, 0.01 * bound);
  // Variance 2 / fan_in is what the method is about.
  EXPECT_NEAR(deviation(values), std::sqrt(2.0 / 54), 0.01 * bound);
}

TEST(InitializerTest, TruncatedNormalIsCutAndHasItsMoments) {
  InitSpec init;
  init.kind = InitKind::TruncatedNormal;
  init.mean = 1;
  init.std = 2;
  init.low = 0;
  init.high = 3;
  std::vector<float> values = make(init);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, 0);
  EXPECT_LE(*high, 3);
  EXPECT_NEAR(*low, 0, 0.01);
  EXPECT_NEAR(*high, 3, 0.01);
  // Of a normal distribution cut at a = -1/2 and b = 1 (standard units): mean +
  // std (phi(a) - phi(b)) / Z, with Z = Phi(b) - Phi(a).
  EXPECT_NEAR(mean(values), 1 + 2 * (0.352065 - 0.241971) / 0.532807, 0.02);
}

TEST(InitializerTest, TruncatedNormalReachesFarTails) {
  InitSpec init;
  init.kind = InitKind::TruncatedNormal;
  init.low = 6;
  init.high = 7;
  std::vector<float> values = make(init, "w", 1, 1000);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, 6);
  EXPECT_LE(*high, 7);
  EXPECT_NEAR(mean(values), 6.158, 0.02); // phi(6) / Q(6) = 6.1585
}

TEST(InitializerTest, NormalHasItsMoments) {
  InitSpec init;
  init.kind = InitKind::Normal;
  init.mean = 3;
  init.std = 0.5;
  std::vector<float> values = make(init);
  EXPECT_NEAR(mean(values), 3, 0.01);
  EXPECT_NEAR(deviation(values), 0.5, 0.01);
}

TEST(InitializerTest, UniformStaysInItsRange) {
  InitSpec init;
  init.kind = InitKind::Uniform;
  init.low = -2;
  init.high = 6;
  std::vector<float> values = make(init);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -2);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 6);
  EXPECT_NEAR(mean(values), 2, 0.05);
}

TEST(InitializerTest, ConstantsAreExact) {
  InitSpec init;
  init.kind = InitKind::Constant;
  init.constant = 0.25;
  EXPECT_EQ(make(init, "b", 0, 2), (std::vector<float>{0.25f, 0.25f}));
  init.kind = InitKind::Ones;
  EXPECT_EQ(make(init, "b", 0, 1)[0], 1.0f);
  init.kind = InitKind::Zeros;
  EXPECT_EQ(make(init, "b", 0, 1)[0], 0.0f);
}

TEST(InitializerTest, ValuesDependOnSeedAndNameAlone) {
  InitSpec init;
  init.kind = InitKind::Normal;
  EXPECT_EQ(make(init, "a"), make(init, "a"));
  EXPECT_NE(make(init, "a"), make(init, "b"));
  EXPECT_NE(make(init, "a", 0), make(init, "a", 1));
  // A longer tensor starts with the same values.
  std::vector<float> shorter = make(init, "a", 0, 100),
                     longer = make(init, "a");
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

} // namespace
