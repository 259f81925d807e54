//===- ErrorsTest.cpp - values that do not fit ----------------------------===//

#include "test/Import/Imported.h"

#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;

static std::string codes(const std::string &body) {
  return codesOf("model M(x: f32[4]) {\n" + body + "\n}\n");
}

TEST(Errors, Settings) {
  EXPECT_EQ(
      codesOf("model M(x: f32[1, 8, 8]) = x |> conv2d(2, kernel: [3, 3, 3])\n"),
      "1:51 type_count\n");
}

/// Kinds that only evaluation knows: Sema does not follow values through calls.
TEST(Errors, Kinds) {
  auto with = [](const std::string &expression) {
    return codesOf(
        "model M(x: f32[4]) = " + expression +
        "\nfn text() = \"a\"\nfn half() = 0.5\nfn stages() = [relu]\n");
  };
  EXPECT_EQ(with("x |> linear(half())"), "1:34 type_kind\n");
  EXPECT_EQ(with("if half() { x } else { x }"), "1:25 needs_bool\n");
  EXPECT_EQ(with("[x for _ in half()][0]"), "1:34 needs_list\n");
  EXPECT_EQ(with("x + text()"), "1:22 not_a_tensor\n");
  EXPECT_EQ(with("x * (text() + 1)"), "1:26 operator_operands\n");
  EXPECT_EQ(with("x * -text()"), "1:26 operator_operand\n");
  EXPECT_EQ(with("text()(x)"), "1:22 cannot_apply\n");
  EXPECT_EQ(with("x * text()[0]"), "1:26 cannot_index\n");
  EXPECT_EQ(with("text().a"), "1:29 no_members\n");
  EXPECT_EQ(with("stages()[0](x, x)"), "1:22 data_count\n");
  EXPECT_EQ(with("stages()[0]()"), "1:22 data_missing\n");
  EXPECT_EQ(with("scan z in x carry h = x { h }"), "1:22 not_available\n");
}

TEST(Errors, Declarations) {
  const char *model = "model M(x: f32[4]) = x\n";
  EXPECT_EQ(codesOf(std::string(model) + "const t = tensor([1.0])\n"),
            "2:11 tensor_outside\n");
  EXPECT_THAT(
      codesOf(std::string(model) + "fn many() = [1, 2]\noption o = many()\n"),
      HasSubstr("3:12 option_value_type"));
  EXPECT_EQ(codesOf("model M(x) = relu(x)\n"), "1:9 input_without_type\n");
  EXPECT_EQ(codesOf("fn f(x: f32[..]) {\n param w: f32[4] = zeros\n x * "
                    "w\n}\nmodel M(x: f32[4]) = f(x)\n"),
            "2:2 param_place\n");
  EXPECT_EQ(codes("param w: f32[4] = relu\nx * w"), "2:19 initializer_value\n");
  EXPECT_EQ(codesOf("dataset settings = mnist(\"d\", split: train)\niterator i "
                    "= serial(settings, batch: 1)\n"),
            "1:9 name_taken\n");
}

TEST(Errors, Sizes) {
  EXPECT_EQ(codes("x |> linear(0)"), "2:13 out_of_range\n");
  EXPECT_EQ(codesOf("model M(x: f32[0]) = x\n"), "1:16 size_positive\n");
  EXPECT_EQ(codesOf("model M(x: f32[_, 4]) = x\n"), "1:16 size_unknown\n");
}

TEST(Errors, Lists) {
  EXPECT_EQ(codes("let a, b = [x, x, x]\na"),
            "2:8 unused_name\n2:12 let_count\n");
}

TEST(Errors, ResultsOfModels) {
  EXPECT_EQ(codesOf("model M(x: f32[4]) = [x, x]\n"), "1:7 model_result\n");
}

TEST(Errors, Parameters) {
  EXPECT_EQ(codes("param w: i32[4] = zeros\nx"),
            "2:7 unused_name\n2:10 param_element\n");
}

TEST(Errors, Records) {
  EXPECT_EQ(
      codesOf(
          "fn two(x: f32[4]) = (a: x, b: x)\nmodel M(x: f32[4]) = two(x).c\n"),
      "2:29 value_field\n");
}

TEST(Errors, Data) {
  std::string model =
      "model M(x: f32[1, 28, 28]) = x |> flatten |> linear(10)\n"
      "train M { data b; loss softmax_cross_entropy; optimizer sgd(lr: 0.1); "
      "stop 1 epoch }\n";
  std::string data = "dataset d = mnist(\"d\", split: train)";
  Imported bytes(model + data + "\niterator b = serial(d, batch: 4)\n");
  EXPECT_EQ(bytes.codes(), "1:9 input_u8\n");
  EXPECT_THAT(bytes.rendered(), HasSubstr("to_float"));
  EXPECT_EQ(
      codesOf(model + data +
              " |> to_float |> to_float\niterator b = serial(d, batch: 4)\n"),
      "3:53 type_element\n");
  EXPECT_EQ(codesOf(model + data +
                    " |> to_float\niterator b = serial(d, batch: 0)\n"),
            "4:31 out_of_range\n");
  EXPECT_EQ(codesOf(model + data +
                    " |> to_float |> normalize(mean: 2 * t, std: "
                    "1.0)\niterator b = serial(d, batch: 4)\noption t = 2.5\n"),
            "3:69 option_arithmetic\n");
  EXPECT_EQ(
      codesOf(model +
              "extern reader odd(init: initializer) -> (x: f32[1, 28, 28], y: "
              "class(10))\n"
              "dataset d = odd(zeros)\niterator b = serial(d, batch: 4)\n"),
      "4:17 not_a_literal\n");
}
