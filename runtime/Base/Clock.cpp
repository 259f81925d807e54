//===- Base/Clock.cpp - Steady time ---------------------------------------===//

#include "runtime/Base/Clock.h"

#include <ctime>

using namespace dpl::rt;

int64_t dpl::rt::steadyNanoseconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double dpl::rt::steadySeconds() {
  return static_cast<double>(steadyNanoseconds()) * 1e-9;
}
