//===- Device/Cpu/CoreCount.cpp - Cores that this process may use ---------===//

#include "runtime/Device/Cpu/CoreCount.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>
#include <vector>

using namespace dpl::rt;

static std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The quota of one group: "QUOTA PERIOD", or no limit when QUOTA is `max` or
/// negative.
static std::optional<double> quotaOf(const std::string &text) {
  std::istringstream stream(text);
  double quota = 0, period = 0;
  if (stream >> quota >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

static void lower(std::optional<double> &limit, std::optional<double> other) {
  if (other && (!limit || *other < *limit))
    limit = other;
}

/// Applies `read` to the folder of a group and to those of its parents.
template <typename F>
static void forGroupAndParents(const std::string &mount, std::string_view group,
                               F read) {
  while (true) {
    read(concat(mount, group == "/" ? "" : group));
    const size_t slash = group.rfind('/');
    if (group.size() <= 1 || slash == std::string_view::npos)
      return;
    group = slash == 0 ? "/" : group.substr(0, slash);
  }
}

std::optional<double> dpl::rt::cgroupQuota(std::string_view membership,
                                           const std::string &root) {
  std::optional<double> limit;
  for (const std::string_view line : split(membership, '\n')) {
    // hierarchy:controllers:path
    const size_t first = line.find(':');
    const size_t second =
        first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos)
      continue;
    const std::string controllers(line.substr(first + 1, second - first - 1));
    const std::string_view group = line.substr(second + 1);
    const auto names = split(controllers, ',');
    if (controllers.empty())
      forGroupAndParents(root, group, [&](const std::string &folder) {
        lower(limit, quotaOf(contentOf(folder + "/cpu.max")));
      });
    else if (std::find(names.begin(), names.end(), "cpu") != names.end())
      for (const std::string &mount : {root + "/" + controllers, root + "/cpu"})
        forGroupAndParents(mount, group, [&](const std::string &folder) {
          lower(limit, quotaOf(contentOf(folder + "/cpu.cfs_quota_us") + " " +
                               contentOf(folder + "/cpu.cfs_period_us")));
        });
  }
  return limit;
}

/// The affinity mask may be larger than cpu_set_t; it is grown until it fits.
static int affinityCores() {
  for (int size = CPU_SETSIZE; size <= 1 << 20; size *= 2) {
    cpu_set_t *set = CPU_ALLOC(size);
    const size_t bytes = CPU_ALLOC_SIZE(size);
    const bool ok = set && ::sched_getaffinity(0, bytes, set) == 0;
    const int count = ok ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return count;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int dpl::rt::usableCores() {
  const int cores = affinityCores();
  const std::optional<double> quota =
      cgroupQuota(contentOf("/proc/self/cgroup"), "/sys/fs/cgroup");
  if (!quota || *quota >= cores)
    return cores;
  return std::max(1, static_cast<int>(*quota));
}
