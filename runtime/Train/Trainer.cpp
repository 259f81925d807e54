//===- Trainer.cpp - The training loop ------------------------------------===//

#include "runtime/Train/Trainer.h"

#include "runtime/Base/Log.h"
#include "runtime/Base/Text.h"
#include "runtime/Train/BadStep.h"
#include "runtime/Train/TrainerSnapshot.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>

namespace dpl::rt {

Trainer::Trainer(Session &session)
    : session_(session), optionNumbers(session.config.options.numbers()),
      iterator(session.iterator(session.description.train.data)),
      history(session), next(iterator->position()) {
  now.batchesPerEpoch = iterator->batchesPerEpoch();
}

/// Only an option can be a count that is not positive.
static Status checkCount(const char *entry, const desc::Value &count,
                         const Trigger &trigger) {
  if (trigger.count > 0)
    return Status::success();
  return Status::error(Exit::Usage,
                       concat("`", entry, "` needs a positive count, found ",
                              durationText(trigger.count, trigger.unit),
                              "; give --", valueText(count), " another value"));
}

Status Trainer::makeBlock(const desc::EverySpec &spec) {
  const OptionValues &options = session_.config.options;
  Block block{{options.count(spec.count), spec.unit},
              {},
              {},
              ReportSums(session_.trainProgram().reports.size()),
              {}};
  DPL_TRY(checkCount("every", spec.count, block.trigger));
  for (const desc::ActionSpec &action : spec.actions) {
    DPL_LET(auto extension,
            makeExtension(action, session_.description, options));
    block.names.push_back(action.name);
    block.extensions.push_back(std::move(extension));
  }
  blocks_.push_back(std::move(block));
  return Status::success();
}

Status Trainer::setup() {
  const desc::TrainSpec &spec = session_.description.train;
  const RunConfig &config = session_.config;
  if (config.epochs)
    stop_ = {*config.epochs, desc::Unit::Epoch};
  else
    stop_ = {config.options.count(spec.stopCount), spec.stopUnit};
  DPL_TRY(checkCount("stop", spec.stopCount, stop_));
  for (const desc::EverySpec &every : spec.every)
    DPL_TRY(makeBlock(every));
  return Status::success();
}

Status Trainer::restore(const SnapshotContent &snapshot) {
  TrainerPosition position;
  DPL_TRY(restoreTrainer(snapshot, session_, blocks_, *this, position));
  now.iteration = position.iteration;
  now.epochDetail = position.epochDetail;
  now.elapsed = position.elapsed;
  next = position.next;
  samples = position.samples;
  elapsedBefore = position.elapsed;
  lastSnapshot = snapshot.path;
  return Status::success();
}

bool Trainer::stops() const {
  const std::optional<int64_t> &most = session_.config.maxIterations;
  return stop_.reached(now) || (most && now.iteration >= *most);
}

double Trainer::iterationsLeft() const {
  double left = stop_.iterationsLeft(now);
  if (const auto &most = session_.config.maxIterations)
    left = std::min(left, static_cast<double>(*most - now.iteration));
  return left;
}

TrainingTime Trainer::time() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  auto perEpoch = static_cast<double>(now.batchesPerEpoch);
  TrainingTime time;
  time.epoch = now.epochDetail;
  time.iteration = static_cast<double>(now.iteration);
  time.second = now.elapsed;
  time.endEpoch = time.endIteration = time.endSecond = never;
  switch (stop_.unit) {
  case desc::Unit::Epoch:
    time.endEpoch = stop_.count;
    time.endIteration = std::ceil(stop_.count * perEpoch);
    break;
  case desc::Unit::Iteration:
    time.endIteration = stop_.count;
    time.endEpoch = stop_.count / perEpoch;
    break;
  case desc::Unit::Second:
    time.endSecond = stop_.count;
    break;
  }
  return time;
}

std::string Trainer::lastSnapshotText() const {
  return lastSnapshot.empty()
             ? "no snapshot was written"
             : "the last good snapshot is `" + lastSnapshot + "`";
}

Status Trainer::diverged(std::string what, Position bad) {
  std::string place =
      concat(" at iteration ", now.iteration, ", epoch ", now.epoch() + 1);
  now = before;
  wantedSnapshot.reset();
  Status undone = history.undo(*iterator);
  if (!undone.ok())
    return std::move(undone)
        .as(Exit::Diverged)
        .within(what + place + "; " + lastSnapshotText() +
                ", the weights since then are lost");
  DPL_LET(Batch batch, iterator->next());
  next = bad;
  std::string text = what + place + explainBadStep(session_, *iterator, batch);
  Status saved = now.iteration > 0 && !isSaved() ? writeSnapshot(0) : Status();
  text += "; " + lastSnapshotText();
  if (!saved.ok())
    return std::move(saved).as(Exit::Diverged).within(std::move(text));
  return Status::error(Exit::Diverged, std::move(text));
}

Result<bool> Trainer::iterate() {
  session_.executor().computeSettings(optionNumbers, time());
  history.begin(*iterator);
  std::string bad;
  Position position = iterator->position();
  {
    Result<Batch> batch = iterator->next();
    if (!batch.ok() && batch.status().category() == Exit::StoppedResumable)
      return false;
    if (!batch.ok())
      return batch.takeStatus();
    std::span<const ReportValue> reports =
        session_.step(Session::trainProgramIndex, *batch);
    before = now;
    ++now.iteration;
    now.epochDetail = batch->epochDetail();
    now.elapsed = elapsed();
    bad = findNonFinite(session_, reports);
    if (bad.empty()) {
      samples += batch->samples();
      for (Block &block : blocks_)
        block.sums.add(reports);
    }
  }
  if (!bad.empty())
    return diverged(std::move(bad), position);
  next = iterator->position();
  std::vector<Block *> due;
  for (Block &block : blocks_)
    if (block.trigger.fires(before, now))
      due.push_back(&block);
  DPL_TRY(runBlocks(*this, blocks_, due));
  return true;
}

void Trainer::requestSnapshot(int64_t keep) {
  keepCount = keep;
  if (wantedSnapshot && (*wantedSnapshot == 0 || keep == 0))
    wantedSnapshot = 0;
  else
    wantedSnapshot = std::max(wantedSnapshot.value_or(0), keep);
}

Status Trainer::writeSnapshot(int64_t keep) {
  for (TensorSet *set :
       {&session_.executor().parameters(), &session_.executor().states()})
    if (const Tensor *tensor = set->findNonFinite())
      return Status::error(Exit::Diverged,
                           concat("`", tensor->name,
                                  "` holds a value that is not finite after "
                                  "iteration ",
                                  now.iteration, "; ", lastSnapshotText()));
  TrainerPosition position;
  position.iteration = now.iteration;
  position.samples = samples;
  position.epochDetail = now.epochDetail;
  position.elapsed = elapsed();
  position.next = next;
  position.length = iterator->dataset().length();
  std::span<const float> settings = session_.executor().settings();
  position.settings.assign(settings.begin(), settings.end());
  const std::string &folder = session_.config.out;
  DPL_TRY(dpl::rt::writeSnapshot(folder, now.iteration,
                                 snapshotFiles(session_, blocks_, position)));
  lastSnapshot = snapshotPath(folder, now.iteration);
  if (keep > 0)
    pruneSnapshots(folder, now.iteration, keep);
  return Status::success();
}

bool Trainer::isSaved() const {
  return lastSnapshot == snapshotPath(session_.config.out, now.iteration);
}

Result<std::optional<int>> Trainer::endIteration() {
  SignalRequest request = SignalHandlers::take();
  bool ends = request.stopSignal != 0 || stops();
  bool asked = request.snapshot || request.stopSignal != 0;
  if (wantedSnapshot || asked) {
    Status written = writeSnapshot(asked ? 0 : *wantedSnapshot);
    wantedSnapshot.reset();
    if (!written.ok()) {
      if (ends || written.category() == Exit::Diverged)
        return written;
      logWarning(written.text() + "; training goes on");
    } else if (asked) {
      console_.note("snapshot `" + lastSnapshot + "`");
    }
  }
  if (request.stopSignal == 0)
    return std::optional<int>();
  return std::optional<int>(request.stopSignal == SIGUSR2
                                ? static_cast<int>(Exit::StoppedResumable)
                                : exitOfSignal(request.stopSignal));
}

Status Trainer::finish() {
  console_.clearBar();
  // The snapshot comes first: a run that goes on from it has the same rows as
  // one that never stopped here.
  Status saved = isSaved() ? Status() : writeSnapshot(keepCount);
  std::vector<Block *> due;
  for (Block &block : blocks_)
    if (block.lastRun != now.iteration)
      due.push_back(&block);
  DPL_TRY(runBlocks(*this, blocks_, due));
  for (Block &block : blocks_)
    for (auto &extension : block.extensions) {
      Status finished = extension->finish(*this);
      if (saved.ok())
        saved = std::move(finished);
    }
  return saved;
}

Result<int> Trainer::train() {
  SignalHandlers handlers;
  for (Iterator *used : session_.openIterators())
    used->interruptWhen(SignalHandlers::stopIsOverdue);
  watch.restart();
  while (!stops()) {
    if (iterator->atEnd()) {
      logWarning("iterator `" + iterator->config().name +
                 "` is at its end and does not repeat: training stops after "
                 "iteration " +
                 std::to_string(now.iteration));
      break;
    }
    Result<bool> iterated = iterate();
    if (!iterated.ok()) {
      console_.clearBar();
      return iterated.takeStatus();
    }
    DPL_LET(std::optional<int> code, endIteration());
    if (code) {
      console_.clearBar();
      return *code;
    }
  }
  DPL_TRY(finish());
  return static_cast<int>(Exit::Done);
}

} // namespace dpl::rt
