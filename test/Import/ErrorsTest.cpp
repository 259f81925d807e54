//===- ErrorsTest.cpp - values that do not fit ----------------------------===//

#include "test/Import/Imported.h"

#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;

static std::string codes(const std::string &body) {
  return codesOf("model M(x: f32[4]) {\n" + body + "\n}\n");
}

TEST(Errors, Settings) {
  EXPECT_EQ(codesOf("model M(x: f32[1, 8, 8]) = x |> conv2d(2, kernel: [3, 3, 3])\n"), "1:51 type_count\n");
}

TEST(Errors, Sizes) {
  EXPECT_EQ(codes("x |> linear(0)"), "2:6 size_positive\n");
  EXPECT_EQ(codesOf("model M(x: f32[_, 4]) = x\n"), "1:16 size_unknown\n");
}

TEST(Errors, Lists) {
  EXPECT_EQ(codes("let a, b = [x, x, x]\na"), "2:12 let_count\n");
}

TEST(Errors, ResultsOfModels) {
  EXPECT_EQ(codesOf("model M(x: f32[4]) = [x, x]\n"), "1:7 model_result\n");
}

TEST(Errors, Parameters) {
  EXPECT_EQ(codes("param w: i32[4] = zeros\nx"), "2:10 param_element\n");
}

TEST(Errors, Records) {
  EXPECT_EQ(codesOf("fn two(x: f32[4]) = (a: x, b: x)\nmodel M(x: f32[4]) = two(x).c\n"), "2:29 value_field\n");
}

TEST(Errors, Data) {
  std::string model = "model M(x: f32[1, 28, 28]) = x |> flatten |> linear(10)\n"
                      "train M { data b; loss softmax_cross_entropy; optimizer sgd(lr: 0.1); stop 1 epoch }\n";
  std::string data = "dataset d = mnist(\"d\", split: train)";
  Imported bytes(model + data + "\niterator b = serial(d, batch: 4)\n");
  EXPECT_EQ(bytes.codes(), "1:9 input_u8\n");
  EXPECT_THAT(bytes.rendered(), HasSubstr("to_float"));
  EXPECT_EQ(codesOf(model + data + " |> to_float |> to_float\niterator b = serial(d, batch: 4)\n"), "3:53 type_element\n");
  EXPECT_EQ(codesOf(model + data + " |> to_float\niterator b = serial(d, batch: 0)\n"), "4:14 batch_positive\n");
}
