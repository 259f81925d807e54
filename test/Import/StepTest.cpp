//===- StepTest.cpp - losses, metrics, updates ----------------------------===//

#include "test/Import/Imported.h"

#include "llvm/ADT/StringRef.h"
#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;
using testing::Not;

static const char *model =
    "model M(x: f32[1, 28, 28]) -> f32[10] = x |> flatten |> linear(10)";

TEST(Step, HasTheFieldsTheGradientsAndTheWrites) {
  Imported program(
      trained(model, "loss softmax_cross_entropy\nmetrics accuracy"));
  ASSERT_EQ(program.rendered(), "");
  std::string step = program.function("train.M");
  for (const char *part :
       {"dpl.field = \"x\"", "dpl.field = \"y\"", "dpl.step = \"train\"",
        "dpl.iterator = \"batches\"", "call @M.forward", "dpl.batch_sum",
        "dpl.report \"loss\"", "dpl.report \"accuracy\"", "dpl.grad",
        "dpl.write @linear1.weight,", "dpl.write @linear1.weight.v,"})
    EXPECT_THAT(step, HasSubstr(part));
  EXPECT_THAT(program.ir(),
              HasSubstr("dpl.state @linear1.bias.v : tensor<10xf32> init {kind "
                        "= \"zeros\"} of @linear1.bias"));
}

TEST(Step, EvaluationOnlyReports) {
  Imported program(trained(model, "loss softmax_cross_entropy"));
  ASSERT_EQ(program.rendered(), "");
  std::string step = program.function("eval.M.tests");
  EXPECT_THAT(step, HasSubstr("dpl.report \"loss\""));
  EXPECT_THAT(step, Not(HasSubstr("dpl.grad")));
  EXPECT_THAT(step, Not(HasSubstr("dpl.write")));
}

TEST(Step, AFieldThatNothingReadsIsNoArgument) {
  Imported program(trained("model M(x: f32[1, 28, 28]) -> f32[1, 28, 28] = x "
                           "|> relu |> conv2d(1, kernel: 1)",
                           "loss mean((out - x) ** 2)"));
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(program.function("train.M"), Not(HasSubstr("dpl.field = \"y\"")));
}

TEST(Step, NamedTermsAreAddedAndReported) {
  Imported program(trained(
      model,
      "loss fit: softmax_cross_entropy(out, y), size: 0.1 * mean(abs(out))"));
  ASSERT_EQ(program.rendered(), "");
  std::string step = program.function("train.M");
  for (const char *part :
       {"dpl.report \"loss\"", "dpl.report \"fit\"", "dpl.report \"size\""})
    EXPECT_THAT(step, HasSubstr(part));
}

/// A bare value counts once for each sample, and so does a ratio whose count
/// is 1; no other count needs a guard against 0.
TEST(Step, TheCountOfUnignoredLabelsIsTheBatch) {
  Imported program(trained(model, "loss softmax_cross_entropy"));
  EXPECT_THAT(program.function("train.M"), HasSubstr("dpl.batch_count"));
  EXPECT_THAT(program.function("train.M"), Not(HasSubstr("dpl.select")));
}

TEST(Step, ACountThatMayBeZeroIsGuarded) {
  Imported program(trained(
      model, "loss softmax_cross_entropy(weights: [i * 1.0 for i in 0..10])"));
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(program.function("train.M"), HasSubstr("dpl.select"));
  EXPECT_THAT(program.function("train.M"), HasSubstr("dpl.stop_gradient"));
}

TEST(Step, WithoutMomentumThereIsNoState) {
  Imported program(R"(
dataset digits = mnist("digits", split: train) |> to_float
iterator batches = serial(digits, batch: 64, repeat: true)
model M(x: f32[1, 28, 28]) -> f32[10] = x |> flatten |> linear(10)
train M {
  data batches
  loss softmax_cross_entropy
  optimizer sgd(lr: 0.5)
  stop 1 epoch
}
)");
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(program.ir(), Not(HasSubstr("dpl.state")));
  // A constant schedule is a setting, too, so that it can be observed.
  EXPECT_THAT(program.function("settings"), HasSubstr("dpl.setting \"lr\""));
}

TEST(Step, OneUpdateFunctionForEachShape) {
  Imported program(trained("model M(x: f32[1, 28, 28]) -> f32[10] = x |> "
                           "flatten |> linear(10) |> linear(10) |> linear(10)",
                           "loss softmax_cross_entropy"));
  ASSERT_EQ(program.rendered(), "");
  EXPECT_EQ(llvm::StringRef(program.ir()).count("dpl.layer = \"sgd\""), 3u);
}

/// A program whose training stands in line 4; lines can follow.
static std::string optimizedBy(const std::string &optimizer,
                               const std::string &stop = "1 epoch") {
  return "dataset d = mnist(\"d\", split: train) |> to_float\niterator b = "
         "serial(d, batch: 4, repeat: true)\n" +
         std::string(model) +
         "\ntrain M { data b; loss softmax_cross_entropy; optimizer " +
         optimizer + "; stop " + stop + " }\n";
}

static std::string codes(const std::string &model, const std::string &entries) {
  return codesOf(trained(model, entries));
}

TEST(Step, ClassCountsMustAgree) {
  Imported program(trained(
      "model M(x: f32[1, 28, 28]) -> f32[12] = x |> flatten |> linear(12)",
      "loss softmax_cross_entropy"));
  EXPECT_THAT(program.codes(), HasSubstr("class_count"));
  EXPECT_THAT(program.rendered(), HasSubstr("class(12)"));
  EXPECT_THAT(program.rendered(), HasSubstr("class(10)"));
}

TEST(Step, Errors) {
  EXPECT_EQ(codes(model, "loss out"), "11:6 term_scalar\n");
  EXPECT_EQ(codes(std::string(model) + "\nfn odd(x: f32[..]) -> f32 = sum(x)",
                  "loss odd"),
            "12:6 term_function\n");
  EXPECT_EQ(codes("model M(x: f32[1, 28, 28]) = sum(x)", "loss out"),
            "6:7 no_parameters\n");
  std::string one = "\noptimizer o()(w: f32[..]) -> f32[..] = w\n";
  EXPECT_EQ(codesOf(optimizedBy("o") + one), "6:11 optimizer_data\n");
  std::string small = "\noptimizer o()(w: f32[..], g: f32[..]) = sum(w + g)\n";
  EXPECT_EQ(codesOf(optimizedBy("o") + small), "4:57 optimizer_result\n");
  std::string function =
      "\nfn f(now: duration, end: duration) -> float = 0.5\n";
  EXPECT_EQ(codesOf(optimizedBy("sgd(lr: f)") + function),
            "4:65 schedule_function\n");
  EXPECT_THAT(codesOf(optimizedBy("sgd(lr: 0.5)") +
                      "\ntrain M { data b; loss softmax_cross_entropy; "
                      "optimizer sgd(lr: 0.1); stop 1 epoch }\n"),
              HasSubstr("6:7 trained_twice"));
  EXPECT_EQ(codesOf(optimizedBy("sgd(lr: 0.5)", "length") +
                    "\noption length = 0 epochs\n"),
            "4:76 needs_duration\n");
}

TEST(Step, TheUsersOwnOptimizerKeepsItsStates) {
  Imported program(optimizedBy("adagrad(0.1)") + R"(
optimizer adagrad(lr: schedule, eps: float = 1e-8)(w: f32[..], g: f32[..]) -> f32[..] {
  state s: f32[..] = constant(0.5)
  s = s + g * g
  w - lr * g / (sqrt(s) + eps)
}
)");
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(
      program.ir(),
      HasSubstr(
          "dpl.state @linear1.weight.s : tensor<10x784xf32> init {kind = "
          "\"constant\", value = 5.000000e-01 : f64} of @linear1.weight"));
}
