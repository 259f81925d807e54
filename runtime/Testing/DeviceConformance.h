//===- Testing/DeviceConformance.h - What every device must do --*- C++ -*-===//
//
// A suite of GoogleTest that takes the name of a device:
//   INSTANTIATE_TEST_SUITE_P(Cpu, DeviceConformance, ::testing::Values("cpu"));
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TESTING_DEVICECONFORMANCE_H
#define DPL_RUNTIME_TESTING_DEVICECONFORMANCE_H

#include "runtime/Device/Device.h"
#include "runtime/Testing/StatusMatchers.h"

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace dpl::rt::testing {

class DeviceConformance : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    auto opened = openDevice(GetParam());
    ASSERT_OK(opened);
    device = opened.take();
  }
  std::unique_ptr<Device> device;
};

TEST_P(DeviceConformance, IsCalledAsItWasAskedFor) {
  EXPECT_EQ(device->name(), GetParam());
  EXPECT_GE(device->workers(), 1);
}

TEST_P(DeviceConformance, MemoryIsAlignedAndZero) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{65}, size_t{4097},
                             (size_t{2} << 20) + 3, size_t{5} << 20}) {
    auto memory = device->allocate(bytes);
    ASSERT_OK(memory);
    EXPECT_EQ(memory->size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->data()) % DPL_ALIGNMENT, 0u);
    for (size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(memory->data()[i], std::byte{0});
  }
}

TEST_P(DeviceConformance, TooMuchMemoryIsAnErrorOfTheDevice) {
  expectFailure(device->allocate(size_t{1} << 62).status(), Exit::Device,
                {GetParam(), "4611686018427387904 bytes"});
}

TEST_P(DeviceConformance, EachWorkerRunsOnceInEveryRun) {
  const auto workers = static_cast<size_t>(device->workers());
  std::vector<int> runs(workers * 64); // a cache line each
  for (int run = 1; run <= 2000; ++run) {
    device->run([&](int worker) { ++runs[static_cast<size_t>(worker) * 64]; });
    for (size_t worker = 0; worker < workers; ++worker)
      ASSERT_EQ(runs[worker * 64], run);
  }
}

/// What one run writes, all workers of the next one see.
TEST_P(DeviceConformance, RunsAreBarriers) {
  const auto workers = static_cast<size_t>(device->workers());
  std::vector<int64_t> now(workers, 1), next(workers);
  for (int run = 0; run < 50; ++run) {
    device->run([&](int worker) {
      const int64_t sum = std::accumulate(now.begin(), now.end(), int64_t{0});
      next[static_cast<size_t>(worker)] = sum % 1000 + worker;
    });
    const int64_t sum = std::accumulate(now.begin(), now.end(), int64_t{0});
    for (size_t worker = 0; worker < workers; ++worker)
      ASSERT_EQ(next[worker], sum % 1000 + static_cast<int64_t>(worker));
    std::swap(now, next);
  }
}

/// Workers may wait for each other, so all of them run at the same time.
TEST_P(DeviceConformance, WorkersRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  device->run([&](int) {
    ++arrived;
    while (arrived < device->workers())
      std::this_thread::yield();
  });
  EXPECT_EQ(arrived, device->workers());
}

} // namespace dpl::rt::testing

#endif // DPL_RUNTIME_TESTING_DEVICECONFORMANCE_H
