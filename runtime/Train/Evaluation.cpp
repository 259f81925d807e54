//===- Evaluation.cpp - One pass over an iterator -------------------------===//

#include "runtime/Train/Evaluation.h"

namespace dpl::rt {

Result<EvaluationResult> evaluate(Session &session, const std::string &name) {
  size_t index = 0;
  EvaluationResult result;
  result.program = session.evalProgram(name, index);
  Iterator *iterator = session.iterator(name);
  if (!result.program || !iterator)
    return Status::error(Exit::Runtime,
                         "iterator `" + name + "` has no evaluation program");
  ReportSums sums(result.program->reports.size());
  for (int64_t left = iterator->batchesPerEpoch(); left > 0; --left) {
    DPL_LET(Batch batch, iterator->next());
    sums.add(session.step(index, batch));
    result.samples += batch.samples();
  }
  DPL_TRY(iterator->reset());
  result.totals = sums.values();
  return result;
}

} // namespace dpl::rt
