//===- Base/Futex.cpp - Sleeping until a word changes ---------------------===//

#include "runtime/Base/Futex.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace dpl::rt;

static_assert(std::atomic<uint32_t>::is_always_lock_free &&
              sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

void dpl::rt::futexWait(std::atomic<uint32_t> &word, uint32_t expected,
                        int64_t timeoutNanoseconds) {
  timespec timeout = {timeoutNanoseconds / 1'000'000'000,
                      static_cast<long>(timeoutNanoseconds % 1'000'000'000)};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected,
            timeoutNanoseconds < 0 ? nullptr : &timeout, nullptr, 0);
}

void dpl::rt::futexWakeAll(std::atomic<uint32_t> &word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void EventCount::wait(uint32_t key, int64_t timeoutNanoseconds) {
  waiters.fetch_add(1);
  futexWait(count, key, timeoutNanoseconds);
  waiters.fetch_sub(1);
}

void EventCount::notify() {
  count.fetch_add(1);
  if (waiters.load() > 0)
    futexWakeAll(count);
}
