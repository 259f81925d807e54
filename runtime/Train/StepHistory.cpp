//===- StepHistory.cpp - The way back before a step -----------------------===//

#include "runtime/Train/StepHistory.h"

#include <algorithm>

namespace dpl::rt {

void WeightsCopy::take(Executor &executor) {
  auto keep = [](std::span<const float> from, std::vector<float> &to) {
    to.assign(from.begin(), from.end());
  };
  keep(executor.parameters().all(), parameters);
  keep(executor.states().all(), states);
}

void WeightsCopy::putBack(Executor &executor) const {
  std::copy(parameters.begin(), parameters.end(),
            executor.parameters().all().begin());
  std::copy(states.begin(), states.end(), executor.states().all().begin());
}

StepHistory::StepHistory(Session &session) : session(session) {}

void StepHistory::begin(const Iterator &iterator) {
  if (steps == 0 || steps == interval) {
    copy.take(session.executor());
    start = iterator.position();
    steps = 0;
    settings.clear();
  }
  std::span<const float> now = session.executor().settings();
  settings.insert(settings.end(), now.begin(), now.end());
  ++steps;
}

Status StepHistory::undo(Iterator &iterator) {
  Executor &executor = session.executor();
  size_t each = executor.settings().size();
  auto setSettings = [&](size_t step) {
    executor.setSettings(std::span(settings).subspan(step * each, each));
  };
  copy.putBack(executor);
  DPL_TRY(iterator.setPosition(start));
  for (size_t step = 0; step + 1 < steps; ++step) {
    setSettings(step);
    DPL_LET(Batch batch, iterator.next());
    session.step(Session::trainProgramIndex, batch);
  }
  setSettings(steps - 1);
  return Status::success();
}

} // namespace dpl::rt
