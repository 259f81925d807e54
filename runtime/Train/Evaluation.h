//===- Evaluation.h - One pass over an iterator -----------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_EVALUATION_H
#define DPL_RUNTIME_TRAIN_EVALUATION_H

#include "runtime/Train/Observation.h"
#include "runtime/Train/Session.h"

#include <string>
#include <vector>

namespace dpl::rt {

/// The result of one pass: totals over all samples, and how many there were.
struct EvaluationResult {
  const desc::ProgramSpec *program = nullptr;
  std::vector<ReportValue> totals; ///< order of the program's reports
  int64_t samples = 0;
};

/// Runs the evaluation program of the iterator over one epoch of it, from its
/// first batch on, each sample once. The iterator is at its start afterwards.
Result<EvaluationResult> evaluate(Session &session,
                                  const std::string &iterator);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_EVALUATION_H
