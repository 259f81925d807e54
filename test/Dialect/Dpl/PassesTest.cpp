//===- PassesTest.cpp - Passes keep the value of random steps -------------===//

#include "test/Dialect/Dpl/Machine.h"
#include "test/Dialect/Dpl/RandomStep.h"
#include "test/Support/Random.h"

#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Reference/Gradcheck.h"
#include "compiler/Reference/RandomInputs.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using namespace dpl::reference;

namespace {

constexpr int64_t kSamples = 5;

/// Does `b` hold what `a` holds, up to rounding in f64?
testing::AssertionResult sameStore(const Store &a, const Store &b) {
  auto close = [](double x, double y) {
    return std::fabs(x - y) <= 1e-9 * std::max(1.0, std::fabs(x));
  };
  if (a.reports.size() != b.reports.size())
    return testing::AssertionFailure() << b.reports.size() << " reports";
  for (auto [x, y] : llvm::zip(a.reports, b.reports))
    if (x.name != y.name || !close(x.sum, y.sum) || x.count != y.count)
      return testing::AssertionFailure()
             << "report " << x.sum << " became " << y.sum;
  for (const auto &entry : a.tensors) {
    const Tensor &other = b.tensors.find(entry.getKey())->second;
    for (auto [x, y] : llvm::zip(entry.getValue().data, other.data))
      if (!close(x, y))
        return testing::AssertionFailure()
               << entry.getKey().str() << " has " << y << " instead of " << x;
  }
  return testing::AssertionSuccess();
}

class Passes : public testing::Test {
protected:
  Passes() {
    context.disableMultithreading();
    context.loadDialect<DplDialect, func::FuncDialect>();
  }

  /// The store after one step of @name.
  Store after(ModuleOp module, StringRef name, uint64_t seed) {
    Store store;
    Random random(seed);
    EXPECT_TRUE(succeeded(fillStore(module, random, store)));
    auto step = module.lookupSymbol<func::FuncOp>(name);
    EXPECT_TRUE(
        succeeded(Evaluator(module, store, kSamples)
                      .run(step, randomArguments(step, random, kSamples))));
    return store;
  }

  /// Compares steps before and after `passes`, which come behind
  /// differentiation; the step may have `names` behind them.
  void keepsValues(function_ref<void(OpPassManager &)> passes,
                   ArrayRef<StringRef> names = {"train"}) {
    for (int i = 0; i < test::repetitions(40); ++i) {
      uint64_t seed = test::testSeed() * 1000003 + i;
      Random random(seed);
      OwningOpRef<ModuleOp> module = randomStep(context, random);
      ASSERT_TRUE(module);
      PassManager first(&context), second(&context);
      first.addNestedPass<func::FuncOp>(createDifferentiatePass());
      ASSERT_TRUE(succeeded(first.run(*module)));
      std::string text;
      llvm::raw_string_ostream(text) << *module;
      Store before = after(*module, "train", seed);
      passes(second);
      ASSERT_TRUE(succeeded(second.run(*module))) << seed << "\n" << text;
      for (StringRef name : names)
        ASSERT_TRUE(sameStore(before, after(*module, name, seed)))
            << "DPL_TEST_SEED " << test::testSeed() << ", step " << i << "\n"
            << text;
    }
  }

  MLIRContext context;
};

} // namespace

TEST_F(Passes, DifferentiateAgreesWithDifferences) {
  for (int i = 0; i < test::repetitions(40) / 4; ++i) {
    Random random(test::testSeed() * 1000003 + i);
    OwningOpRef<ModuleOp> module = randomStep(context, random);
    ASSERT_TRUE(module);
    GradcheckOptions options;
    options.seed = test::testSeed();
    options.elements = 4;
    std::string text;
    llvm::raw_string_ostream report(text);
    EXPECT_TRUE(succeeded(gradcheck(*module, options, report)))
        << "DPL_TEST_SEED " << test::testSeed() << ", step " << i << "\n"
        << text;
  }
}

TEST_F(Passes, Canonicalize) {
  keepsValues([](OpPassManager &pm) {
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  });
}

TEST_F(Passes, ChannelsLast) {
  keepsValues([](OpPassManager &pm) {
    pm.addNestedPass<func::FuncOp>(createChannelsLastPass());
  });
}

TEST_F(Passes, ExpandWindows) {
  keepsValues([](OpPassManager &pm) {
    pm.addNestedPass<func::FuncOp>(createExpandWindowsPass());
  });
}

TEST_F(Passes, FuseUpdate) {
  keepsValues([](OpPassManager &pm) { pm.addPass(createFuseUpdatePass()); },
              {"train.fused", "train.bucketed"});
}

TEST_F(Passes, AllInOrder) {
  keepsValues(
      [](OpPassManager &pm) {
        pm.addPass(createCanonicalizerPass());
        pm.addNestedPass<func::FuncOp>(createChannelsLastPass());
        pm.addPass(createCanonicalizerPass());
        pm.addNestedPass<func::FuncOp>(createExpandWindowsPass());
        pm.addPass(createCanonicalizerPass());
        pm.addPass(createCSEPass());
        pm.addPass(createFuseUpdatePass());
      },
      {"train.fused", "train.bucketed"});
}

// Kernels in phases, with chunks of tiles and blocks of weights so small that
// every step has several of them, and a last tile that is not full.
TEST_F(Passes, OutlineSteps) {
  for (int i = 0; i < test::repetitions(40); ++i) {
    uint64_t seed = test::testSeed() * 1000003 + i;
    Random random(seed);
    OwningOpRef<ModuleOp> module = randomStep(context, random);
    ASSERT_TRUE(module);
    PassManager first(&context), second(&context);
    first.addNestedPass<func::FuncOp>(createDifferentiatePass());
    first.addPass(createCanonicalizerPass());
    first.addNestedPass<func::FuncOp>(createChannelsLastPass());
    first.addNestedPass<func::FuncOp>(createExpandWindowsPass());
    first.addPass(createCanonicalizerPass());
    ASSERT_TRUE(succeeded(first.run(*module)));
    Store before = after(*module, "train", seed);
    auto step = module->lookupSymbol<func::FuncOp>("train");
    Random inputs(seed);
    Store start;
    ASSERT_TRUE(succeeded(fillStore(*module, inputs, start)));
    std::vector<BatchValue> fields = randomArguments(step, inputs, kSamples);
    std::string text;
    llvm::raw_string_ostream(text) << *module;

    second.addPass(createFuseUpdatePass());
    OutlineStepsPassOptions options;
    options.tile = random.between(1, 3);
    options.block = random.between(1, 40);
    second.addPass(createOutlineStepsPass(options));
    ASSERT_TRUE(succeeded(second.run(*module))) << seed << "\n" << text;
    for (StringRef name : {"train.fused", "train.bucketed"})
      for (int64_t chunks : {1, 2}) {
        Store store = start;
        ASSERT_TRUE(succeeded(
            Machine(*module, store, kSamples, chunks).run(name, fields)));
        ASSERT_TRUE(sameStore(before, store))
            << name.str() << " in " << chunks << " chunks, DPL_TEST_SEED "
            << test::testSeed() << ", step " << i << "\n"
            << text;
      }
  }
}
