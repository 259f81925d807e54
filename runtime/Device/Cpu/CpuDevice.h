//===- Device/Cpu/CpuDevice.h - Threads and memory of the host --*- C++ -*-===//

#ifndef DPL_RUNTIME_DEVICE_CPU_CPUDEVICE_H
#define DPL_RUNTIME_DEVICE_CPU_CPUDEVICE_H

#include "runtime/Device/Device.h"

namespace dpl::rt {

constexpr int maxCpuWorkers = 4096;

/// A device whose worker 0 is the thread that calls run, and whose other
/// workers are threads of its own; 1 <= workers <= maxCpuWorkers. Fails with
/// Exit::Device when the threads cannot be started.
Result<std::unique_ptr<Device>> makeCpuDevice(std::string name, int workers);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DEVICE_CPU_CPUDEVICE_H
