//===- BadStep.h - What went wrong in a step --------------------*- C++ -*-===//
//
// Whether a step gave a loss or weights that are not finite, and where that
// began. A compiled step shows no values between layers, so the search asks it
// questions: with the parameters of all layers behind one set to zero, the loss
// is finite exactly if what reaches them is; and a sample alone makes a batch.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_BADSTEP_H
#define DPL_RUNTIME_TRAIN_BADSTEP_H

#include "runtime/Train/Session.h"

#include <string>

namespace dpl::rt {

/// What a training step left behind that is not finite: ``main/loss` is nan`,
/// or a parameter with its layer. Empty after a good step.
std::string findNonFinite(Session &session,
                          std::span<const ReportValue> reports);

/// Where it comes from, as clauses that begin with `; `: the first layer
/// whose output is not finite, and the samples. The weights and settings of
/// `session` have to be those before the bad step, and are so afterwards;
/// `batch` is that of the step.
std::string explainBadStep(Session &session, const Iterator &iterator,
                           const Batch &batch);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_BADSTEP_H
