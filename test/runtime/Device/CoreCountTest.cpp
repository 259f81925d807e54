//===- Device/CoreCountTest.cpp -------------------------------------------===//

#include "runtime/Device/Cpu/CoreCount.h"

#include "runtime/Testing/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static void put(const TemporaryFolder &root, const std::string &group,
                const std::string &file, const std::string &text) {
  std::filesystem::create_directories(root.file(group));
  std::ofstream(root.file(group) + "/" + file) << text;
}

TEST(CoreCountTest, AffinityMaskIsHonoured) {
  int cores = 0;
  // A thread has a mask of its own, so the test leaves no trace.
  std::thread([&] {
    cpu_set_t set;
    ::sched_getaffinity(0, sizeof(set), &set);
    int first = 0;
    while (!CPU_ISSET(first, &set))
      ++first;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    ::sched_setaffinity(0, sizeof(set), &set);
    cores = usableCores();
  }).join();
  EXPECT_EQ(cores, 1);
}

TEST(CoreCountTest, NoGroupsNoQuota) {
  const TemporaryFolder root;
  EXPECT_EQ(cgroupQuota("", root.path()), std::nullopt);
  EXPECT_EQ(cgroupQuota("0::/\n", root.path()), std::nullopt);
  EXPECT_EQ(cgroupQuota("nonsense", root.path()), std::nullopt);
}

TEST(CoreCountTest, VersionTwoTakesTheSmallestOnTheWayUp) {
  const TemporaryFolder root;
  put(root, "a", "cpu.max", "150000 100000\n");
  put(root, "a/b", "cpu.max", "max 100000\n");
  put(root, "a/c", "cpu.max", "50000 100000\n");
  EXPECT_EQ(cgroupQuota("0::/a/b\n", root.path()), 1.5);
  EXPECT_EQ(cgroupQuota("0::/a/c\n", root.path()), 0.5);
  EXPECT_EQ(cgroupQuota("0::/other\n", root.path()), std::nullopt);
}

TEST(CoreCountTest, VersionOneHasItsOwnFiles) {
  const TemporaryFolder root;
  put(root, "cpu,cpuacct/job", "cpu.cfs_quota_us", "400000\n");
  put(root, "cpu,cpuacct/job", "cpu.cfs_period_us", "100000\n");
  put(root, "cpu,cpuacct", "cpu.cfs_quota_us", "-1\n");
  put(root, "cpu,cpuacct", "cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroupQuota("4:memory:/job\n3:cpu,cpuacct:/job\n", root.path()),
            4.0);
}
