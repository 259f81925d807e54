//===- Trigger.cpp - When a block runs and when training stops ------------===//

#include "runtime/Train/Trigger.h"

#include <cmath>
#include <limits>

namespace dpl::rt {

/// Whole counts are exact: the quotient of integers below 2^53 is an integer
/// exactly when it is one mathematically.
double Trigger::periods(const Progress &progress) const {
  switch (unit) {
  case desc::Unit::Epoch:
    return static_cast<double>(progress.iteration) /
           (count * static_cast<double>(progress.batchesPerEpoch));
  case desc::Unit::Iteration:
    return static_cast<double>(progress.iteration) / count;
  case desc::Unit::Second:
    return progress.elapsed / count;
  }
  return 0;
}

bool Trigger::fires(const Progress &before, const Progress &now) const {
  return std::floor(periods(now)) > std::floor(periods(before));
}

bool Trigger::reached(const Progress &now) const { return periods(now) >= 1; }

double Trigger::iterationsLeft(const Progress &now) const {
  double total = std::numeric_limits<double>::infinity();
  if (unit == desc::Unit::Epoch)
    total = std::ceil(count * static_cast<double>(now.batchesPerEpoch));
  else if (unit == desc::Unit::Iteration)
    total = std::ceil(count);
  return total - static_cast<double>(now.iteration);
}

} // namespace dpl::rt
