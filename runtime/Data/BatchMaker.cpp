//===- Data/BatchMaker.cpp - Fills a slot with a batch --------------------===//

#include "runtime/Data/BatchMaker.h"

#include <algorithm>
#include <cstring>

using namespace dpl::rt;

Position dpl::rt::positionAfter(Position from, uint64_t steps,
                                int64_t batchesPerEpoch) {
  const int64_t batch = from.batch + static_cast<int64_t>(steps);
  return {from.epoch + batch / batchesPerEpoch, batch % batchesPerEpoch};
}

static EpochPlan makePlan(const Dataset &dataset, const IteratorConfig &config,
                          int64_t epoch) {
  return {dataset.length(), config.batch, config.seed, epoch,
          config.shuffle,   config.last};
}

BatchMaker::BatchMaker(std::shared_ptr<const Dataset> dataset,
                       const IteratorConfig &config, Dataset::Scratch scratch)
    : dataset(std::move(dataset)), config(config), scratch(std::move(scratch)),
      out(this->dataset->fields().size()),
      plan(makePlan(*this->dataset, config, 0)) {}

Result<BatchMaker> BatchMaker::create(std::shared_ptr<const Dataset> dataset,
                                      const IteratorConfig &config) {
  DPL_LET(Dataset::Scratch scratch, dataset->makeScratch());
  return BatchMaker(std::move(dataset), config, std::move(scratch));
}

Result<bool> BatchMaker::make(Position position,
                              std::span<std::byte *const> fields,
                              WorkerHeader *progress,
                              FunctionRef<bool()> interrupted) {
  if (position.epoch != epoch) {
    epoch = position.epoch;
    plan = makePlan(*dataset, config, epoch);
  }
  const RecordType &types = dataset->fields();
  std::copy(fields.begin(), fields.end(), out.begin());
  const int64_t samples = plan.samplesOf(position.batch);
  for (int64_t place = 0; place < samples; ++place) {
    if (interrupted())
      return false;
    const int64_t sample = plan.sample(position.batch, place);
    if (progress) {
      progress->sample.store(sample, std::memory_order_relaxed);
      progress->progress.fetch_add(1, std::memory_order_relaxed);
    }
    DPL_TRY(dataset->read(sample, out, scratch));
    for (size_t f = 0; f < out.size(); ++f)
      out[f] += types[f].bytes();
  }
  fillTail(samples, fields);
  return true;
}

void BatchMaker::fillTail(int64_t samples,
                          std::span<std::byte *const> fields) const {
  const int64_t places = roundUp(samples, config.tile);
  for (size_t f = 0; f < fields.size(); ++f) {
    const size_t bytes = dataset->fields()[f].bytes();
    std::byte *last = fields[f] + static_cast<size_t>(samples - 1) * bytes;
    for (int64_t i = 1; i <= places - samples; ++i)
      std::memcpy(last + static_cast<size_t>(i) * bytes, last, bytes);
  }
}

namespace {
/// One worker's side of the ring.
class Worker {
public:
  Worker(BatchMaker &maker, BatchRing &ring, size_t worker,
         const IteratorConfig &config, int64_t batchesPerEpoch,
         FunctionRef<bool()> alive)
      : maker(maker), ring(ring), command(ring.command()),
        header(ring.worker(worker)), worker(worker), config(config),
        batchesPerEpoch(batchesPerEpoch), alive(alive) {}

  void run() {
    while (awaitCommand())
      obey();
  }

private:
  bool interrupted() const {
    return command.announced.load(std::memory_order_relaxed) != seen ||
           command.stop.load(std::memory_order_relaxed);
  }

  /// Waits until `condition`; false when this worker has to end.
  template <typename Condition> bool await(Condition condition) {
    constexpr int64_t second = 1'000'000'000;
    while (true) {
      const uint32_t key = command.forWorkers.key();
      if (command.stop.load())
        return false;
      if (condition())
        return true;
      if (!alive())
        return false;
      command.forWorkers.wait(key, second);
    }
  }

  /// Says that the newest command is seen, and waits until it is valid.
  bool awaitCommand() {
    return await([&] {
      const uint32_t announced = command.announced.load();
      if (announced != header.seen.load()) {
        header.seen.store(announced);
        command.forUser.notify();
      }
      const bool news = announced != seen && command.valid.load() == announced;
      if (news)
        seen = announced;
      return news;
    });
  }

  /// Makes batches until the data end or another command comes.
  void obey() {
    for (uint64_t step = worker;;
         step += static_cast<uint64_t>(config.workers)) {
      const Position position =
          positionAfter(command.position, step, batchesPerEpoch);
      if (!config.repeat && position.epoch != command.position.epoch)
        return;
      const uint64_t sequence = command.sequence + step;
      const size_t slot = sequence % ring.slots();
      const auto mayGoOn = [&] {
        return interrupted() || ring.isTurnOf(sequence);
      };
      if (!await(mayGoOn) || interrupted())
        return;
      Result<bool> made = maker.make(position, ring.fields(slot), &header,
                                     [&] { return interrupted(); });
      header.sample.store(-1);
      if (made.ok() && !*made)
        return;
      ring.publish(slot, made.status());
      if (!made.ok())
        return;
    }
  }

  BatchMaker &maker;
  BatchRing &ring;
  CommandHeader &command;
  WorkerHeader &header;
  const size_t worker;
  const IteratorConfig &config;
  const int64_t batchesPerEpoch;
  FunctionRef<bool()> alive;
  uint32_t seen = 0;
};
} // namespace

void dpl::rt::runWorker(BatchMaker &maker, BatchRing &ring, size_t worker,
                        const IteratorConfig &config, int64_t batchesPerEpoch,
                        FunctionRef<bool()> alive) {
  Worker(maker, ring, worker, config, batchesPerEpoch, alive).run();
}
