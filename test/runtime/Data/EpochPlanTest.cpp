//===- Data/EpochPlanTest.cpp ---------------------------------------------===//

#include "runtime/Data/EpochPlan.h"

#include "runtime/Testing/StatusMatchers.h"
#include "test/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static std::vector<int64_t> orderOf(int64_t length, RandomKey key) {
  const EpochOrder order(length, key);
  std::vector<int64_t> samples;
  for (int64_t i = 0; i < length; ++i)
    samples.push_back(order(i));
  return samples;
}

static bool isPermutation(std::vector<int64_t> samples) {
  std::sort(samples.begin(), samples.end());
  for (size_t i = 0; i < samples.size(); ++i)
    if (samples[i] != static_cast<int64_t>(i))
      return false;
  return true;
}

TEST(EpochOrderTest, IsABijectionForEveryLength) {
  const uint64_t seed = dpl::test::testSeed();
  SCOPED_TRACE(seed);
  for (int64_t length = 1; length <= 600; ++length)
    ASSERT_TRUE(isPermutation(orderOf(length, orderKey(seed, 3)))) << length;
  for (const int64_t length : {4095, 4096, 4097, 50000, 60000, 65537})
    ASSERT_TRUE(isPermutation(orderOf(length, orderKey(seed, 4)))) << length;
}

/// A resume relies on it: the order of a seed may never change.
TEST(EpochOrderTest, KnownOrders) {
  EXPECT_EQ(orderOf(10, orderKey(0, 0)),
            (std::vector<int64_t>{4, 1, 8, 0, 2, 9, 7, 5, 6, 3}));
  EXPECT_EQ(orderOf(10, orderKey(0, 1)),
            (std::vector<int64_t>{9, 2, 8, 0, 1, 3, 7, 6, 4, 5}));
  const EpochOrder order(60000, orderKey(1, 0));
  EXPECT_EQ(order(0), 3735);
  EXPECT_EQ(order(59999), 42109);
  const EpochOrder large(int64_t{1} << 40, orderKey(1, 0));
  EXPECT_EQ(large(12345678901), 1056923199488);
}

/// Every sample comes at every place equally often over many epochs, also for
/// lengths that leave the network few bits. Pearson's statistic has mean
/// (n-1)^2 and variance 2 (n-1)^2; five deviations are allowed.
TEST(EpochOrderTest, PlacesAreEven) {
  constexpr int64_t epochs = 20000;
  for (const int64_t length : {2, 3, 5, 8, 10, 17, 33}) {
    const auto n = static_cast<size_t>(length);
    std::vector<double> counts(n * n);
    for (uint64_t epoch = 0; epoch < epochs; ++epoch) {
      const auto samples = orderOf(length, orderKey(99, epoch));
      for (size_t place = 0; place < n; ++place)
        ++counts[place * n + static_cast<size_t>(samples[place])];
    }
    const double expected =
        static_cast<double>(epochs) / static_cast<double>(n);
    double statistic = 0;
    for (const double count : counts)
      statistic += (count - expected) * (count - expected) / expected;
    const double freedom = static_cast<double>((n - 1) * (n - 1));
    EXPECT_NEAR(statistic, freedom, 5 * std::sqrt(2 * freedom)) << length;
  }
}

/// Neighbours stay no neighbours: the numbers of rises between places are
/// those of a random permutation (mean (n-1)/2, variance (n+1)/12).
TEST(EpochOrderTest, NeighboursAreIndependent) {
  for (uint64_t epoch = 0; epoch < 20; ++epoch) {
    const auto samples = orderOf(60000, orderKey(7, epoch));
    double rises = 0, adjacent = 0;
    for (size_t i = 1; i < samples.size(); ++i) {
      rises += samples[i] > samples[i - 1];
      adjacent += samples[i] == samples[i - 1] + 1;
    }
    EXPECT_NEAR(rises, 59999 / 2.0, 5 * std::sqrt(60001 / 12.0));
    EXPECT_LT(adjacent, 10); // about Poisson with mean 1
  }
}

TEST(EpochOrderTest, EpochsAndSeedsDiffer) {
  std::set<std::vector<int64_t>> orders;
  for (uint64_t seed = 0; seed < 5; ++seed)
    for (uint64_t epoch = 0; epoch < 5; ++epoch)
      orders.insert(orderOf(100, orderKey(seed, epoch)));
  EXPECT_EQ(orders.size(), 25u);
}

/// Law 1: each sample once; `drop` loses fewer than a batch; `wrap` fills with
/// the first samples of the same order.
TEST(EpochPlanTest, BatchesDivideTheEpochAsDeclared) {
  const uint64_t seed = dpl::test::testSeed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 400; ++round) {
    const int64_t length = std::uniform_int_distribution(1, 90)(random);
    const int64_t batch = std::uniform_int_distribution(1, 40)(random);
    const bool shuffle = random() % 2;
    const int64_t epoch = static_cast<int64_t>(random() % 5);
    const EpochPlan keep(length, batch, seed, epoch, shuffle, LastBatch::Keep);
    std::vector<int64_t> order;
    for (int64_t b = 0; b < keep.batches(); ++b)
      for (int64_t place = 0; place < keep.samplesOf(b); ++place)
        order.push_back(keep.sample(b, place));
    ASSERT_EQ(static_cast<int64_t>(order.size()), length);
    ASSERT_TRUE(isPermutation(order));
    ASSERT_TRUE(shuffle || std::is_sorted(order.begin(), order.end()));

    const EpochPlan drop(length, batch, seed, epoch, shuffle, LastBatch::Drop);
    ASSERT_EQ(drop.batches(), length / batch);
    const EpochPlan wrap(length, batch, seed, epoch, shuffle, LastBatch::Wrap);
    ASSERT_EQ(wrap.batches(), keep.batches());
    for (int64_t b = 0; b < wrap.batches(); ++b) {
      ASSERT_EQ(wrap.samplesOf(b), batch);
      for (int64_t place = 0; place < batch; ++place) {
        const auto at = static_cast<size_t>((b * batch + place) % length);
        ASSERT_EQ(wrap.sample(b, place), order[at]);
        if (b < drop.batches()) {
          ASSERT_EQ(drop.samplesOf(b), batch);
          ASSERT_EQ(drop.sample(b, place), order[at]);
        }
      }
    }
  }
}

/// Each epoch has an order of its own, the same whenever it is asked for.
TEST(EpochPlanTest, EveryEpochHasItsOwnOrder) {
  std::set<std::vector<int64_t>> orders;
  for (int round = 0; round < 2; ++round)
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      const EpochPlan plan(8, 4, 1, epoch, true, LastBatch::Keep);
      std::vector<int64_t> order;
      for (int64_t i = 0; i < 8; ++i)
        order.push_back(plan.sample(i / 4, i % 4));
      ASSERT_TRUE(isPermutation(order));
      orders.insert(order);
    }
  EXPECT_EQ(orders.size(), 3u);
}

TEST(EpochPlanTest, LastIsOneOfThree) {
  EXPECT_EQ(*parseLastBatch("keep"), LastBatch::Keep);
  EXPECT_EQ(*parseLastBatch("drop"), LastBatch::Drop);
  EXPECT_EQ(*parseLastBatch("wrap"), LastBatch::Wrap);
  expectFailure(parseLastBatch("pad").status(), Exit::Usage,
                {"`pad`", "`keep`, `drop` or `wrap`"});
}
