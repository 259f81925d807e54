//===- CountedRandom.h - Random numbers of training steps -------*- C++ -*-===//
//
// The definition that kernels and runtime follow, once more and in f64, so
// that the evaluator draws what a trainer draws.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_REFERENCE_COUNTEDRANDOM_H
#define DPL_REFERENCE_COUNTEDRANDOM_H

#include "compiler/Reference/Tensor.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace dpl::reference {

/// What random numbers count with, beside their call path and place.
struct Counters {
  uint64_t seed = 0, epoch = 0;
  /// Number in its data set of each sample of the batch; sample i of the batch
  /// has the number i where this is too short.
  std::vector<int64_t> samples;

  int64_t sampleNumber(int64_t i) const {
    return i < (int64_t)samples.size() ? samples[i] : i;
  }
};

/// The two words of a call's key; see dpl.random_key. The training step has no
/// name.
std::array<uint32_t, 2> randomKey(const Counters &counters,
                                  llvm::StringRef path);

/// See dpl.random.
Tensor random(RandomOp op, const Tensor &key0, const Tensor &key1,
              const Tensor &sample);

} // namespace dpl::reference

#endif // DPL_REFERENCE_COUNTEDRANDOM_H
