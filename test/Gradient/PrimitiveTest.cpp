//===- PrimitiveTest.cpp - Gradients of every primitive -------------------===//

#include "test/Gradient/Case.h"
#include "test/Support/Random.h"

#include "compiler/Reference/Evaluator.h"
#include "compiler/Reference/RandomInputs.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

namespace {
class Primitive : public testing::TestWithParam<Case> {};
} // namespace

// Every combination of uniform and per-sample operands: the sums over the
// batch that the law of gradients asks for are a part of what is checked.
TEST_P(Primitive, GradientIsThatOfDifferences) {
  MLIRContext context;
  loadDialects(context);
  const Case &c = GetParam();
  if (!c.isDifferentiable(context) && c.op != "dpl.iota" &&
      c.op != "dpl.constant" && c.op != "dpl.batch_count")
    return;
  for (unsigned mask : c.allMasks())
    for (int64_t i = 0; i < repetitions(1); ++i)
      EXPECT_TRUE(gradientsAreRight(c, mask, testSeed() + i));
}

// The evaluator's result has the shape that the operation's type says, once or
// once for each sample, and is a number everywhere.
TEST_P(Primitive, EvaluatesToItsType) {
  MLIRContext context;
  loadDialects(context);
  const Case &c = GetParam();
  constexpr int64_t samples = 3;
  for (unsigned mask : c.allMasks()) {
    OwningOpRef<ModuleOp> module = buildStep(context, c, mask, false);
    ASSERT_TRUE(module);
    auto step = module->lookupSymbol<func::FuncOp>("step");
    reference::Random random(testSeed());
    reference::Store store;
    ASSERT_TRUE(succeeded(reference::fillStore(*module, random, store)));
    auto results =
        reference::Evaluator(*module, store, samples)
            .run(step, reference::randomArguments(step, random, samples));
    ASSERT_TRUE(succeeded(results));
    auto type = cast<RankedTensorType>(step.getResultTypes()[0]);
    EXPECT_EQ(results->front().perSample, isPerSample(type));
    EXPECT_EQ(results->front().tensors.size(),
              isPerSample(type) ? samples : 1u);
    for (const reference::Tensor &t : results->front().tensors) {
      EXPECT_EQ(t.shape, Shape(type.getShape()));
      for (double v : t.data)
        EXPECT_TRUE(std::isfinite(v));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Primitive, testing::ValuesIn(primitiveCases()),
                         caseName);
