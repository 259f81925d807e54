//===- Check.h - Machine code against the reference -------------*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_CHECK_H
#define DPL_TEST_RANDOM_CHECK_H

#include "test/Random/Expectation.h"

namespace dpl::test {

struct Verdict {
  enum Kind { Good, NoReference, NoCode, NotRun, OtherValue, OtherBits };
  Kind kind = Good;
  std::string failure;             ///< what is wrong, unless it is Good
  int64_t compared = 0, loose = 0; ///< see Agreement
};

/// Compiles the steps of a module behind Import, in one form or both, and runs
/// each of their programs for two batches, on one and two threads,
/// deterministic and not. Reports, parameters and states must be those of the
/// reference evaluator up to rounding; deterministic runs must have the same
/// bits whatever the number of threads, and the two forms of a training step,
/// too. `seed` decides values, tiles, blocks and the CPU that is compiled for.
Verdict checkCompiled(mlir::ModuleOp module, uint64_t seed);

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_CHECK_H
