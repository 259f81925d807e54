//===- Base/Futex.h - Sleeping until a word changes -------------*- C++ -*-===//
//
// Both work between processes, when the words lie in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_BASE_FUTEX_H
#define DPL_RUNTIME_BASE_FUTEX_H

#include <atomic>
#include <cstdint>

namespace dpl::rt {

/// Sleeps while `word` is `expected`, until a wake, a signal, or the timeout
/// (negative: none). Wakes without cause happen, so callers check again.
void futexWait(std::atomic<uint32_t> &word, uint32_t expected,
               int64_t timeoutNanoseconds = -1);
/// Wakes all that sleep on `word`.
void futexWakeAll(std::atomic<uint32_t> &word);

/// Lets threads and processes wait for any condition without losing a wake:
///   while (true) { auto key = event.key(); if (condition) break;
///                  event.wait(key, timeout); }
/// and, after a change that may make a condition true, event.notify(). Costs
/// no system call when nobody waits.
class EventCount {
public:
  uint32_t key() const { return count.load(std::memory_order_seq_cst); }
  void wait(uint32_t key, int64_t timeoutNanoseconds);
  void notify();

private:
  std::atomic<uint32_t> count = 0;
  std::atomic<uint32_t> waiters = 0;
};

/// Tells the core that this is a spinning loop.
inline void spinPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_FUTEX_H
