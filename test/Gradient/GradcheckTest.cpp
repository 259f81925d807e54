//===- GradcheckTest.cpp - The check of gradients itself ------------------===//

#include "test/Gradient/Case.h"

#include "compiler/Reference/Differences.h"
#include "compiler/Reference/Gradcheck.h"

#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using dpl::reference::compareDerivative;
using dpl::reference::Comparison;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Outcome {
  bool good;
  std::string report;
};

Outcome check(StringRef text, reference::GradcheckOptions options = {}) {
  MLIRContext context;
  loadDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {false, "the module is not valid"};
  Outcome outcome;
  llvm::raw_string_ostream report(outcome.report);
  outcome.good = succeeded(reference::gradcheck(*module, options, report));
  return outcome;
}

// As import writes it: a layer is called and reads its parameters itself, the
// loss is averaged, labels are classes of the data, an option becomes a
// setting.
const char *const kStep = R"(
dpl.option @lr : "float" = 1.000000e-01 : f64 help "learning rate"
dpl.parameter @fc.weight : tensor<4x3xf32> init {kind = "he_uniform", fan_in = 3 : i64}
dpl.parameter @fc.bias : tensor<4xf32> init {kind = "zeros"} as "bias"
dpl.dataset @d "csv" {} transforms [] stored [] fields [
  {name = "x", dtype = "f32", shape = [3]}, {name = "y", dtype = "i32", shape = [], classes = 4 : i64}]
dpl.iterator @it "serial" of @d batch 8 {}
func.func private @fc(%x: tensor<3xf32, #dpl.per_sample>) -> tensor<4xf32, #dpl.per_sample>
    attributes {dpl.layer = "linear"} {
  %w = dpl.read @fc.weight : tensor<4x3xf32>
  %b = dpl.read @fc.bias : tensor<4xf32>
  %y = dpl.contract %x, %w {lhs_labels = array<i64: 1>, rhs_labels = array<i64: 0, 1>, result_labels = array<i64: 0>}
    : (tensor<3xf32, #dpl.per_sample>, tensor<4x3xf32>) -> tensor<4xf32, #dpl.per_sample>
  %z = dpl.add %y, %b : (tensor<4xf32, #dpl.per_sample>, tensor<4xf32>) -> tensor<4xf32, #dpl.per_sample>
  return %z : tensor<4xf32, #dpl.per_sample>
}
func.func @settings() {
  %lr = dpl.option_value @lr : tensor<f64>
  dpl.setting "lr", %lr : tensor<f64>
  return
}
func.func @train.M(%x: tensor<3xf32, #dpl.per_sample> {dpl.field = "x"},
                   %y: tensor<i32, #dpl.per_sample> {dpl.field = "y"})
    attributes {dpl.step = "train", dpl.iterator = "it"} {
  %o = call @fc(%x) : (tensor<3xf32, #dpl.per_sample>) -> tensor<4xf32, #dpl.per_sample>
  %e = dpl.exp %o : (tensor<4xf32, #dpl.per_sample>) -> tensor<4xf32, #dpl.per_sample>
  %t = dpl.reduce sum %e {axes = array<i64: 0>} : (tensor<4xf32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  %l = dpl.log %t : (tensor<f32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  %a = dpl.take %o, %y {axis = 0 : i64} : (tensor<4xf32, #dpl.per_sample>, tensor<i32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  %d = dpl.sub %l, %a : (tensor<f32, #dpl.per_sample>, tensor<f32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  %s = dpl.batch_sum %d : (tensor<f32, #dpl.per_sample>) -> tensor<f32>
  %n = dpl.batch_count : tensor<f32>
  %loss = dpl.div %s, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  dpl.report "loss", %s, %n : tensor<f32>, tensor<f32>
  %w = dpl.read @fc.weight : tensor<4x3xf32>
  %b = dpl.read @fc.bias : tensor<4xf32>
  %g:2 = dpl.grad %loss wrt(%w, %b) : (tensor<f32>, tensor<4x3xf32>, tensor<4xf32>) -> (tensor<4x3xf32>, tensor<4xf32>)
  dpl.write @fc.weight, %g#0 : tensor<4x3xf32>
  return
}
)";

/// A step whose loss is `body` of the parameter %p, with `%loss` at its end.
std::string stepOf(StringRef body) {
  return (R"(dpl.parameter @p : tensor<4xf32> init {kind = "uniform", low = -1.0, high = 1.0}
func.func @step(%x: tensor<4xf32, #dpl.per_sample>) attributes {dpl.step = "train"} {
  %p = dpl.read @p : tensor<4xf32>
  %zero = dpl.constant dense<0.0> : tensor<4xf32>
)" + body +
          R"(
  %loss = dpl.reduce sum %v {axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  %g = dpl.grad %loss wrt(%p) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
})")
      .str();
}

} // namespace

TEST(Gradcheck, StepAsImportWritesIt) {
  Outcome o = check(kStep);
  EXPECT_TRUE(o.good) << o.report;
  EXPECT_THAT(o.report, HasSubstr("train.M: value"));
  EXPECT_THAT(o.report, HasSubstr("seed 1, 3 samples"));
  EXPECT_THAT(o.report, HasSubstr("fc.weight"));
  EXPECT_THAT(o.report, HasSubstr("10 of 12 elements"));
  EXPECT_THAT(o.report, HasSubstr("4 of 4 elements"));
  EXPECT_THAT(o.report, Not(HasSubstr("FAIL")));
  EXPECT_THAT(o.report, Not(HasSubstr("without influence")));
}

TEST(Gradcheck, SeedAndNumbersAreOptions) {
  reference::GradcheckOptions options;
  options.elements = 100;
  options.samples = 5;
  options.seed = 42;
  Outcome o = check(kStep, options);
  EXPECT_TRUE(o.good) << o.report;
  EXPECT_THAT(o.report,
              AllOf(HasSubstr("12 of 12"), HasSubstr("seed 42, 5 samples")));
  EXPECT_NE(o.report, check(kStep).report);
}

// stop_gradient is a gradient that differs from the derivative, so the check
// has to refuse it.
TEST(Gradcheck, WrongGradientFails) {
  Outcome o = check(stepOf(R"(
    %c = dpl.stop_gradient %p : (tensor<4xf32>) -> tensor<4xf32>
    %v = dpl.mul %p, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"));
  EXPECT_FALSE(o.good);
  EXPECT_THAT(o.report, AllOf(HasSubstr("FAIL"), HasSubstr("p[0]: gradient")));
}

// A zero gradient that agrees with the differences is right, and worth a word.
TEST(Gradcheck, ParameterWithoutInfluenceIsNoted) {
  Outcome o =
      check(stepOf("%v = dpl.exp %zero : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_TRUE(o.good) << o.report;
  EXPECT_THAT(o.report, HasSubstr("PASS, without influence here"));
}

TEST(Gradcheck, MissingGradientFails) {
  Outcome o = check(
      stepOf("%v = dpl.stop_gradient %p : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_FALSE(o.good) << o.report;
}

// |p - p| is 0 whatever p is, but max(p, p) ties everywhere and is smooth: the
// difference and the gradient agree, so no kink is counted.
TEST(Gradcheck, TieWithoutKinkIsSmooth) {
  Outcome o = check(stepOf(
      "%v = dpl.max %p, %p : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_TRUE(o.good) << o.report;
  EXPECT_THAT(o.report, HasSubstr("0 on kinks: PASS"));
}

// max(p, c) where c has p's value but is a constant of differentiation: every
// element is on a kink, and the one-sided derivatives are 0 and 1.
TEST(Gradcheck, KinksAreCountedAndBounded) {
  std::string text =
      R"(dpl.parameter @p : tensor<4xf32> init {kind = "uniform", low = 1.0, high = 1.0}
func.func @step() attributes {dpl.step = "train"} {
  %p = dpl.read @p : tensor<4xf32>
  %one = dpl.constant dense<1.0> : tensor<4xf32>
  %v = dpl.max %p, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = dpl.reduce sum %v {axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  %g = dpl.grad %loss wrt(%p) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
})";
  Outcome o = check(text);
  EXPECT_FALSE(o.good);
  EXPECT_THAT(o.report, HasSubstr("4 on kinks: FAIL"));
  reference::GradcheckOptions lenient;
  lenient.kinks = 1;
  o = check(text, lenient);
  EXPECT_TRUE(o.good);
  EXPECT_THAT(o.report, HasSubstr("4 on kinks: PASS"));
}

TEST(Gradcheck, EveryGradOfEveryTrainingStep) {
  std::string text = R"(dpl.parameter @p : tensor<f32> init {kind = "ones"}
func.func @a() attributes {dpl.step = "train"} {
  %p = dpl.read @p : tensor<f32>
  %e = dpl.exp %p : (tensor<f32>) -> tensor<f32>
  %g = dpl.grad %e wrt(%p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = dpl.grad %p wrt(%p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
func.func @b() attributes {dpl.step = "eval"} { return }
func.func @c() attributes {dpl.step = "train"} {
  %p = dpl.read @p : tensor<f32>
  %q = dpl.tanh %p : (tensor<f32>) -> tensor<f32>
  %e = dpl.exp %q : (tensor<f32>) -> tensor<f32>
  %g = dpl.grad %e wrt(%q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
})";
  Outcome o = check(text);
  EXPECT_TRUE(o.good) << o.report;
  EXPECT_THAT(o.report, AllOf(HasSubstr("a, gradient 1 of 2"),
                              HasSubstr("a, gradient 2 of 2"),
                              HasSubstr("c: value"), HasSubstr("value 0")));
}

TEST(Differences, SmoothFunctionAndItsDerivative) {
  auto f = [](double d) { return std::exp(1 + d); };
  EXPECT_EQ(compareDerivative(f, f(0), std::exp(1.0), 0, 1e-5, 1e-5).kind,
            Comparison::Smooth);
  EXPECT_EQ(
      compareDerivative(f, f(0), 1.001 * std::exp(1.0), 0, 1e-5, 1e-5).kind,
      Comparison::Wrong);
  EXPECT_EQ(compareDerivative(f, f(0), NAN, 0, 1e-5, 1e-5).kind,
            Comparison::Wrong);
}

TEST(Differences, KinkTakesAnythingBetweenTheSides) {
  auto f = [](double d) { return std::fabs(d); };
  for (double between : {-1.0, -0.5, 0.5, 1.0})
    EXPECT_NE(compareDerivative(f, 0, between, 0, 1e-5, 1e-5).kind,
              Comparison::Wrong)
        << between;
  EXPECT_EQ(compareDerivative(f, 0, 1.1, 0, 1e-5, 1e-5).kind,
            Comparison::Wrong);
}

TEST(Differences, KinkNearbyIsOutOfReachOfTheSmallestStep) {
  auto f = [](double d) { return std::max(0.0, d + 3e-7); };
  Comparison c = compareDerivative(f, f(0), 1, 0, 1e-5, 1e-5);
  EXPECT_EQ(c.kind, Comparison::Smooth) << c.error;
}
