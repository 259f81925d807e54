//===- Data/IteratorTest.cpp - The same batches, whoever makes them -------===//

#include "runtime/Data/Iterator.h"

#include "runtime/Testing/NumberReader.h"
#include "runtime/Testing/StatusMatchers.h"
#include "test/Support/Random.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

using namespace dpl::rt;
using namespace dpl::rt::testing;

namespace {
/// What a user can see of a batch.
struct Seen {
  Position position;
  int64_t samples;
  bool lastOfEpoch;
  double epochDetail;
  std::vector<int32_t> numbers; ///< with the tail
  std::vector<float> x;         ///< with the tail
  bool operator==(const Seen &) const = default;
};

void PrintTo(const Seen &seen, std::ostream *out) {
  *out << seen.position.epoch << '.' << seen.position.batch << ": "
       << ::testing::PrintToString(seen.numbers);
}
} // namespace

static const std::vector<TransformSpec> toFloat = {{"to_float", "x", {}}};
static constexpr IteratorKind kinds[] = {
    IteratorKind::Serial, IteratorKind::Threads, IteratorKind::Multiprocess};

static Seen look(const Batch &batch, int64_t tile) {
  Seen seen = {batch.position(),
               batch.samples(),
               batch.lastOfEpoch(),
               batch.epochDetail(),
               {},
               {}};
  const auto places = static_cast<size_t>(roundUp(batch.samples(), tile));
  EXPECT_LE(static_cast<int64_t>(places), batch.capacity());
  EXPECT_EQ(batch.fieldCount(), 2u);
  for (size_t f = 0; f < 2; ++f)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(batch.field(f)) % DPL_ALIGNMENT, 0u);
  seen.x.resize(places * 6);
  std::memcpy(seen.x.data(), batch.field(0), places * 6 * sizeof(float));
  seen.numbers.resize(places);
  std::memcpy(seen.numbers.data(), batch.field(1), places * sizeof(int32_t));
  return seen;
}

static std::vector<Seen> take(Iterator &iterator, int64_t count) {
  std::vector<Seen> batches;
  while (count-- > 0 && !iterator.atEnd()) {
    auto batch = iterator.next();
    EXPECT_TRUE(batch.ok()) << batch.status().text();
    if (!batch.ok())
      break;
    batches.push_back(look(*batch, iterator.config().tile));
  }
  return batches;
}

static std::unique_ptr<Iterator> make(std::shared_ptr<const Dataset> dataset,
                                      const IteratorConfig &config) {
  auto iterator = makeIterator(std::move(dataset), config);
  EXPECT_TRUE(iterator.ok()) << iterator.status().text();
  return iterator.take();
}

/// Holds a batch against the plan and the reader.
static void expectAsPlanned(const Seen &seen, const Iterator &iterator) {
  const EpochPlan plan = iterator.plan(seen.position.epoch);
  ASSERT_EQ(seen.samples, plan.samplesOf(seen.position.batch));
  for (size_t place = 0; place < seen.numbers.size(); ++place) {
    const int64_t truth =
        std::min(static_cast<int64_t>(place), seen.samples - 1);
    const int64_t sample = plan.sample(seen.position.batch, truth);
    ASSERT_EQ(seen.numbers[place], sample);
    for (size_t k = 0; k < 6; ++k)
      ASSERT_EQ(seen.x[place * 6 + k], std::to_integer<int>(NumberReader::pixel(
                                           sample, static_cast<int64_t>(k))) /
                                           255.0f);
  }
}

/// The law: order and bytes depend on seed, epoch and batch number alone.
TEST(IteratorTest, AllKindsAndAnyNumberOfWorkersGiveTheSameBatches) {
  const uint64_t seed = dpl::test::testSeed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 12; ++round) {
    IteratorConfig config;
    config.name = "it";
    config.batch = std::uniform_int_distribution(1, 19)(random);
    config.tile = std::uniform_int_distribution(1, 8)(random);
    config.shuffle = random() % 2;
    config.repeat = random() % 2;
    config.last = static_cast<LastBatch>(round % 3);
    config.seed = random();
    const int64_t length =
        std::uniform_int_distribution<int64_t>(config.batch, 70)(random);
    const auto dataset = numbers(length, {}, toFloat);
    const auto reference = make(dataset, config);
    const int64_t count = 3 * reference->batchesPerEpoch() + 1;
    const std::vector<Seen> expected = take(*reference, count);
    ASSERT_EQ(static_cast<int64_t>(expected.size()),
              config.repeat ? count : reference->batchesPerEpoch());
    for (const Seen &seen : expected)
      expectAsPlanned(seen, *reference);
    for (const IteratorKind kind : kinds)
      for (int workers = 1; workers <= 4; ++workers) {
        config.kind = kind;
        config.workers = workers;
        config.prefetch = std::uniform_int_distribution(1, 3)(random);
        const auto iterator = make(dataset, config);
        ASSERT_EQ(take(*iterator, count), expected)
            << "kind " << static_cast<int>(kind) << ", workers " << workers;
        ASSERT_EQ(iterator->atEnd(), !config.repeat);
      }
  }
}

TEST(IteratorTest, PositionsTellWhereABatchIs) {
  IteratorConfig config;
  config.batch = 4;
  config.repeat = true;
  const auto seen = take(*make(numbers(10, {}, toFloat), config), 4);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[1].position, (Position{0, 1}));
  EXPECT_FALSE(seen[1].lastOfEpoch);
  EXPECT_DOUBLE_EQ(seen[1].epochDetail, 2.0 / 3);
  EXPECT_EQ(seen[2].samples, 2);
  EXPECT_TRUE(seen[2].lastOfEpoch);
  EXPECT_DOUBLE_EQ(seen[2].epochDetail, 1);
  EXPECT_EQ(seen[3].position, (Position{1, 0}));
}

class IteratorOfKind : public ::testing::TestWithParam<IteratorKind> {
protected:
  IteratorConfig config;
  void SetUp() override {
    config.name = "it";
    config.kind = GetParam();
    config.batch = 4;
    config.tile = 3;
    config.workers = 2;
    config.shuffle = true;
  }
};
INSTANTIATE_TEST_SUITE_P(IteratorTest, IteratorOfKind,
                         ::testing::ValuesIn(kinds));

/// A new iterator that is put where another one stands goes on like it: before
/// and after the start of its workers, and back again.
TEST_P(IteratorOfKind, ResumesInTheMiddleOfAnEpoch) {
  config.repeat = true;
  const auto dataset = numbers(23, {}, toFloat);
  const auto whole = take(*make(dataset, config), 20);
  const auto iterator = make(dataset, config);
  for (const size_t start : {0u, 1u, 8u, 5u, 6u, 12u, 3u}) {
    ASSERT_OK(iterator->setPosition(whole[start].position));
    EXPECT_EQ(iterator->position(), whole[start].position);
    const auto part = take(*iterator, 7);
    ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + start));
    ASSERT_OK(iterator->start());
  }
}

TEST_P(IteratorOfKind, EvaluationCanBeRepeatedAndIsAlwaysTheSame) {
  const auto iterator = make(numbers(23, {}, toFloat), config);
  const auto first = take(*iterator, 100);
  EXPECT_EQ(first.size(), 6u);
  EXPECT_TRUE(iterator->atEnd());
  expectFailure(iterator->next().status(), Exit::Runtime,
                {"`it`", "at its end"});
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(iterator->reset());
    EXPECT_FALSE(iterator->atEnd());
    ASSERT_EQ(take(*iterator, 100), first);
  }
  ASSERT_OK(iterator->reset());
  EXPECT_EQ(take(*iterator, 2).size(), 2u);
  ASSERT_OK(iterator->reset());
  EXPECT_EQ(take(*iterator, 100), first);
}

/// One batch may be in use while the next one is fetched, and a seek does not
/// take away the memory of a batch in use.
TEST_P(IteratorOfKind, TwoBatchesMayBeKept) {
  config.repeat = true;
  const auto iterator = make(numbers(23, {}, toFloat), config);
  auto before = iterator->next().take();
  const Seen seen = look(before, config.tile);
  for (int i = 0; i < 40; ++i) {
    auto now = iterator->next();
    ASSERT_OK(now);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    expectAsPlanned(look(before, config.tile), *iterator);
    before = now.take();
    if (i % 7 == 6)
      ASSERT_OK(iterator->setPosition({3, 2}));
  }
  EXPECT_EQ(seen.position, (Position{0, 0}));
}

TEST_P(IteratorOfKind, KeepingTooManyBatchesIsAnErrorNotAHang) {
  config.repeat = true;
  const auto iterator = make(numbers(23, {}, toFloat), config);
  std::vector<Batch> kept;
  Status status;
  for (int i = 0; i < 20 && status.ok(); ++i) {
    auto batch = iterator->next();
    if (batch.ok())
      kept.push_back(batch.take());
    else
      status = batch.takeStatus();
  }
  EXPECT_GE(kept.size(), keptBatches);
  expectFailure(status, Exit::Runtime, {"`it`", "more than 2"});
  kept.clear();
  ASSERT_OK(iterator->next());
}

TEST_P(IteratorOfKind, BatchOutlivesItsIterator) {
  auto iterator = make(numbers(23, {}, toFloat), config);
  const auto batch = iterator->next().take();
  const Seen seen = look(batch, config.tile);
  iterator.reset();
  EXPECT_EQ(look(batch, config.tile), seen);
}

TEST_P(IteratorOfKind, BatchMayBeLargerThanTheDataSet) {
  config.batch = 50;
  config.tile = 8;
  const auto iterator = make(numbers(5, {}, toFloat), config);
  const auto batch = iterator->next().take();
  EXPECT_EQ(batch.samples(), 5);
  EXPECT_EQ(batch.capacity(), 56);
  EXPECT_TRUE(batch.lastOfEpoch());
  expectAsPlanned(look(batch, 8), *iterator);
}

TEST_P(IteratorOfKind, EndsQuicklyAtAnyMoment) {
  config.repeat = true;
  for (int i = 0; i < 20; ++i) {
    const auto iterator = make(numbers(23, {}, toFloat), config);
    if (i % 4 != 0)
      ASSERT_OK(iterator->start());
    take(*iterator, i % 3);
  }
}
