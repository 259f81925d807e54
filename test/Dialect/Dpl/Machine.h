//===- Machine.h - Outlined steps on simulated buffers ----------*- C++ -*-===//

#ifndef DPL_TEST_DIALECT_DPL_MACHINE_H
#define DPL_TEST_DIALECT_DPL_MACHINE_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Reference/Evaluator.h"

#include <map>

namespace dpl::test {

/// Runs a step program as docs/design/0002 says: kernels in phases, tiles in
/// chunks, every argument and result in its buffer. Kernels are evaluated by
/// the reference evaluator, in f64; a region is one f64 for each byte, of which
/// the first of each element is used.
class Machine {
public:
  Machine(mlir::ModuleOp module, reference::Store &store, int64_t samples,
          int64_t chunks)
      : module(module), store(store), samples(samples), chunks(chunks) {}

  /// Runs @`name` once on `fields`; parameters, states and reports go to the
  /// store.
  mlir::LogicalResult run(llvm::StringRef name,
                          llvm::ArrayRef<reference::BatchValue> fields);

private:
  using Region = std::vector<double>;
  /// Which instance of a task runs.
  struct Task {
    bool tiles = false;
    int64_t tile = 0, block = 0, chunk = 0, samples = 0;
  };

  Region &region(mlir::DictionaryAttr buffer, int64_t chunk);
  void fill(llvm::ArrayRef<reference::BatchValue> fields,
            llvm::ArrayRef<llvm::StringRef> randomPaths);
  void empty(mlir::DictionaryAttr entries);
  mlir::LogicalResult runKernel(mlir::func::FuncOp kernel,
                                int64_t samplesOfTile);
  mlir::LogicalResult runTask(mlir::func::FuncOp kernel, const Task &task);
  reference::BatchValue load(mlir::Type type, mlir::DictionaryAttr buffer,
                             const Task &task);
  void save(mlir::Type type, mlir::DictionaryAttr buffer, const Task &task,
            const reference::BatchValue &value);

  mlir::ModuleOp module;
  reference::Store &store;
  int64_t samples, chunks;
  std::map<std::string, Region> regions;
};

} // namespace dpl::test

#endif // DPL_TEST_DIALECT_DPL_MACHINE_H
