//===- GraphBuilder.h - A random training step, by operations ---*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_GRAPHBUILDER_H
#define DPL_TEST_RANDOM_GRAPHBUILDER_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "test/Random/Choice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace dpl::test {

/// A module as Import writes it, with a step @train and sometimes a step
/// @eval, of random primitives: their attributes take values that no layer of
/// the prelude asks for. Values grow by small factors only, functions are
/// applied where they are smooth enough for f32 to follow, and some results
/// are not used. Null if the module does not verify.
mlir::OwningOpRef<mlir::ModuleOp> randomGraph(mlir::MLIRContext &context,
                                              const Choice &choice);

/// Writes the body of one step.
class GraphBuilder {
public:
  GraphBuilder(mlir::ModuleOp module, const Choice &choice);

  /// Writes @`name`, over the fields `types`.
  void build(llvm::StringRef name, bool isTraining,
             llvm::ArrayRef<mlir::Type> fields,
             llvm::ArrayRef<llvm::StringRef> fieldNames);

private:
  using Maker = mlir::Value (GraphBuilder::*)();
  static llvm::ArrayRef<Maker> makers();

  // Values (GraphBuilder.cpp).
  int64_t between(int64_t low, int64_t high) {
    return random.between(low, high);
  }
  bool chance(int64_t of) { return between(1, of) == 1; }
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, double value);
  mlir::Value noise(llvm::ArrayRef<int64_t> shape);
  mlir::Value parameter(llvm::ArrayRef<int64_t> shape, double size);
  mlir::Value state(llvm::ArrayRef<int64_t> shape);
  mlir::Value readAs(llvm::StringRef symbol, llvm::ArrayRef<int64_t> shape);
  mlir::Value spread(mlir::Value v, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> axes);
  mlir::Value likeOf(mlir::Value x, double value);
  /// A value that was made before, rather a late one.
  mlir::Value pick();
  mlir::Value pickOfRank(int64_t least);
  /// Something of the shape of `x`.
  mlir::Value matching(mlir::Value x);
  /// Whole numbers of that shape, of which some are outside of 0..n-1.
  mlir::Value indices(llvm::ArrayRef<int64_t> shape);
  mlir::Value bounded(mlir::Value x);
  mlir::Value positive(mlir::Value x, double least);
  Window drawWindow(mlir::Value x);

  // Operations (GraphMakers.cpp): null where no operand fits.
  mlir::Value makeFunction();
  mlir::Value makeBinary();
  mlir::Value makeSelect();
  mlir::Value makeCast();
  mlir::Value makeConstant();
  mlir::Value makeBroadcast();
  mlir::Value makeReshape();
  mlir::Value makeTranspose();
  mlir::Value makeReverse();
  mlir::Value makeSlice();
  mlir::Value makePad();
  mlir::Value makeConcat();
  mlir::Value makeReduce();
  mlir::Value makeTake();
  mlir::Value makeScatter();
  mlir::Value makeContract();
  mlir::Value makeWide();
  mlir::Value makeConv();
  mlir::Value makePool();
  mlir::Value makeBatch();
  mlir::Value makeUniform();
  mlir::Value makeStop();
  mlir::Value makeNoise();

  // The end of a step (GraphBuilder.cpp).
  mlir::Value scalarOf(mlir::Value x);
  mlir::Value samplesOf(mlir::Value weight);
  mlir::Value loss();
  void update(mlir::Value loss);
  void updateParameter(unsigned index, mlir::Value gradient);

  mlir::ModuleOp module;
  const Choice &choice;
  reference::Random random;
  mlir::OpBuilder b;
  mlir::Location loc;
  bool isTraining = true;
  mlir::Value label;
  llvm::SmallVector<mlir::Value> pool; ///< f32, in the order they were made
  llvm::SmallVector<mlir::Value> parameters;
  llvm::SmallVector<mlir::Value> states;
  int draws = 0; ///< of random numbers
};

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_GRAPHBUILDER_H
