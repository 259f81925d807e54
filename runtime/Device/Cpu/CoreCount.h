//===- Device/Cpu/CoreCount.h - Cores that this process may use -*- C++ -*-===//

#ifndef DPL_RUNTIME_DEVICE_CPU_CORECOUNT_H
#define DPL_RUNTIME_DEVICE_CPU_CORECOUNT_H

#include <optional>
#include <string>
#include <string_view>

namespace dpl::rt {

/// Cores in the affinity mask of the calling thread, but no more than the
/// control groups' CPU quota, rounded down; at least 1. Threads that meet at
/// barriers lose more to a quota that throttles them than to a missing core.
int usableCores();

/// The smallest quota in cores of the control groups that `membership`, the
/// content of /proc/self/cgroup, names and of their parents (version 2's
/// cpu.max, version 1's cpu.cfs_quota_us), below the mount point `root`.
std::optional<double> cgroupQuota(std::string_view membership,
                                  const std::string &root);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DEVICE_CPU_CORECOUNT_H
