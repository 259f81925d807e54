//===- Data/SerialIterator.cpp - Batches made when asked for --------------===//

#include "runtime/Data/SerialIterator.h"

#include "runtime/Base/Text.h"

using namespace dpl::rt;

SerialIterator::SerialIterator(std::shared_ptr<const Dataset> dataset,
                               const IteratorConfig &config, BatchMaker maker,
                               std::shared_ptr<BatchRing> ring)
    : Iterator(std::move(dataset), config), maker(std::move(maker)),
      ring(std::move(ring)) {}

Result<std::unique_ptr<Iterator>>
SerialIterator::create(std::shared_ptr<const Dataset> dataset,
                       const IteratorConfig &config) {
  DPL_LET(BatchMaker maker, BatchMaker::create(dataset, config));
  DPL_LET(std::shared_ptr<BatchRing> ring,
          BatchRing::create(dataset->fields(),
                            roundUp(config.batch, config.tile), keptBatches, 0,
                            false));
  return std::unique_ptr<Iterator>(new SerialIterator(
      std::move(dataset), config, std::move(maker), std::move(ring)));
}

Result<Batch> SerialIterator::next() {
  DPL_TRY(checkNext());
  const size_t slot = sequence % ring->slots();
  if (ring->slot(slot).state.load() == SlotState::Leased)
    return stillKept();
  Result<bool> made =
      maker.make(position_, ring->fields(slot), nullptr, [] { return false; });
  if (!made.ok())
    return fail(made.takeStatus());
  ++sequence;
  return take(ring, slot);
}
