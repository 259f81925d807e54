//===- Data/WorkerIterator.cpp - Batches made ahead -----------------------===//

#include "runtime/Data/WorkerIterator.h"

#include "runtime/Base/Clock.h"
#include "runtime/Base/Text.h"

using namespace dpl::rt;

WorkerIterator::WorkerIterator(std::shared_ptr<const Dataset> dataset,
                               const IteratorConfig &config,
                               std::shared_ptr<BatchRing> ring)
    : Iterator(std::move(dataset), config), ring(std::move(ring)) {}

Result<std::unique_ptr<Iterator>>
WorkerIterator::create(std::shared_ptr<const Dataset> dataset,
                       const IteratorConfig &config) {
  const auto workers = static_cast<size_t>(config.workers);
  const size_t slots =
      workers * static_cast<size_t>(config.prefetch) + keptBatches;
  DPL_LET(std::shared_ptr<BatchRing> ring,
          BatchRing::create(dataset->fields(),
                            roundUp(config.batch, config.tile), slots, workers,
                            config.kind == IteratorKind::Multiprocess));
  return std::unique_ptr<Iterator>(
      new WorkerIterator(std::move(dataset), config, std::move(ring)));
}

Status WorkerIterator::start() {
  if (workers)
    return Status::success();
  Result<std::unique_ptr<Workers>> started =
      config_.kind == IteratorKind::Multiprocess
          ? startProcesses(dataset_, config_, ring, batchesPerEpoch())
          : startThreads(dataset_, config_, ring, batchesPerEpoch());
  if (!started.ok())
    return fail(started.takeStatus());
  workers = started.take();
  return command();
}

/// Nothing may be in the making when slots change their meaning, so every
/// worker has to have seen the command first.
Status WorkerIterator::command() {
  CommandHeader &header = ring->command();
  const uint32_t number = header.announced.load() + 1;
  header.announced.store(number);
  header.forWorkers.notify();
  for (size_t w = 0; w < workers->count(); ++w)
    DPL_TRY(await(w, [&] { return ring->worker(w).seen.load() == number; }));
  ring->restart(sequence);
  header.position = position_;
  header.sequence = commandSequence = sequence;
  header.valid.store(number);
  header.forWorkers.notify();
  return Status::success();
}

Status WorkerIterator::seek() {
  return workers ? command() : Status::success();
}

Status WorkerIterator::stuck(size_t worker) const {
  const int64_t sample = ring->worker(worker).sample.load();
  const std::string limit = concat(
      config_.timeout, " s (the timeout of iterator `", config_.name, "`)");
  if (sample < 0)
    return Status::error(Exit::Runtime, concat("data worker ", worker, " ",
                                               workers->describe(worker),
                                               "did not react for ", limit));
  return Status::error(Exit::Runtime,
                       concat("data worker ", worker, " ",
                              workers->describe(worker), "reads sample ",
                              sample, " of data set `", dataset_->name(),
                              "` for more than ", limit,
                              "; look at that sample, or raise the timeout"));
}

template <typename Condition>
Status WorkerIterator::await(size_t worker, Condition condition) {
  constexpr int64_t pause = 100'000'000;
  uint64_t progress = ring->worker(worker).progress.load();
  Stopwatch unchanged;
  while (true) {
    const uint32_t key = ring->command().forUser.key();
    if (condition())
      return Status::success();
    if (Status status = workers->check(); !status.ok())
      return fail(std::move(status));
    if (interrupted && interrupted()) {
      workers->abandon();
      return Status::error(Exit::StoppedResumable,
                           concat("data worker ", worker, " ",
                                  workers->describe(worker),
                                  "has not made batch ", position_.batch,
                                  " of epoch ", position_.epoch));
    }
    const uint64_t now = ring->worker(worker).progress.load();
    if (now != progress) {
      progress = now;
      unchanged.restart();
    }
    if (config_.timeout > 0 && unchanged.seconds() > config_.timeout) {
      workers->abandon();
      return fail(stuck(worker));
    }
    ring->command().forUser.wait(key, pause);
  }
}

Result<Batch> WorkerIterator::next() {
  DPL_TRY(checkNext());
  DPL_TRY(start());
  if (Status status = workers->check(); !status.ok())
    return fail(std::move(status));
  const size_t slot = sequence % ring->slots();
  SlotHeader &header = ring->slot(slot);
  if (header.state.load() == SlotState::Leased)
    return stillKept();
  const size_t worker = (sequence - commandSequence) % workers->count();
  DPL_TRY(
      await(worker, [&] { return header.state.load() != SlotState::Empty; }));
  if (header.state.load() == SlotState::Failed)
    return fail(ring->failure(slot));
  ++sequence;
  return take(ring, slot);
}
