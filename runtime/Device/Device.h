//===- Device/Device.h - What computes --------------------------*- C++ -*-===//
//
// A device owns memory and workers. One replica of a model lives on one
// device; its step program runs on the device's workers.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_DEVICE_DEVICE_H
#define DPL_RUNTIME_DEVICE_DEVICE_H

#include "runtime/Base/FunctionRef.h"
#include "runtime/Base/Memory.h"
#include "runtime/Base/Status.h"

#include <memory>
#include <string>
#include <string_view>

namespace dpl::rt {

class Device {
public:
  virtual ~Device() = default;

  /// As a user spells it: `cpu:2`.
  virtual const std::string &name() const = 0;

  /// Number of workers, at least 1, the same for the life of the device.
  virtual int workers() const = 0;

  /// Zeroed memory that kernels of this device read and write, aligned to
  /// DPL_ALIGNMENT, with all pages present. Fails with Exit::Device.
  virtual Result<AlignedMemory> allocate(size_t bytes) = 0;

  /// Runs body(worker) once for each worker number 0 .. workers() - 1, at the
  /// same time, and returns when all are done. What the bodies wrote is
  /// visible to the caller then, and what the caller wrote before is visible
  /// to them. One call at a time; a body must neither call run nor throw.
  virtual void run(FunctionRef<void(int worker)> body) = 0;
};

/// Half-open range of task numbers.
struct TaskRange {
  int64_t begin, end;
};

/// The part of `count` tasks that worker `worker` of `workers` gets:
/// consecutive tasks, sizes differ by one at most, a pure function of the three
/// numbers.
constexpr TaskRange taskRange(int64_t count, int worker, int workers) {
  return {count * worker / workers, count * (worker + 1) / workers};
}

/// Opens a device by the name that a user gives: `cpu` is a CPU device with a
/// worker for each core that this process may use, `cpu:N` one with N workers.
/// An unknown name is Exit::Usage.
Result<std::unique_ptr<Device>> openDevice(std::string_view name);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DEVICE_DEVICE_H
