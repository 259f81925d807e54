//===- Data/Iterator.cpp - What all iterators share -----------------------===//

#include "runtime/Data/Iterator.h"

#include "runtime/Base/Text.h"
#include "runtime/Data/BatchRing.h"
#include "runtime/Data/SerialIterator.h"
#include "runtime/Data/WorkerIterator.h"

using namespace dpl::rt;

Batch::~Batch() {
  if (ring)
    ring->release(slot);
}

void Batch::swap(Batch &other) noexcept {
  std::swap(fields, other.fields);
  std::swap(samples_, other.samples_);
  std::swap(capacity_, other.capacity_);
  std::swap(position_, other.position_);
  std::swap(lastOfEpoch_, other.lastOfEpoch_);
  std::swap(epochDetail_, other.epochDetail_);
  std::swap(ring, other.ring);
  std::swap(slot, other.slot);
}

Result<IteratorKind> dpl::rt::parseIteratorKind(std::string_view text) {
  if (text == "serial")
    return IteratorKind::Serial;
  if (text == "threads")
    return IteratorKind::Threads;
  if (text == "multiprocess")
    return IteratorKind::Multiprocess;
  return Status::error(
      Exit::Usage,
      concat("the kind of iterator is `", text,
             "`, but must be `serial`, `threads` or `multiprocess`"));
}

int64_t Iterator::batchesPerEpoch() const {
  return EpochPlan::batchesOf(dataset_->length(), config_.batch, config_.last);
}

EpochPlan Iterator::plan(int64_t epoch) const {
  return {dataset_->length(), config_.batch, config_.seed, epoch,
          config_.shuffle,    config_.last};
}

Status Iterator::setPosition(Position position) {
  DPL_TRY(failed.copy());
  if (position.epoch < 0 || position.batch < 0 ||
      position.batch >= batchesPerEpoch())
    return Status::error(Exit::Runtime,
                         concat("iterator `", config_.name,
                                "` cannot go to batch ", position.batch,
                                " of epoch ", position.epoch, "; an epoch has ",
                                batchesPerEpoch(), " batches"));
  position_ = position;
  first = position.epoch;
  return seek();
}

Batch Iterator::take(std::shared_ptr<BatchRing> ring, size_t slot) {
  const int64_t batches = batchesPerEpoch();
  ring->slot(slot).state.store(SlotState::Leased);
  Batch batch;
  batch.fields = ring->fields(slot);
  batch.capacity_ = ring->capacity();
  batch.samples_ = plan(position_.epoch).samplesOf(position_.batch);
  batch.position_ = position_;
  batch.lastOfEpoch_ = position_.batch + 1 == batches;
  batch.epochDetail_ =
      static_cast<double>(position_.epoch) +
      static_cast<double>(position_.batch + 1) / static_cast<double>(batches);
  batch.ring = std::move(ring);
  batch.slot = slot;
  position_ = batch.lastOfEpoch_
                  ? Position{position_.epoch + 1, 0}
                  : Position{position_.epoch, position_.batch + 1};
  return batch;
}

Status Iterator::checkNext() const {
  DPL_TRY(failed.copy());
  if (atEnd())
    return Status::error(
        Exit::Runtime,
        concat("iterator `", config_.name, "` is at its end; reset it first"));
  return Status::success();
}

Status Iterator::fail(Status status) {
  failed = std::move(status).within(
      concat("iterator `", config_.name, "` cannot give batch ",
             position_.batch, " of epoch ", position_.epoch));
  return failed.copy();
}

Status Iterator::stillKept() const {
  return Status::error(Exit::Runtime,
                       concat("iterator `", config_.name, "`: more than ",
                              keptBatches, " of its batches are kept"));
}

/// The sizes that a command line or a file can get wrong.
static Status checkConfig(const Dataset &dataset,
                          const IteratorConfig &config) {
  const auto atLeast = [&](const char *what, double value, double least) {
    if (value >= least)
      return Status::success();
    return Status::error(Exit::Usage, concat("`", what, "` is ", value,
                                             ", but must be at least ", least));
  };
  DPL_TRY(atLeast("batch", static_cast<double>(config.batch), 1));
  DPL_TRY(atLeast("tile", static_cast<double>(config.tile), 1));
  DPL_TRY(atLeast("workers", config.workers, 1));
  DPL_TRY(atLeast("prefetch", config.prefetch, 1));
  DPL_TRY(atLeast("timeout", config.timeout, 0));
  if (EpochPlan::batchesOf(dataset.length(), config.batch, config.last) == 0)
    return Status::error(
        Exit::Data,
        concat("data set `", dataset.name(), "` has ", dataset.length(),
               " samples, fewer than the batch of ", config.batch,
               ", so that `last: drop` leaves no batch; lower the batch or use "
               "`last: keep`"));
  return Status::success();
}

Result<std::unique_ptr<Iterator>>
dpl::rt::makeIterator(std::shared_ptr<const Dataset> dataset,
                      const IteratorConfig &config) {
  Status status = checkConfig(*dataset, config);
  if (!status.ok())
    return std::move(status).within(
        concat("iterator `", config.name, "` cannot be made"));
  if (config.kind == IteratorKind::Serial)
    return SerialIterator::create(std::move(dataset), config);
  return WorkerIterator::create(std::move(dataset), config);
}
