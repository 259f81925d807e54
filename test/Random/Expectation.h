//===- Expectation.h - What a program should compute ------------*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_EXPECTATION_H
#define DPL_TEST_RANDOM_EXPECTATION_H

#include "compiler/Reference/Random.h"
#include "test/Random/CompiledProgram.h"

#include "mlir/IR/OwningOpRef.h"

namespace dpl::test {

/// The oracle of one module behind Import: its steps, differentiated without
/// any simplification and evaluated in f64, on random parameters and batches
/// of numbers that f32 can hold.
class Oracle {
public:
  /// Null, with the reason in `error`, if the module cannot be differentiated
  /// or evaluated.
  static std::unique_ptr<Oracle> make(mlir::ModuleOp module, uint64_t seed,
                                      std::string &error);

  /// Parameters, states and settings before the first step.
  const reference::Store &start() const { return begin; }

  /// Batches for the step `name`: a full one and one with a tail, or fewer
  /// samples than that.
  std::vector<Batch> batchesFor(llvm::StringRef name);

  /// Runs the step `name` once for each batch, exactly and with `runs` sets of
  /// rounding errors of `strength`.
  struct Outcome {
    reference::Store exact;
    std::vector<reference::Store> strayed;
  };
  mlir::FailureOr<Outcome> evaluate(llvm::StringRef name,
                                    llvm::ArrayRef<Batch> batches, int runs,
                                    double strength);

private:
  Oracle(mlir::ModuleOp module, uint64_t seed);
  mlir::LogicalResult run(llvm::StringRef name, llvm::ArrayRef<Batch> batches,
                          reference::Evaluator::Observer observer,
                          reference::Store &store);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  reference::Random random;
  reference::Store begin;
};

/// How a computed outcome compares with what it should be.
struct Agreement {
  /// The first difference that rounding to f32 does not explain; empty if all
  /// is explained.
  std::string difference;
  /// Tensors and reports that were compared, and those of them whose tolerance
  /// is a hundredth of their values: such a comparison says little.
  int64_t compared = 0, loose = 0;
};

/// An element may differ from the exact one by `kSafety` times what rounding
/// errors did to it, plus what they did to its tensor in the mean (their signs
/// are random, so that one element may have been lucky).
Agreement compare(const Oracle::Outcome &expected,
                  const reference::Store &computed);

/// The first place where two outcomes differ in bits; empty if none does.
std::string differenceInBits(const reference::Store &a,
                             const reference::Store &b);

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_EXPECTATION_H
