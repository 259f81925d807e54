//===- Evaluator.h - Reference evaluation of dpl functions ------*- C++ -*-===//
//
// The oracle of the tests: evaluates functions of the dpl dialect in f64, one
// operation after the other, from what the operations are documented to mean.
// It shares nothing with the structured bodies and the generated code except
// the one line that an elementwise operation gives of itself.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_REFERENCE_EVALUATOR_H
#define DPL_REFERENCE_EVALUATOR_H

#include "compiler/Reference/CountedRandom.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <string>

namespace dpl::reference {

/// What a `dpl.report` said.
struct Report {
  std::string name;
  double sum, count;
};

/// Everything that lasts longer than a function call.
struct Store {
  llvm::StringMap<Tensor> tensors;  ///< parameters and states
  llvm::StringMap<double> options;  ///< values of the trainer's flags
  llvm::StringMap<Tensor> settings; ///< what the settings function defined
  std::vector<Report> reports;      ///< in order; grows with every run
  Counters counters;                ///< of random numbers
};

class Evaluator {
public:
  /// Sees the result of each operation that computes one from values, in the
  /// order of evaluation, and may change it.
  using Observer = std::function<void(
      mlir::Operation *op, llvm::ArrayRef<const BatchValue *> operands,
      BatchValue &result)>;

  /// Evaluates functions of `module` for a batch of `samples` true samples.
  /// Both references must outlive the evaluator; not thread-safe.
  Evaluator(mlir::ModuleOp module, Store &store, int64_t samples)
      : module(module), store(store), sampleCount(samples) {}

  /// Results of `func`. Writes to parameters and states reach the store when
  /// the call is over, so that every read sees the beginning of the step.
  /// Fails, with an error at the operation, where an operation has no
  /// reference evaluation or a name is not in the store.
  mlir::FailureOr<std::vector<BatchValue>>
  run(mlir::func::FuncOp func, std::vector<BatchValue> arguments);

  void observe(Observer observer) { this->observer = std::move(observer); }

private:
  using Values = llvm::DenseMap<mlir::Value, BatchValue>;

  mlir::FailureOr<std::vector<BatchValue>>
  call(mlir::func::FuncOp func, std::vector<BatchValue> arguments);
  mlir::LogicalResult evaluate(mlir::Operation *op, Values &values);
  mlir::LogicalResult evaluateCall(mlir::func::CallOp op, Values &values);
  mlir::LogicalResult evaluateProgramOp(mlir::Operation *op, Values &values);
  mlir::FailureOr<BatchValue> evaluateBatchOp(mlir::Operation *op,
                                              Values &values);
  BatchValue evaluateCounter(mlir::Operation *op) const;
  mlir::FailureOr<BatchValue> evaluateEachSample(mlir::Operation *op,
                                                 Values &values);

  mlir::ModuleOp module;
  Store &store;
  int64_t sampleCount;
  Observer observer;
  llvm::StringMap<Tensor> written;
};

/// The value of a primitive that looks at one sample only, from that sample's
/// operands; nothing if `op` is no such primitive.
std::optional<Tensor>
evaluatePrimitive(mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands);

} // namespace dpl::reference

#endif // DPL_REFERENCE_EVALUATOR_H
