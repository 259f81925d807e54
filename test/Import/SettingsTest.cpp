//===- SettingsTest.cpp - consts, options, values at compile time ---------===//

#include "test/Import/Imported.h"

#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;
using testing::Not;

static const char *widthModel =
    "const width = 8\nmodel M(x: f32[4]) -> f32[width] = x |> linear(width)\n";

TEST(Consts, AreFixedByTheCompiler) {
  EXPECT_THAT(Imported(widthModel).parameters(),
              HasSubstr("linear1.bias: tensor<8xf32>"));
  EXPECT_THAT(Imported(widthModel, {{"width", "32"}}).parameters(),
              HasSubstr("linear1.bias: tensor<32xf32>"));
}

TEST(Consts, OverridesAreChecked) {
  EXPECT_EQ(codesOf(widthModel, {{"widht", "32"}}), "override_unknown\n");
  EXPECT_THAT(Imported(widthModel, {{"widht", "32"}}).rendered(),
              HasSubstr("did you mean `width`"));
  EXPECT_EQ(codesOf(widthModel, {{"width", "3.5"}}), "override_value\n");
  EXPECT_EQ(
      codesOf(trained("model M(x: f32[1, 28, 28]) = x |> flatten |> linear(10)",
                      "loss softmax_cross_entropy"),
              {{"rate", "0.2"}}),
      "override_option\n");
}

TEST(Consts, OverridesHaveTheTypeOfTheDefault) {
  const char *text = R"(
const a = 0.5
const b = true
const c = "t"
const d = 2 epochs
const n = if b and c == "u" and d == 3 epochs and a == 1.5 { 7 } else { 2 }
model M(x: f32[4]) -> f32[n] = x |> linear(n)
)";
  EXPECT_THAT(Imported(text).parameters(), HasSubstr("bias: tensor<2xf32>"));
  EXPECT_THAT(Imported(text, {{"a", "1.5"}, {"c", "u"}, {"d", "3 epochs"}})
                  .parameters(),
              HasSubstr("bias: tensor<7xf32>"));
}

/// Evaluates an expression as a size.
static std::string size(const std::string &expression) {
  Imported program("const n = " + expression +
                   "\nmodel M(x: f32[4]) = x |> linear(n)\n");
  if (!program.module)
    return program.codes();
  std::string all = program.parameters();
  return all.substr(all.find("bias: tensor<") + 13,
                    all.rfind("xf32") - all.find("bias: tensor<") - 13);
}

TEST(Consts, ArithmeticIsExact) {
  EXPECT_EQ(size("7 * 6 / 3 - 4 % 3"), "13");
  EXPECT_EQ(size("2 ** 5"), "32");
  EXPECT_EQ(size("len([i for i in 0..10 if i % 2 == 0])"), "5");
  EXPECT_EQ(size("[3, 5, 9][-1]"), "9");
  EXPECT_EQ(size("len([3, 5, 9][1..3])"), "2");
  EXPECT_EQ(size("if not (1 < 2) or 2.0 >= 3 { 1 } else { 6 }"), "6");
  EXPECT_EQ(size("max(3, 4)"), "4");
}

TEST(Consts, Errors) {
  EXPECT_EQ(size("7 / 2"), "1:11 division_exact\n");
  EXPECT_EQ(size("7 / 0"), "1:11 division_by_zero\n");
  EXPECT_EQ(size("9_000_000_000 * 9_000_000_000"), "1:11 integer_overflow\n");
  EXPECT_EQ(size("(-9223372036854775807 - 1) / -1"), "1:11 integer_overflow\n");
  EXPECT_EQ(size("[1, 2][2]"), "1:18 index_range\n");
  EXPECT_EQ(size("len([1, 2][1..1])"), "1:22 index_empty\n");
  EXPECT_EQ(size("[1, 2][0, 1]"), "1:11 index_count\n");
}

/// Programs without end, or larger than any machine, are errors at once.
TEST(Consts, Limits) {
  EXPECT_EQ(size("len(0..1000000)"), "1000000");
  EXPECT_EQ(size("len(0..1000001)"), "1:15 list_length\n");
  EXPECT_EQ(size("len(-9223372036854775807..9223372036854775807)"),
            "1:15 list_length\n");
  EXPECT_EQ(size("len([len([j for j in 0..9999]) for i in 0..9999])"),
            "1:21 too_many_steps\n");
  EXPECT_EQ(size("1 ** 9000000000000000001"), "1");
  EXPECT_EQ(size("3 + (-1) ** 9000000000000000001"), "2");
  EXPECT_EQ(size("3 + 0 ** 9000000000000000000"), "3");
  EXPECT_EQ(size("-(-9223372036854775807 - 1)"), "1:11 integer_overflow\n");
}

/// Thirty lines make a thousand million operations, or layers.
TEST(Consts, LimitsOfWhatIsInlined) {
  std::string functions = "fn f0(x: f32[..]) -> f32[..] = x + x\n";
  std::string layers = "layer l0(n: int)(x: f32[..]) -> f32[..] = x * n\n";
  for (int i = 1; i < 30; ++i) {
    std::string f = "f" + std::to_string(i - 1);
    functions += "fn f" + std::to_string(i) + "(x: f32[..]) -> f32[..] = " + f +
                 "(" + f + "(x))\n";
    std::string l = " |> l" + std::to_string(i - 1) + "(n)";
    layers += "layer l" + std::to_string(i) +
              "(n: int)(x: f32[..]) -> f32[..] = x" + l + l + "\n";
  }
  EXPECT_THAT(codesOf(functions + "model M(x: f32[4]) = f29(x)\n"),
              HasSubstr("too_many_steps"));
  EXPECT_THAT(codesOf(layers + "model M(x: f32[4]) = x |> l29(2)\n"),
              HasSubstr("too_many_steps"));
}

static const char *pictureModel =
    "model M(x: f32[1, 28, 28]) -> f32[10] = x |> flatten |> linear(10)";

TEST(Options, BecomeSettingsOfTheStep) {
  Imported program(trained(pictureModel, "loss softmax_cross_entropy"));
  ASSERT_EQ(program.codes(), "");
  std::string settings = program.function("settings");
  EXPECT_THAT(settings, HasSubstr("dpl.option_value @rate : tensor<f64>"));
  // An optimizer's setting has the name of its parameter.
  EXPECT_THAT(settings, HasSubstr("dpl.setting \"lr\""));
  EXPECT_THAT(program.function("sgd"),
              HasSubstr("dpl.setting_value \"lr\" : tensor<f32>"));
}

TEST(Options, ArithmeticOnThemIsDoneInTheSettings) {
  Imported scaled(
      trained(pictureModel, "loss a: sum(abs(out)) * (2 * rate + 1)"));
  ASSERT_EQ(scaled.rendered(), "");
  EXPECT_THAT(scaled.function("settings"), HasSubstr("dpl.mul"));
  EXPECT_THAT(scaled.function("settings"), HasSubstr("dpl.setting \"rate\""));
}

TEST(Options, CannotDecideAShape) {
  std::string codes =
      codesOf("option n = 3\nmodel M(x: f32[4]) = x |> linear(n)\n");
  EXPECT_THAT(codes, HasSubstr("option_structural"));
}

/// Through a function Sema cannot follow it; Import still can.
TEST(Options, CannotDecideABranchFarAway) {
  Imported program(R"(
option rate = 0.5
fn twice(a: float) = a * 2
fn scaled(p: float)(x: f32[..]) -> f32[..] = if p > 1 { x * p } else { x }
model M(x: f32[4]) -> f32[4] = x |> scaled(twice(rate))
)");
  EXPECT_THAT(program.codes(), HasSubstr("option_structural"));
  EXPECT_THAT(program.rendered(), HasSubstr("const rate"));
}

TEST(Options, MayBeADurationOrATextForTheTrainer) {
  Imported program(R"(
option folder = "digits"
option length = 3 epochs  "length of the run"
dataset digits = mnist(folder, split: train) |> to_float
iterator batches = serial(digits, batch: 64, repeat: true)
model M(x: f32[1, 28, 28]) -> f32[10] = x |> flatten |> linear(10)
train M {
  data batches
  loss softmax_cross_entropy
  optimizer sgd(lr: 0.1)
  stop length
}
)");
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(program.ir(), HasSubstr("path = {option = \"folder\"}"));
  EXPECT_THAT(
      program.ir(),
      HasSubstr("stop = {count = {option = \"length\"}, unit = \"epoch\"}"));
}
