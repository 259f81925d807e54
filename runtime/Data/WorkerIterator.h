//===- Data/WorkerIterator.h - Batches made ahead ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_WORKERITERATOR_H
#define DPL_RUNTIME_DATA_WORKERITERATOR_H

#include "runtime/Data/Workers.h"

namespace dpl::rt {

/// The iterators `threads` and `multiprocess`; they differ in their Workers.
class WorkerIterator final : public Iterator {
public:
  static Result<std::unique_ptr<Iterator>>
  create(std::shared_ptr<const Dataset> dataset, const IteratorConfig &config);

  Status start() override;
  Result<Batch> next() override;

protected:
  Status seek() override;

private:
  WorkerIterator(std::shared_ptr<const Dataset> dataset,
                 const IteratorConfig &config, std::shared_ptr<BatchRing> ring);
  /// Waits until `condition` while worker `worker` makes progress.
  template <typename Condition>
  Status await(size_t worker, Condition condition);
  Status stuck(size_t worker) const;
  /// Tells the workers to begin at the present position.
  Status command();

  std::shared_ptr<BatchRing> ring;
  std::unique_ptr<Workers> workers; ///< null before start
  uint64_t sequence = 0;            ///< of the next batch
  uint64_t commandSequence = 0;     ///< of the command's first batch
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_WORKERITERATOR_H
