//===- Data/IteratorErrorTest.cpp - What goes wrong while reading ---------===//

#include "runtime/Base/Clock.h"
#include "runtime/Data/Iterator.h"
#include "runtime/Testing/NumberReader.h"
#include "runtime/Testing/StatusMatchers.h"

#include <atomic>
#include <thread>

using namespace dpl::rt;
using namespace dpl::rt::testing;

TEST(IteratorErrorTest, BadConfigurationsNameTheValue) {
  const auto expectBad = [](void (*change)(IteratorConfig &),
                            std::initializer_list<std::string> pieces) {
    IteratorConfig config;
    config.name = "it";
    change(config);
    expectFailure(makeIterator(numbers(5), config).status(), Exit::Usage,
                  pieces);
  };
  expectBad([](IteratorConfig &c) { c.batch = 0; }, {"`it`", "`batch` is 0"});
  expectBad([](IteratorConfig &c) { c.tile = 0; }, {"`tile` is 0"});
  expectBad([](IteratorConfig &c) { c.workers = -1; }, {"`workers` is -1"});
  expectBad([](IteratorConfig &c) { c.prefetch = 0; }, {"`prefetch` is 0"});
  expectBad([](IteratorConfig &c) { c.timeout = -2; }, {"`timeout` is -2"});
  expectFailure(parseIteratorKind("parallel").status(), Exit::Usage,
                {"`parallel`", "`serial`, `threads` or `multiprocess`"});
}

TEST(IteratorErrorTest, DropThatLeavesNothingIsAnErrorOfTheData) {
  IteratorConfig config;
  config.name = "it";
  config.batch = 6;
  config.last = LastBatch::Drop;
  expectFailure(makeIterator(numbers(5), config).status(), Exit::Data,
                {"`it`", "5 samples", "batch of 6", "`last: keep`"});
}

class FailingIteratorOfKind : public ::testing::TestWithParam<IteratorKind> {
protected:
  IteratorConfig config;
  void SetUp() override {
    config.name = "it";
    config.kind = GetParam();
    config.batch = 4;
    config.workers = 3;
    config.repeat = true;
  }
};
INSTANTIATE_TEST_SUITE_P(IteratorErrorTest, FailingIteratorOfKind,
                         ::testing::Values(IteratorKind::Serial,
                                           IteratorKind::Threads,
                                           IteratorKind::Multiprocess));

TEST_P(FailingIteratorOfKind, PositionOutsideOfTheEpoch) {
  auto iterator = makeIterator(numbers(10), config).take();
  for (const Position position : {Position{0, 3}, {-1, 0}, {0, -1}})
    expectFailure(iterator->setPosition(position), Exit::Runtime,
                  {"`it`", "3 batches"});
}

/// The batches before a bad sample are given; then the error comes, with its
/// chain, as often as one asks.
TEST_P(FailingIteratorOfKind, BadSampleIsReportedAtItsBatch) {
  const auto dataset = numbers(40, [](int64_t sample) {
    return sample == 14 ? Status::error(Exit::Data, "pixel 3 is missing")
                        : Status::success();
  });
  auto iterator = makeIterator(dataset, config).take();
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(iterator->next());
  for (int i = 0; i < 3; ++i) {
    const Status status = iterator->next().takeStatus();
    expectFailure(status, Exit::Data,
                  {"iterator `it` cannot give batch 3 of epoch 0",
                   "sample 14 of data set `numbers`", "pixel 3 is missing"});
    EXPECT_EQ(status.chain().size(), 3u);
  }
  EXPECT_FALSE(iterator->reset().ok());
}

TEST_P(FailingIteratorOfKind, LongErrorsAreCutNotLost) {
  const auto dataset = numbers(40, [](int64_t) {
    return Status::error(Exit::Data, std::string(100'000, 'x'));
  });
  auto iterator = makeIterator(dataset, config).take();
  expectFailure(iterator->next().status(), Exit::Data,
                {"sample 0 of data set `numbers`", "xxx"});
}

/// Seconds that `iterator` takes to give the error.
static double secondsToFail(Iterator &iterator, Status &status) {
  const Stopwatch watch;
  while (status.ok())
    status = iterator.next().takeStatus();
  return watch.seconds();
}

/// The thread that hangs is released at the end, so that the test leaves none.
TEST(IteratorErrorTest, ThreadThatHangsIsReportedWithItsSample) {
  static std::atomic<bool> released = false;
  static std::atomic<bool> gone = false;
  released = gone = false;
  {
    const auto dataset = numbers(40, [](int64_t sample) {
      if (sample == 21) {
        while (!released)
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        gone = true;
      }
      return Status::success();
    });
    IteratorConfig config;
    config.name = "it";
    config.kind = IteratorKind::Threads;
    config.workers = 2;
    config.batch = 4;
    config.timeout = 0.3;
    auto iterator = makeIterator(dataset, config).take();
    Status status;
    EXPECT_LT(secondsToFail(*iterator, status), 2);
    expectFailure(status, Exit::Runtime,
                  {"batch 5 of epoch 0", "data worker 1 ",
                   "sample 21 of data set `numbers`", "0.3 s"});
  }
  released = true;
  while (!gone)
    std::this_thread::yield();
}

/// Slow is not stuck: the limit is for one sample.
TEST(IteratorErrorTest, TimeoutCountsForOneSample) {
  const auto dataset = numbers(40, [](int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return Status::success();
  });
  for (const auto kind : {IteratorKind::Threads, IteratorKind::Multiprocess}) {
    IteratorConfig config;
    config.kind = kind;
    config.batch = 20;
    config.timeout = 0.5;
    auto iterator = makeIterator(dataset, config).take();
    ASSERT_OK(iterator->next());
  }
}
