//===- Base/Clock.h - Steady time -------------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_CLOCK_H
#define DPL_RUNTIME_BASE_CLOCK_H

#include <cstdint>

namespace dpl::rt {

/// Nanoseconds of the system's monotonic clock: the same in all processes of
/// a machine, never set back.
int64_t steadyNanoseconds();
/// The same clock in seconds.
double steadySeconds();

/// Seconds since its construction or the last restart.
class Stopwatch {
public:
  Stopwatch() : start(steadyNanoseconds()) {}
  void restart() { start = steadyNanoseconds(); }
  double seconds() const {
    return static_cast<double>(steadyNanoseconds() - start) * 1e-9;
  }

private:
  int64_t start;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_CLOCK_H
