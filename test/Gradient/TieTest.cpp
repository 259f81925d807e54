//===- TieTest.cpp - Gradients where a maximum is not unique --------------===//
//
// There the derivative does not exist; the documentation of each operation
// says what its gradient is.
//
//===----------------------------------------------------------------------===//

#include "test/Gradient/Case.h"

#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Reference/Evaluator.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

namespace {

using Numbers = std::vector<double>;

/// Gradients that a differentiated function returns for uniform arguments.
class Tie : public testing::Test {
protected:
  Tie() { loadDialects(context); }

  std::vector<Numbers> gradients(StringRef text,
                                 std::vector<Numbers> arguments) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createDifferentiatePass());
    if (failed(passes.run(*module)))
      return {};
    auto func = *module->getOps<func::FuncOp>().begin();
    std::vector<reference::BatchValue> values;
    for (auto [type, numbers] : llvm::zip(func.getArgumentTypes(), arguments)) {
      reference::Tensor t(cast<RankedTensorType>(type).getShape());
      t.data = numbers;
      values.push_back(reference::BatchValue::uniform(t));
    }
    reference::Store store;
    auto results = reference::Evaluator(*module, store, 2).run(func, values);
    std::vector<Numbers> numbers;
    if (succeeded(results))
      for (const reference::BatchValue &v : *results)
        numbers.push_back(v.at(0).data);
    return numbers;
  }

  MLIRContext context;
};

constexpr const char *gradientsOfMax =
    R"(func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %m = dpl.max %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0>} : (tensor<3xf32>) -> tensor<f32>
    %g:2 = dpl.grad %s wrt(%a, %b) : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    return %g#0, %g#1 : tensor<3xf32>, tensor<3xf32>
  })";

} // namespace

TEST_F(Tie, MaxGoesToTheSecond) {
  auto g = gradients(gradientsOfMax, {{1, 2, -1}, {1, 1, 0}});
  EXPECT_EQ(g, (std::vector<Numbers>{{0, 1, 0}, {1, 0, 1}}));
}

TEST_F(Tie, AbsIsFlatAtZero) {
  auto g = gradients(R"(func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
    %m = dpl.abs %a : (tensor<3xf32>) -> tensor<3xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0>} : (tensor<3xf32>) -> tensor<f32>
    %g = dpl.grad %s wrt(%a) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  })",
                     {{-2, 0, 3}});
  EXPECT_EQ(g, (std::vector<Numbers>{{-1, 0, 1}}));
}

TEST_F(Tie, ReduceMaxGivesEqualParts) {
  auto g = gradients(R"(func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %m = dpl.reduce max %a {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<f32>
    %g = dpl.grad %s wrt(%a) : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %g : tensor<2x3xf32>
  })",
                     {{5, 5, 1, 2, 2, 2}});
  EXPECT_EQ(g,
            (std::vector<Numbers>{{0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3}}));
}

TEST_F(Tie, PoolGivesTheFirstPlaceEachWindow) {
  // Windows of two places that overlap: the middle tie is first in one window
  // and last in the other.
  auto g = gradients(R"(func.func @f(%a: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %m = dpl.pool max %a {window = array<i64: 2>, stride = array<i64: 1>, pad_low = array<i64: 0>,
      pad_high = array<i64: 1>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0, 1>} : (tensor<1x4xf32>) -> tensor<f32>
    %g = dpl.grad %s wrt(%a) : (tensor<f32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    return %g : tensor<1x4xf32>
  })",
                     {{7, 7, 7, 1}});
  EXPECT_EQ(g, (std::vector<Numbers>{{1, 1, 1, 1}}));
}

TEST_F(Tie, PowerAtZero) {
  auto g = gradients(
      R"(func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %m = dpl.pow %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0>} : (tensor<3xf32>) -> tensor<f32>
    %g:2 = dpl.grad %s wrt(%a, %b) : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    return %g#0, %g#1 : tensor<3xf32>, tensor<3xf32>
  })",
      {{0, 1, 0}, {2, 5, 0}});
  EXPECT_EQ(g, (std::vector<Numbers>{{0, 5, 0}, {0, 0, 0}}));
}

TEST_F(Tie, TakeOutsideTheAxisGivesNothing) {
  auto g = gradients(R"(func.func @f(%a: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %i = dpl.constant dense<[3, 1]> : tensor<2xi32>
    %m = dpl.take %a, %i {axis = 0 : i64} : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<2xf32>
    %s = dpl.reduce sum %m {axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<f32>
    %g = dpl.grad %s wrt(%a) : (tensor<f32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %g : tensor<3x2xf32>
  })",
                     {{1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(g, (std::vector<Numbers>{{0, 0, 0, 1, 0, 0}}));
}

TEST_F(Tie, NaNOfAMaximumHasNoGradient) {
  auto g = gradients(gradientsOfMax, {{NAN, 1, 2}, {0, NAN, 1}});
  EXPECT_EQ(g, (std::vector<Numbers>{{0, 0, 1}, {0, 0, 0}}));
}
