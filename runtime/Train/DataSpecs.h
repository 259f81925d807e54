//===- DataSpecs.h - From the description to Data ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_DATASPECS_H
#define DPL_RUNTIME_TRAIN_DATASPECS_H

#include "runtime/Data/Iterator.h"
#include "runtime/Train/RunConfig.h"

namespace dpl::rt {

/// The data set with options replaced by their values.
DatasetSpec makeDatasetSpec(const desc::DatasetSpec &spec,
                            const OptionValues &options);

/// The iterator as this run wants it: seed, workers and, for the iterator of
/// training, the batch come from `config`. The tile is a common multiple of
/// those of all programs that read the iterator.
IteratorConfig makeIteratorConfig(const desc::IteratorSpec &spec,
                                  const Description &description,
                                  const RunConfig &config);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_DATASPECS_H
