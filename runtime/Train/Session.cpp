//===- Session.cpp - Data, device and executor of a run -------------------===//

#include "runtime/Train/Session.h"

#include "runtime/Base/Log.h"
#include "runtime/Base/Text.h"
#include "runtime/Program/Initializer.h"
#include "runtime/Train/DataSpecs.h"

namespace dpl::rt {

const desc::ProgramSpec &chooseTrainProgram(const Description &description,
                                            UpdateMode mode) {
  const desc::TrainSpec &train = description.train;
  return *description.findProgram(mode == UpdateMode::Bucketed ? train.bucketed
                                                               : train.fused);
}

Status Session::openIterator(const desc::IteratorSpec &spec,
                             const DataPaths &paths) {
  if (iterators.count(spec.name))
    return Status::success();
  std::shared_ptr<const Dataset> &dataset = datasets[spec.dataset];
  if (!dataset) {
    DPL_LET(dataset, Dataset::open(
                         makeDatasetSpec(*description.findDataset(spec.dataset),
                                         config.options),
                         paths));
  }
  DPL_LET(auto iterator,
          makeIterator(dataset, makeIteratorConfig(spec, description, config)));
  iterators.emplace(spec.name, std::move(iterator));
  return Status::success();
}

/// Not wrong, but rarely what was meant.
static void warnOfLargeBatch(const Iterator &iterator) {
  int64_t batch = iterator.config().batch;
  const Dataset &data = iterator.dataset();
  if (batch > data.length())
    logWarning(concat("iterator `", iterator.config().name, "`: its batch of ",
                      batch, " is larger than data set `", data.name(),
                      "` with ", data.length(),
                      " samples, so that an epoch is one step; lower it with "
                      "--batch"));
}

/// The plan of every epoch is a function of the data set's length.
Status Session::goTo(const ResumePoint &start) {
  Iterator &data = *iterator(description.train.data);
  if (data.dataset().length() != start.length)
    return Status::error(
        Exit::Usage,
        concat("cannot resume from `", start.snapshot, "`: data set `",
               data.dataset().name(), "` had ", start.length,
               " samples there and has ", data.dataset().length(),
               " now; give the same data, or train into another folder with "
               "--out"));
  return data.setPosition(start.next);
}

Status Session::openData(bool forTraining,
                         const std::optional<ResumePoint> &start) {
  DataPaths paths(config.dataRoot);
  std::vector<std::string> names;
  for (const desc::DatasetSpec &dataset : description.datasets)
    names.push_back(dataset.name);
  for (const std::string &flag : config.data)
    DPL_TRY(paths.addFlag(flag, names));

  if (forTraining) {
    DPL_TRY(
        openIterator(*description.findIterator(description.train.data), paths));
    if (start)
      DPL_TRY(goTo(*start));
  }
  for (const desc::EvaluateSpec &evaluate : description.train.evaluate)
    DPL_TRY(openIterator(*description.findIterator(evaluate.iterator), paths));
  for (auto &[name, iterator] : iterators)
    DPL_TRY(iterator->start());
  if (forTraining)
    warnOfLargeBatch(*iterator(description.train.data));
  return Status::success();
}

Result<std::unique_ptr<Session>>
Session::open(const dpl_program &program, const Description &description,
              const RunConfig &config, bool forTraining,
              const std::optional<ResumePoint> &start) {
  std::unique_ptr<Session> session(new Session(description, config));
  session->trainProgram_ = &chooseTrainProgram(description, config.update);
  DPL_TRY(session->openData(forTraining, start));
  DPL_LET(session->device_, openDevice(config.device));
  session->programs.push_back(session->trainProgram_->name);
  for (const desc::EvaluateSpec &evaluate : description.train.evaluate)
    session->programs.push_back(evaluate.program);
  ExecutorOptions options;
  options.deterministic = config.deterministic;
  DPL_LET(session->executor_,
          Executor::create(program, description, session->programs,
                           *session->device_, options));
  initializeAll(description, config.seed, session->executor().parameters(),
                session->executor().states());
  return session;
}

Iterator *Session::iterator(std::string_view name) {
  auto found = iterators.find(name);
  return found == iterators.end() ? nullptr : found->second.get();
}

std::vector<Iterator *> Session::openIterators() {
  std::vector<Iterator *> opened;
  for (auto &[name, iterator] : iterators)
    opened.push_back(iterator.get());
  return opened;
}

const desc::ProgramSpec *Session::evalProgram(std::string_view iterator,
                                              size_t &index) const {
  const auto &evaluate = description.train.evaluate;
  for (size_t i = 0; i < evaluate.size(); ++i)
    if (evaluate[i].iterator == iterator) {
      index = trainProgramIndex + 1 + i;
      return description.findProgram(evaluate[i].program);
    }
  return nullptr;
}

StepBatch Session::stepBatch(size_t index, const Batch &batch) {
  fieldPointers.resize(batch.fieldCount());
  for (size_t f = 0; f < fieldPointers.size(); ++f)
    fieldPointers[f] = batch.field(f);
  sampleNumbers.clear();
  if (executor_->drawsRandom(index)) {
    const desc::ProgramSpec &program =
        *description.findProgram(programs[index]);
    EpochPlan plan = iterator(program.iterator)->plan(batch.epoch());
    for (int64_t i = 0; i < batch.samples(); ++i)
      sampleNumbers.push_back(plan.sample(batch.position().batch, i));
  }
  return {fieldPointers, batch.samples(), batch.samples(),
          sampleNumbers, config.seed,     batch.epoch()};
}

std::span<const ReportValue> Session::step(size_t index, const Batch &batch) {
  return executor_->run(index, stepBatch(index, batch));
}

} // namespace dpl::rt
