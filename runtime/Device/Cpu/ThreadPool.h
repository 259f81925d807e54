//===- Device/Cpu/ThreadPool.h - Threads that meet at a barrier -*- C++ -*-===//

#ifndef DPL_RUNTIME_DEVICE_CPU_THREADPOOL_H
#define DPL_RUNTIME_DEVICE_CPU_THREADPOOL_H

#include "runtime/Base/FunctionRef.h"
#include "runtime/Base/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace dpl::rt {

/// Worker 0 is the calling thread, the others are threads that block all
/// signals. Between runs they spin for some microseconds, because phases of a
/// step follow each other at once, then sleep; with more workers than cores
/// they sleep at once.
class ThreadPool {
public:
  /// `workers` >= 1. Fails with Exit::Device when the system refuses a thread.
  static Result<std::unique_ptr<ThreadPool>> create(int workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  int workers() const { return static_cast<int>(threads.size()) + 1; }
  /// See Device::run.
  void run(FunctionRef<void(int)> body);

private:
  explicit ThreadPool(int64_t spin) : spinNanoseconds(spin) {}
  void work(int worker);
  /// Waits until `done` of the word is true and returns the word.
  template <typename Done>
  uint32_t await(std::atomic<uint32_t> &word, std::atomic<uint32_t> &sleepers,
                 Done done) const;

  const int64_t spinNanoseconds;
  const FunctionRef<void(int)> *body = nullptr;
  bool stopping = false;
  std::vector<std::thread> threads;
  // Each on a cache line of its own: the first is read by spinning workers,
  // the second written by those that are done.
  alignas(64) std::atomic<uint32_t> generation = 0; ///< number of the run
  alignas(64) std::atomic<uint32_t> busy = 0;       ///< workers not yet done
  alignas(64) std::atomic<uint32_t> sleepingWorkers = 0;
  alignas(64) std::atomic<uint32_t> sleepingCaller = 0;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DEVICE_CPU_THREADPOOL_H
