//===- Trigger.h - When a block runs and when training stops ----*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_TRIGGER_H
#define DPL_RUNTIME_TRAIN_TRIGGER_H

#include "runtime/Program/Description.h"

#include <cstdint>

namespace dpl::rt {

/// How far training is. Batches are those of the training iterator, one for
/// each iteration.
struct Progress {
  int64_t iteration = 0; ///< done
  int64_t batchesPerEpoch = 1;
  double elapsed = 0;     ///< seconds of training, over all resumes
  double epochDetail = 0; ///< epochs done, with the fraction

  /// Whole epochs done.
  int64_t epoch() const { return iteration / batchesPerEpoch; }
};

/// Every so many epochs, iterations or seconds. Has no state, so that it
/// continues after a resume by itself.
struct Trigger {
  double count = 1; ///< positive
  desc::Unit unit = desc::Unit::Epoch;

  /// Whether a multiple of `count` was reached or passed on the way from
  /// `before` to `now`, which is one iteration later.
  bool fires(const Progress &before, const Progress &now) const;
  /// Whether `count` itself is reached, as for `stop`.
  bool reached(const Progress &now) const;
  /// Iterations until `count` at `now`, infinite for seconds.
  double iterationsLeft(const Progress &now) const;

private:
  double periods(const Progress &progress) const;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_TRIGGER_H
