//===- Case.h - One primitive in a step, to be differentiated ---*- C++ -*-===//

#ifndef DPL_TEST_GRADIENT_CASE_H
#define DPL_TEST_GRADIENT_CASE_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <functional>
#include <string>
#include <vector>

namespace dpl::test {

/// What the elements of an operand are. Floating-point operands depend on a
/// parameter, the others on random fields.
enum class Values {
  Any,       ///< in (-1, 1)
  Positive,  ///< exp of such
  Index,     ///< i32 in -limit..limit, so some name no place
  Condition, ///< i1
};

struct Operand {
  Shape shape;
  Values values = Values::Any;
  int64_t limit = 0;
};

/// A primitive on operands of given shapes.
struct Case {
  std::string op;   ///< name of the operation, `dpl.add`
  std::string what; ///< what is special about it, in camel case
  std::vector<Operand> operands;
  std::function<mlir::Value(mlir::OpBuilder &, mlir::Location,
                            mlir::ValueRange)>
      build;
  /// Which operands are per sample, as bits; all combinations if empty.
  std::vector<unsigned> masks = {};

  std::vector<unsigned> allMasks() const;
  /// Does the operation have a gradient that is not zero by definition?
  bool isDifferentiable(mlir::MLIRContext &context) const;
};

/// Cases of every primitive; RegistryTest holds that none is missing.
const std::vector<Case> &primitiveCases();

std::string caseName(const testing::TestParamInfo<Case> &info);
void PrintTo(const Case &c, std::ostream *os);

/// Loads what the tests need.
void loadDialects(mlir::MLIRContext &context);

/// A module with one training step: random operands, the primitive, and the
/// sum over elements and samples of its result times random weights. With
/// `gradients` false the step returns the primitive's result instead.
mlir::OwningOpRef<mlir::ModuleOp> buildStep(mlir::MLIRContext &context,
                                            const Case &c, unsigned mask,
                                            bool gradients);

/// Are the gradients of that step those of finite differences? No element may
/// lie on a kink.
testing::AssertionResult gradientsAreRight(const Case &c, unsigned mask,
                                           uint64_t seed);

} // namespace dpl::test

#endif // DPL_TEST_GRADIENT_CASE_H
