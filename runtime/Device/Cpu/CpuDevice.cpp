//===- Device/Cpu/CpuDevice.cpp - Threads and memory of the host ----------===//

#include "runtime/Device/Cpu/CpuDevice.h"

#include "runtime/Base/Text.h"
#include "runtime/Device/Cpu/ThreadPool.h"

using namespace dpl::rt;

namespace {
class CpuDevice final : public Device {
public:
  CpuDevice(std::string name, std::unique_ptr<ThreadPool> pool)
      : name_(std::move(name)), pool(std::move(pool)) {}

  const std::string &name() const override { return name_; }
  int workers() const override { return pool->workers(); }

  Result<AlignedMemory> allocate(size_t bytes) override {
    Result<AlignedMemory> memory = AlignedMemory::allocate(bytes, true);
    if (!memory.ok())
      return memory.takeStatus()
          .as(Exit::Device)
          .within(concat("device `", name_, "` is out of memory"));
    return memory;
  }

  void run(FunctionRef<void(int)> body) override { pool->run(body); }

private:
  std::string name_;
  std::unique_ptr<ThreadPool> pool;
};
} // namespace

Result<std::unique_ptr<Device>> dpl::rt::makeCpuDevice(std::string name,
                                                       int workers) {
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(workers);
  if (!pool.ok())
    return pool.takeStatus().within(
        concat("device `", name, "` cannot be opened"));
  return std::unique_ptr<Device>(
      std::make_unique<CpuDevice>(std::move(name), pool.take()));
}
