//===- StepHistory.h - The way back before a step ---------------*- C++ -*-===//
//
// A step changes weights in place, in the same pass that makes the gradient, so
// that it shows only afterwards that it was a bad one. A copy of the weights
// before each step would cost as much memory traffic as the update itself.
// Instead there is a copy every so many steps, and a note of what each step
// since then got besides weights and data. A step is a function of these, so
// doing them again gives the same bits: docs/design/0008-bad-steps.md.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_STEPHISTORY_H
#define DPL_RUNTIME_TRAIN_STEPHISTORY_H

#include "runtime/Train/Session.h"

#include <vector>

namespace dpl::rt {

/// Parameters and states of an executor, kept aside.
class WeightsCopy {
public:
  void take(Executor &executor);
  void putBack(Executor &executor) const;

private:
  std::vector<float> parameters, states;
};

class StepHistory {
public:
  /// `session` must outlive it.
  explicit StepHistory(Session &session);

  /// A training step is about to begin: its settings are computed, its batch is
  /// the next one of `iterator`.
  void begin(const Iterator &iterator);
  /// Undoes the step that begin was called for last: weights, states and
  /// settings are what they were then, and `iterator` gives its batch again.
  /// All batches of it have to be released. Fails where the data cannot be
  /// read again.
  Status undo(Iterator &iterator);

private:
  /// Steps between two copies: few enough to be done again in a moment, many
  /// enough for the copy not to be seen in the time of a step.
  static constexpr size_t interval = 64;

  Session &session;
  WeightsCopy copy;
  Position start; ///< of the batch of the first step since the copy
  size_t steps = 0;
  std::vector<float> settings; ///< of each step since the copy
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_STEPHISTORY_H
