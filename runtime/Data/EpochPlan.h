//===- Data/EpochPlan.h - Which sample is where in an epoch -----*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_EPOCHPLAN_H
#define DPL_RUNTIME_DATA_EPOCHPLAN_H

#include "runtime/Base/Random.h"
#include "runtime/Base/Status.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace dpl::rt {

/// A bijection of [0, length) that is computed for one place alone, in
/// constant memory: a Feistel network over the smallest power of two that
/// holds the length (and 256), walked along its cycle until it is in range
/// (Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002; for
/// shuffles Mitchell, Stokes, Frank, Holmes, "Bandwidth-optimal random
/// shuffling for GPUs", 2022). Integer operations only, so every device
/// computes the same.
class EpochOrder {
public:
  /// `length` >= 1.
  EpochOrder(int64_t length, RandomKey key);
  int64_t operator()(int64_t place) const;

private:
  static constexpr int rounds = 8;
  uint64_t permute(uint64_t x) const;
  uint64_t length;
  int leftBits, rightBits;
  std::array<uint64_t, rounds> keys;
};

/// What happens to the samples that do not fill the last batch of an epoch.
enum class LastBatch {
  Keep, ///< a short batch
  Drop, ///< they are left out of this epoch
  Wrap  ///< the batch is filled with the first samples of the same epoch
};

/// `keep`, `drop` or `wrap`; anything else is Exit::Usage.
Result<LastBatch> parseLastBatch(std::string_view text);

/// The plan of one epoch: a pure function of its arguments.
class EpochPlan {
public:
  /// `length` and `batch` >= 1. Without `shuffle` the order is 0, 1, 2, ..
  EpochPlan(int64_t length, int64_t batch, uint64_t seed, int64_t epoch,
            bool shuffle, LastBatch last);
  /// Batches of every epoch of such a plan.
  static int64_t batchesOf(int64_t length, int64_t batch, LastBatch last);
  int64_t batches() const { return batchesOf(length, batch, last); }
  /// True samples of the batch `number` of 0 .. batches() - 1.
  int64_t samplesOf(int64_t number) const;
  /// The sample at `place` of 0 .. samplesOf(number) - 1.
  int64_t sample(int64_t number, int64_t place) const;

private:
  EpochOrder order;
  int64_t length, batch;
  bool shuffle;
  LastBatch last;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_EPOCHPLAN_H
