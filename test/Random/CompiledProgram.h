//===- CompiledProgram.h - A module as machine code, in this process ------===//

#ifndef DPL_TEST_RANDOM_COMPILEDPROGRAM_H
#define DPL_TEST_RANDOM_COMPILEDPROGRAM_H

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Reference/Evaluator.h"
#include "runtime/Program/Executor.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace dpl::test {

/// The values of every field of the data set for the samples of one batch, and
/// what its random numbers count with.
struct Batch {
  llvm::StringMap<reference::BatchValue> fields;
  int64_t samples = 0;
  reference::Counters counters;
};

/// How a program is run; what it computes does not depend on it.
struct RunMode {
  int threads = 1;
  bool deterministic = false;
};

class CompiledProgram {
public:
  /// Compiles a module as dplc does behind Import. The module is consumed.
  /// Programs whose names end with `without`, if it is not empty, have no code:
  /// compilation is what takes the time of a test. Null, with the reason in
  /// `error`, if a phase fails.
  static std::unique_ptr<CompiledProgram>
  compile(mlir::ModuleOp module, const PipelineOptions &options,
          llvm::StringRef without, std::string &error);
  ~CompiledProgram();

  /// Runs the step program `name` once for each batch, from the parameters and
  /// states in `store`; what they are at the end, and the reports of every
  /// step, go there. Settings come from the options' defaults. Returns an
  /// error, or nothing.
  std::string run(llvm::StringRef name, llvm::ArrayRef<Batch> batches,
                  const RunMode &mode, reference::Store &store) const;

  const rt::Description &description() const { return about; }

private:
  CompiledProgram();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const dpl_program *program = nullptr;
  rt::Description about;
};

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_COMPILEDPROGRAM_H
