//===- LayersTest.cpp - layers: names, sharing, functions -----------------===//

#include "test/Import/Imported.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <gmock/gmock.h>

#include <regex>

using namespace dpl::test;
using testing::HasSubstr;
using testing::Not;

static size_t count(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).count(part);
}

TEST(Layers, AreFunctionsWithTheirNameAndPath) {
  Imported program("model M(x: f32[4]) -> f32[2] {\n let fc = linear(2)\n x |> "
                   "fc |> relu\n}\n");
  ASSERT_EQ(program.codes(), "");
  std::string layer = program.function("M.fc");
  EXPECT_THAT(layer, HasSubstr("dpl.layer = \"linear\""));
  EXPECT_THAT(layer, HasSubstr("dpl.path = \"fc\""));
  EXPECT_THAT(layer, HasSubstr("dpl.read @fc.weight : tensor<2x4xf32>"));
  EXPECT_THAT(program.function("relu"), HasSubstr("dpl.layer = \"relu\""));
  EXPECT_THAT(program.function("relu"), Not(HasSubstr("dpl.path")));
}

TEST(Layers, OneValueAppliedTwiceIsOneFunctionAndOneParameter) {
  Imported program("model M(x: f32[4]) -> f32[4] {\n let fc = linear(4)\n x |> "
                   "fc |> fc\n}\n");
  ASSERT_EQ(program.codes(), "");
  EXPECT_EQ(count(program.ir(), "dpl.parameter"), 2u);
  EXPECT_EQ(count(program.function("M.forward"), "call @M.fc("), 2u);
}

TEST(Layers, OneValueForInputsOfOtherShapesSharesItsParameters) {
  Imported program(R"(
model M(x: f32[1, 8, 8], y: f32[1, 4, 4]) -> (a: f32[2, 8, 8], b: f32[2, 4, 4]) {
  let c = conv2d(2, kernel: 3, pad: 1)
  (a: c(x), b: c(y))
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_EQ(count(program.ir(), "dpl.parameter"), 2u);
  EXPECT_NE(program.function("M.c_1"), "");
}

TEST(Layers, SharedParametersMustHaveOneShape) {
  EXPECT_EQ(codesOf(R"(
model M(x: f32[4], y: f32[5]) -> (a: f32[2], b: f32[2]) {
  let fc = linear(2)
  (a: fc(x), b: fc(y))
}
)"),
            "4:17 param_shape\n");
}

TEST(Layers, TwoMentionsOfAMakerAreTwoLayers) {
  Imported program(
      "model M(x: f32[4]) -> f32[4] = x |> linear(4) |> linear(4)\n");
  ASSERT_EQ(program.codes(), "");
  EXPECT_EQ(count(program.ir(), "dpl.parameter"), 4u);
}

TEST(Layers, NamesAreLetsAndListIndices) {
  Imported program(R"(
layer Pair(n: int)(x: f32[..]) {
  let body = [linear(n), relu, linear(n)]
  x |> body
}
model M(x: f32[4]) -> f32[4] {
  let blocks = [Pair(4) for _ in 0..2]
  x |> blocks
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.parameters(), HasSubstr("blocks.0.body.0.weight"));
  EXPECT_THAT(program.parameters(), HasSubstr("blocks.1.body.2.bias"));
}

TEST(Layers, NamesInALoopHaveItsIndex) {
  Imported program(R"(
model M(x: f32[4]) -> f32[4] {
  var h = x
  for i in 0..2 {
    let fc = linear(4)
    h = h |> fc |> linear(4)
  }
  h
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.parameters(), HasSubstr("fc.0.weight"));
  EXPECT_THAT(program.parameters(), HasSubstr("fc.1.weight"));
  EXPECT_THAT(program.parameters(), HasSubstr("linear1.1.bias"));
}

TEST(Layers, ALayerAsASettingHasTheSettingsName) {
  Imported program(R"(
layer Residual(body: layer)(x: f32[..]) = x + body(x)
model M(x: f32[4]) -> f32[4] {
  let first = Residual(linear(4))
  x |> first
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.parameters(), HasSubstr("first.body.weight"));
}

TEST(Layers, AFunctionThatMakesLayersMakesNewOnesEachTime) {
  Imported program(R"(
fn head(x: f32[..]) = x |> linear(4)
model M(x: f32[4]) -> f32[4] = x |> head |> head
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.parameters(), HasSubstr("linear1.weight"));
  EXPECT_THAT(program.parameters(), HasSubstr("linear2.weight"));
}

TEST(Layers, AFunctionMayGiveLayers) {
  Imported program(R"(
fn stage(n: int) = [linear(n), linear(n)]
model M(x: f32[4]) -> f32[3] {
  let layer1 = stage(3)
  x |> layer1
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.parameters(),
              HasSubstr("layer1.1.weight: tensor<3x3xf32>"));
}

TEST(Layers, AParameterCanBeTied) {
  Imported program(R"(
model M(x: f32[4]) -> f32[4] {
  let fc = linear(3, bias: false)
  let h = x |> fc
  einsum(h[o] * fc.weight[o, n] -> [n])
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.function("M.forward"),
              HasSubstr("dpl.read @fc.weight : tensor<3x4xf32>"));
}

TEST(Layers, AParameterIsKnownOnceItsLayerWasApplied) {
  EXPECT_EQ(codesOf("model M(x: f32[4]) -> f32[4] {\n let fc = linear(4)\n let "
                    "w = fc.weight\n"
                    " einsum(fc(x)[o] * w[o, n] -> [n])\n}\n"),
            "3:13 layer_parameter\n");
}

TEST(Layers, TheUsersOwnLayerHasParametersOfItsOwn) {
  Imported program(R"(
layer Scale()(x: f32[.., n]) -> f32[.., n] {
  param gain: f32[n] = ones as norm
  param shift: f32[n] = normal(std: 0.02)
  x * gain + shift
}
model M(x: f32[4]) -> f32[4] {
  let s = Scale()
  x |> s
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.ir(), HasSubstr("dpl.parameter @s.gain : tensor<4xf32> "
                                      "init {kind = \"ones\"} as \"norm\""));
  EXPECT_THAT(program.ir(), HasSubstr("kind = \"normal\", mean = 0.000000e+00 "
                                      ": f64, std = 2.000000e-02 : f64"));
}

/// A layer of the prelude has no privilege: a copy gives the same operations.
TEST(Layers, ACopyOfAPreludeLayerGivesTheSameOperations) {
  const char *copy = R"(
layer my_linear(out: int, bias: bool = true, init: initializer = he_uniform)(x: f32[.., n]) -> f32[.., out] {
  param weight: f32[out, n] = init
  let y = einsum(x[.., n] * weight[o, n] -> [.., o])
  if bias {
    param bias: f32[out] = zeros as bias
    y + bias
  } else { y }
}
)";
  Imported theirs(
      "model M(x: f32[4]) -> f32[2] {\n let fc = linear(2)\n x |> fc\n}\n");
  Imported ours(
      std::string(copy) +
      "model M(x: f32[4]) -> f32[2] {\n let fc = my_linear(2)\n x |> fc\n}\n");
  ASSERT_EQ(ours.codes(), "");
  EXPECT_EQ(std::regex_replace(ours.ir(), std::regex("my_linear"), "linear"),
            theirs.ir());
}

TEST(Layers, AUnusedLayerIsWarnedOf) {
  Imported program("model M(x: f32[4]) -> f32[4] {\n let a = [linear(4)]\n let "
                   "b = [linear(4), a]\n x |> linear(4)\n}\n");
  EXPECT_EQ(program.codes(), "2:6 unused_layer\n3:6 unused_layer\n");
  EXPECT_TRUE(program.module);
}

TEST(Layers, TwoLayersOfOneNameAreAnError) {
  EXPECT_EQ(codesOf(R"(
model M(x: f32[4]) -> f32[4] {
  let h = if true {
    let fc = linear(4)
    x |> fc
  } else { x }
  let fc = linear(4)
  h |> fc
}
)"),
            "7:7 path_twice\n");
}

TEST(Layers, TheTableOfLayersHasShapesAndFlops) {
  Imported program("model M(x: f32[1, 4, 4]) -> f32[2, 4, 4] {\n let c = "
                   "conv2d(2, kernel: 3, pad: 1)\n x |> c\n}\n");
  ASSERT_EQ(program.codes(), "");
  // 2 * 2 * 1 * 3 * 3 * 4 * 4
  EXPECT_THAT(program.ir(), HasSubstr("flops = 576"));
  EXPECT_THAT(program.ir(), HasSubstr("input = [[1, 4, 4]]"));
  EXPECT_THAT(program.ir(),
              HasSubstr("parameters = [\"c.weight\", \"c.bias\"]"));
}

TEST(Layers, WhatDependsOnTrainingIsElaboratedTwice) {
  Imported program(R"(
layer Noisy()(x: f32[..]) = if training { x * 2 } else { x }
model M(x: f32[4]) -> f32[4] = x |> Noisy |> relu
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.function("M.noisy1"), HasSubstr("dpl.mul"));
  EXPECT_THAT(program.function("M.noisy1.eval"), Not(HasSubstr("dpl.mul")));
  EXPECT_EQ(count(program.ir(), "dpl.layer = \"relu\""), 1u);
}

TEST(Layers, AStateIsReadAndWritten) {
  Imported program(R"(
layer Count()(x: f32[n]) {
  state seen: f32[n] = zeros
  if training { seen = seen + 1 }
  x + seen
}
model M(x: f32[4]) -> f32[4] {
  let c = Count()
  x |> c
}
)");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(
      program.ir(),
      HasSubstr("dpl.state @c.seen : tensor<4xf32> init {kind = \"zeros\"}"));
  EXPECT_THAT(program.function("M.c"), HasSubstr("dpl.write @c.seen"));
  EXPECT_THAT(program.function("M.c.eval"), Not(HasSubstr("dpl.write")));
}

TEST(Layers, AStateTakesOnlyWhatExistsOnce) {
  EXPECT_EQ(codesOf(R"(
layer Last()(x: f32[n]) {
  state seen: f32[n] = zeros
  seen = x
  x
}
model M(x: f32[4]) -> f32[4] = x |> Last
)"),
            "4:10 state_per_sample\n");
}

// A second value would silently replace the first.
TEST(Layers, AStateTakesOneValueInAStep) {
  std::string model = R"(
layer Last()(x: f32[n]) {
  state seen: f32[n] = zeros
  seen = seen + 1
  x
}
model M(x: f32[4]) -> f32[4] {
  let last = Last
)";
  EXPECT_EQ(codesOf(model + "  x |> last |> last\n}\n"), "9:16 state_twice\n");
  EXPECT_EQ(codesOf(model + "  x |> last |> Last\n}\n"), "");
}

// Of one layer, two applications draw different numbers, each program the
// same.
TEST(Layers, EachApplicationDrawsItsOwnNumbers) {
  Imported program(R"(
layer Noise()(x: f32[..]) = x + random_normal(shape(x))
fn twice(x: f32[..]) = random_uniform([2]) + random_uniform([2])
model M(x: f32[4]) -> (a: f32[4], b: f32[2]) {
  let noise = Noise
  (a: x |> noise |> noise, b: twice(x))
}
)");
  ASSERT_EQ(program.codes(), "");
  for (const char *path : {"M.noise:1", "M.noise:2", "M:1", "M:2"})
    EXPECT_THAT(program.ir(),
                HasSubstr("\"" + std::string(path) + "\" word 0"));
}
