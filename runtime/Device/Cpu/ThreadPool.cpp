//===- Device/Cpu/ThreadPool.cpp - Threads that meet at a barrier ---------===//

#include "runtime/Device/Cpu/ThreadPool.h"

#include "runtime/Base/Clock.h"
#include "runtime/Base/Futex.h"
#include "runtime/Base/Text.h"
#include "runtime/Device/Cpu/CoreCount.h"

#include <csignal>
#include <sched.h>
#include <sys/prctl.h>
#include <system_error>

using namespace dpl::rt;

static constexpr int64_t spinTime = 30'000;

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(int workers) {
  const bool enoughCores = workers <= usableCores();
  std::unique_ptr<ThreadPool> pool(new ThreadPool(enoughCores ? spinTime : 0));
  // The threads inherit the mask: signals are for the thread that steers.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    for (int worker = 1; worker < workers; ++worker)
      pool->threads.emplace_back([p = pool.get(), worker] { p->work(worker); });
  } catch (const std::system_error &error) {
    status = Status::error(
        Exit::Device, concat("cannot start thread ", pool->threads.size() + 1,
                             " of ", workers - 1, ": ", error.code().message(),
                             "; ask for fewer threads"));
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!status.ok())
    return status;
  return pool;
}

ThreadPool::~ThreadPool() {
  stopping = true;
  generation.fetch_add(1);
  futexWakeAll(generation);
  for (std::thread &thread : threads)
    thread.join();
}

/// Announcing the sleep comes before the kernel's own look at the word, and
/// the other side changes the word before it looks for sleepers, so no wake is
/// lost.
template <typename Done>
uint32_t ThreadPool::await(std::atomic<uint32_t> &word,
                           std::atomic<uint32_t> &sleepers, Done done) const {
  uint32_t value = word.load(std::memory_order_acquire);
  if (done(value))
    return value;
  if (spinNanoseconds > 0) {
    const int64_t end = steadyNanoseconds() + spinNanoseconds;
    do {
      for (int i = 0; i < 32; ++i) {
        spinPause();
        value = word.load(std::memory_order_acquire);
        if (done(value))
          return value;
      }
      // The one that is waited for may be queued behind this thread.
      ::sched_yield();
    } while (steadyNanoseconds() < end);
  }
  sleepers.fetch_add(1);
  while (!done(value = word.load()))
    futexWait(word, value);
  sleepers.fetch_sub(1);
  return value;
}

void ThreadPool::run(FunctionRef<void(int)> function) {
  if (threads.empty())
    return function(0);
  body = &function;
  busy.store(static_cast<uint32_t>(threads.size()), std::memory_order_relaxed);
  generation.fetch_add(1);
  if (sleepingWorkers.load() > 0)
    futexWakeAll(generation);
  function(0);
  await(busy, sleepingCaller, [](uint32_t left) { return left == 0; });
}

void ThreadPool::work(int worker) {
  ::prctl(PR_SET_NAME, concat("dpl-cpu-", worker).c_str());
  uint32_t seen = 0;
  while (true) {
    seen = await(generation, sleepingWorkers,
                 [&](uint32_t value) { return value != seen; });
    if (stopping)
      return;
    (*body)(worker);
    if (busy.fetch_sub(1) == 1 && sleepingCaller.load() > 0)
      futexWakeAll(busy);
  }
}
