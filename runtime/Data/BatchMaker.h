//===- Data/BatchMaker.h - Fills a slot with a batch ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_BATCHMAKER_H
#define DPL_RUNTIME_DATA_BATCHMAKER_H

#include "runtime/Base/FunctionRef.h"
#include "runtime/Data/BatchRing.h"

namespace dpl::rt {

/// The position `steps` batches behind `from`.
Position positionAfter(Position from, uint64_t steps, int64_t batchesPerEpoch);

/// Makes batches for one iterator; one for each thread that does so.
class BatchMaker {
public:
  static Result<BatchMaker> create(std::shared_ptr<const Dataset> dataset,
                                   const IteratorConfig &config);

  /// Reads the samples of the batch at `position` into `fields` and fills the
  /// tail. `progress`, when not null, says which sample is read. Returns false
  /// when `interrupted` became true, which is asked before each sample.
  Result<bool> make(Position position, std::span<std::byte *const> fields,
                    WorkerHeader *progress, FunctionRef<bool()> interrupted);

private:
  BatchMaker(std::shared_ptr<const Dataset> dataset,
             const IteratorConfig &config, Dataset::Scratch scratch);
  void fillTail(int64_t samples, std::span<std::byte *const> fields) const;

  std::shared_ptr<const Dataset> dataset;
  IteratorConfig config;
  Dataset::Scratch scratch;
  std::vector<std::byte *> out;
  int64_t epoch = 0;
  EpochPlan plan; ///< of `epoch`
};

/// What a worker thread or process does until it is told to stop: it makes the
/// batches `worker`, `worker` + `workers`, .. counted from the command's first
/// one. `alive` is asked about once a second while it waits.
void runWorker(BatchMaker &maker, BatchRing &ring, size_t worker,
               const IteratorConfig &config, int64_t batchesPerEpoch,
               FunctionRef<bool()> alive);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_BATCHMAKER_H
