//===- Device/Device.cpp - Devices by name --------------------------------===//

#include "runtime/Device/Device.h"

#include "runtime/Base/Text.h"
#include "runtime/Device/Cpu/CoreCount.h"
#include "runtime/Device/Cpu/CpuDevice.h"

#include <charconv>

using namespace dpl::rt;

Result<std::unique_ptr<Device>> dpl::rt::openDevice(std::string_view name) {
  const size_t colon = name.find(':');
  if (name.substr(0, colon) != "cpu")
    return Status::error(Exit::Usage,
                         concat("unknown device `", name,
                                "`; known are `cpu` and `cpu:N` with N "
                                "threads"));
  if (colon == std::string_view::npos)
    return makeCpuDevice(std::string(name), usableCores());
  const std::string_view count = name.substr(colon + 1);
  int workers = 0;
  const auto [end, failure] =
      std::from_chars(count.data(), count.data() + count.size(), workers);
  if (failure != std::errc() || end != count.data() + count.size() ||
      workers < 1 || workers > maxCpuWorkers)
    return Status::error(Exit::Usage,
                         concat("device `", name, "`: `", count,
                                "` is no number of threads; give 1 to ",
                                maxCpuWorkers));
  return makeCpuDevice(std::string(name), workers);
}
