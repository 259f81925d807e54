//===- Data/SerialIterator.h - Batches made when asked for ------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_SERIALITERATOR_H
#define DPL_RUNTIME_DATA_SERIALITERATOR_H

#include "runtime/Data/BatchMaker.h"

namespace dpl::rt {

class SerialIterator final : public Iterator {
public:
  static Result<std::unique_ptr<Iterator>>
  create(std::shared_ptr<const Dataset> dataset, const IteratorConfig &config);

  Status start() override { return Status::success(); }
  Result<Batch> next() override;

protected:
  Status seek() override { return Status::success(); }

private:
  SerialIterator(std::shared_ptr<const Dataset> dataset,
                 const IteratorConfig &config, BatchMaker maker,
                 std::shared_ptr<BatchRing> ring);
  BatchMaker maker;
  std::shared_ptr<BatchRing> ring;
  uint64_t sequence = 0;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_SERIALITERATOR_H
