//===- Device/CpuDeviceTest.cpp -------------------------------------------===//

#include "runtime/Device/Cpu/CpuDevice.h"

#include "runtime/Base/Clock.h"
#include "runtime/Device/Cpu/CoreCount.h"
#include "runtime/Testing/DeviceConformance.h"
#include "test/Support/Random.h"

#include <algorithm>
#include <csignal>
#include <random>
#include <sys/resource.h>

using namespace dpl::rt;
using namespace dpl::rt::testing;

// 33 workers are more than the cores of most machines.
INSTANTIATE_TEST_SUITE_P(Cpu, DeviceConformance,
                         ::testing::Values("cpu", "cpu:1", "cpu:2", "cpu:3",
                                           "cpu:33"));

TEST(CpuDeviceTest, NameSaysTheNumberOfWorkers) {
  EXPECT_EQ((*openDevice("cpu"))->workers(), usableCores());
  EXPECT_EQ((*openDevice("cpu:5"))->workers(), 5);
}

TEST(CpuDeviceTest, BadNamesAreErrorsOfUsage) {
  for (const char *name : {"gpu", "cuda:0", "", "cp"})
    expectFailure(openDevice(name).status(), Exit::Usage,
                  {"unknown device", name, "cpu:N"});
  for (const char *name : {"cpu:", "cpu:0", "cpu:-1", "cpu:2x", "cpu:99999",
                           "cpu: 2", "cpu:99999999999"})
    expectFailure(openDevice(name).status(), Exit::Usage, {name, "1 to 4096"});
}

TEST(CpuDeviceTest, TaskRangesCoverAllTasksOnceAndAreFair) {
  for (int workers = 1; workers <= 9; ++workers)
    for (int64_t count = 0; count < 40; ++count) {
      int64_t next = 0;
      for (int worker = 0; worker < workers; ++worker) {
        const TaskRange range = taskRange(count, worker, workers);
        ASSERT_EQ(range.begin, next);
        ASSERT_GE(range.end - range.begin, count / workers);
        ASSERT_LE(range.end - range.begin, (count + workers - 1) / workers);
        next = range.end;
      }
      ASSERT_EQ(next, count);
    }
}

/// Gaps of all sizes between runs: workers are met spinning, sleeping, and on
/// their way from one to the other.
TEST(CpuDeviceTest, NoWakeIsLostWhateverTheGap) {
  const uint64_t seed = dpl::test::testSeed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const char *name : {"cpu:2", "cpu:5"}) {
    auto device = openDevice(name).take();
    std::atomic<int64_t> sum = 0;
    int64_t expected = 0;
    for (int run = 0; run < 3000; ++run) {
      const int64_t gap = std::uniform_int_distribution(0, 60'000)(random);
      const int64_t end = steadyNanoseconds() + gap;
      while (run % 3 == 0 && steadyNanoseconds() < end)
        continue;
      device->run([&](int worker) { sum += worker + 1; });
      expected += device->workers() * (device->workers() + 1) / 2;
    }
    EXPECT_EQ(sum, expected);
  }
}

TEST(CpuDeviceTest, DevicesComeAndGo) {
  for (int i = 0; i < 200; ++i) {
    auto device = openDevice("cpu:4").take();
    if (i % 2 == 0)
      device->run([](int) {});
  }
}

TEST(CpuDeviceTest, IdleWorkersSleep) {
  auto device = openDevice("cpu:4").take();
  device->run([](int) {});
  const auto used = [] {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec +
                                      usage.ru_stime.tv_usec);
  };
  const double before = used();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(used() - before, 0.05);
}

/// A handler of the trainer must run in the thread that steers, not in a
/// worker in the middle of a kernel.
TEST(CpuDeviceTest, WorkersBlockSignals) {
  auto device = openDevice("cpu:3").take();
  std::vector<int> blocked(3);
  device->run([&](int worker) {
    sigset_t mask;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked[static_cast<size_t>(worker)] = ::sigismember(&mask, SIGINT);
  });
  EXPECT_EQ(blocked, (std::vector<int>{0, 1, 1}));
}
