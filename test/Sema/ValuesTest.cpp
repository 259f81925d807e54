//===- ValuesTest.cpp - types, arguments, options -------------------------===//

#include "test/Sema/Analyzed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;

namespace {

TEST(Types, AreKnown) {
  EXPECT_EQ(Analyzed("fn f(x: f23) = x\n").rendered(),
            R"(test.dpl:1:9: error: unknown type `f23` [unknown_type]
    1 | fn f(x: f23) = x
      |         ^^^
test.dpl:1:9: hint: did you mean `f32`?
)");
  EXPECT_EQ(semaCodes("fn f(x: class) = x\n"), "1:9 class_without_count\n");
  EXPECT_EQ(semaCodes("fn f(x: f32(3)) = x\n"), "1:13 type_argument\n");
  EXPECT_EQ(semaCodes("fn f(x: f32?) = x\n"), "1:9 optional_type\n");
}

TEST(Arguments, AreNamedByTheDeclaration) {
  Analyzed a(inModel("\n  x |> conv2d(3, kernal: 3)"));
  EXPECT_EQ(a.codes(), "2:8 missing_argument\n2:18 unknown_argument\n");
}

TEST(Arguments, AreAllThere) {
  Analyzed a(inModel(" x |> conv2d "));
  EXPECT_EQ(a.codes(), "1:46 missing_argument\n");
  EXPECT_NE(a.rendered().find("`conv2d` needs `out`, `kernel`"),
            std::string::npos);
}

TEST(Arguments, AreGivenOnce) {
  EXPECT_EQ(semaCodes(inModel("\n  x |> linear(3, out: 4)")),
            "2:18 argument_twice\n");
  EXPECT_EQ(semaCodes("fn f(x) = relu(x, x)\n"), "1:19 too_many_arguments\n");
}

TEST(Settings, AreNamedButTheFirst) {
  Analyzed a(inModel("\n  x |> conv2d(3, 5)"));
  EXPECT_EQ(
      a.rendered(),
      R"(test.dpl:2:18: error: only the first setting may be bare; this one is `kernel` [setting_without_name]
    2 |   x |> conv2d(3, 5)
      |                  ^
test.dpl:2:18: hint: write `kernel: ` before it
)");
  EXPECT_EQ(semaCodes("fn f(x) = sum(x, [1], true)\n"),
            "1:23 setting_without_name\n");
}

TEST(Arguments, FitTheirTypes) {
  EXPECT_EQ(semaCodes(inModel("\n  x |> linear(\"a\")")),
            "2:15 type_mismatch\n");
  EXPECT_EQ(semaCodes(inModel("\n  x |> linear(1.5)")), "2:15 type_mismatch\n");
  EXPECT_EQ(semaCodes(inModel("\n  x |> linear(3, bias: 1)")),
            "2:24 type_mismatch\n");
  EXPECT_EQ(semaCodes(inModel("\n  x |> conv2d(x, kernel: 3)")),
            "2:15 type_mismatch\n");
  EXPECT_EQ(semaCodes(inModel("\n  x |> conv2d(1, kernel: [1.5, 2])")),
            "2:26 type_mismatch\n");
  EXPECT_EQ(semaCodes("const a: int = \"b\"\n"), "1:16 type_mismatch\n");
  EXPECT_EQ(
      semaCodes("dataset d = mnist(\"a\", split: train) |> to_float(1)\n"),
      "1:50 type_mismatch\n");
}

// Numbers widen, one number stands for equal ones, numbers for schedules.
TEST(Arguments, FitInTheseWays) {
  EXPECT_EQ(semaCodes(inModel("\n  x |> dropout(1) |> conv2d(1, kernel: 3, "
                              "pad: [1, 2]) |> linear(10, init: zeros)")),
            "");
}

TEST(Data, OfValuesHaveNoNames) {
  EXPECT_EQ(semaCodes(inModel("\n  let f = [relu, linear(10)]\n  f(a: x)")),
            "3:5 named_data\n");
}

TEST(Callees, AreFunctionsOrLayers) {
  EXPECT_EQ(semaCodes("fn f(x) = x(3)\n"), "1:11 not_callable\n");
  EXPECT_EQ(semaCodes("const a = 3\nfn f(x) = x |> a\n"),
            "2:16 not_callable\n");
}

TEST(Operands, AreNumbersAndTensors) {
  EXPECT_EQ(semaCodes("fn f(x) = x + relu\n"), "1:15 wrong_operand\n");
  EXPECT_EQ(semaCodes("const a = \"b\" * 2\n"), "1:11 wrong_operand\n");
  EXPECT_EQ(semaCodes("const a = 3\nconst b = a[0]\n"), "2:11 not_indexable\n");
}

TEST(Initializers, AreFunctions) {
  EXPECT_EQ(semaCodes("layer L(x) {\n  param w: f32[3] = 0\n  x + w\n}\n"),
            "2:21 not_an_initializer\n");
  EXPECT_EQ(
      semaCodes(
          "layer L(x) {\n  param w: f32[3] = zeros as bais\n  x + w\n}\n"),
      "2:30 unknown_role\n");
}

TEST(Blocks, HaveResults) {
  EXPECT_EQ(semaCodes("fn f(x) {\n  let a = x\n}\n"),
            "3:1 block_without_result\n");
  EXPECT_EQ(semaCodes("fn f(x) {\n  for i in 0..3 { x }\n  x\n}\n"),
            "2:19 unused_result\n");
  EXPECT_EQ(semaCodes("fn f(x) = if training { x }\n"),
            "1:11 if_without_else\n");
  EXPECT_EQ(
      semaCodes(
          "fn f(x) {\n  var a = x\n  if training { a = x * 2 }\n  a\n}\n"),
      "");
}

TEST(Conditions, AreKnownAtCompileTime) {
  EXPECT_EQ(semaCodes("fn f(x) = if x > 0 { x } else { 0 }\n"),
            "1:14 if_on_tensor\n");
}

TEST(Einsum, LabelsAreNames) {
  EXPECT_EQ(semaCodes("fn f(x) = einsum(x[i, 3] -> [i])\n"),
            "1:23 einsum_label\n");
  EXPECT_EQ(semaCodes("fn f(x) = einsum(x[i] -> [i, 3])\n"),
            "1:30 einsum_label\n");
  EXPECT_EQ(semaCodes("fn f(x) = einsum(x[i] -> [j, ..])\n"),
            "1:27 einsum_unknown_label\n1:30 einsum_unknown_label\n");
  // A label is a name of its own, even if something else is called so.
  EXPECT_EQ(semaCodes("option i = 1\nfn f(x) = einsum(x[i] -> [i])\n"), "");
}

TEST(Options, AreSimpleValues) {
  EXPECT_EQ(semaCodes("option a = [1, 2]\noption b = relu\n"),
            "1:12 option_type\n2:12 option_type\n");
  EXPECT_EQ(
      semaCodes("option a = 10 epochs\noption b = \"c\"\noption c = -1\n"), "");
}

TEST(Options, DecideNoShape) {
  Analyzed a("option width = 3\n" + inModel("\n  x |> linear(width)"));
  EXPECT_EQ(a.codes(), "3:15 option_structural\n");
  std::string text = a.rendered();
  EXPECT_NE(text.find("hint: declare it as `const width`"), std::string::npos);
  EXPECT_NE(text.find("note: it is needed at compile time here"),
            std::string::npos);
}

TEST(Options, DecideNoLoopOrBranch) {
  EXPECT_EQ(semaCodes("option n = 3\nfn f(x) = [x for _ in 0..n][1]\n"),
            "2:26 option_structural\n");
  EXPECT_EQ(semaCodes("option n = 3\nfn f(x) {\n  let m = n + 1\n  if m > 2 { "
                      "x } else { 2 }\n}\n"),
            "3:11 option_structural\n");
}

// Through a user's function to the primitive that needs it.
TEST(Options, AreFollowedThroughCalls) {
  EXPECT_EQ(semaCodes("option n = 3\nfn g(size: int, x) = max_pool2d(size)(x)\n"
                      "fn f(x) = g(x, n)\n"),
            "3:16 option_structural\n");
}

TEST(Options, MayBeNumbersOfTheStep) {
  EXPECT_EQ(
      semaCodes(
          "option p = 0.5\noption e = 1\nfn f(x) = x * e |> dropout(p)\n"),
      "3:17 pipe_mixed\n");
  EXPECT_EQ(
      semaCodes("option p = 0.5\noption e = 1\nfn f(x) {\n"
                "  let y = x * e\n  zeros(shape(y)) + (y |> dropout(p))\n}\n"),
      "");
}

TEST(Options, ArePartOfNoConst) {
  EXPECT_EQ(semaCodes("option a = 1\nconst b = a + 1\n"),
            "2:11 option_in_const\n");
}

TEST(Options, AreNoFlagsOfEveryTrainer) {
  for (const char *name : {"epochs", "data", "help", "version", "dry_run",
                           "max_iterations", "resume"})
    EXPECT_EQ(semaCodes("option " + std::string(name) + " = 1\n"),
              "1:8 option_is_flag\n");
  EXPECT_EQ(semaCodes("const epochs = 1\noption epoch = 1\n"), "");
}

TEST(Conditions, CompareTheNameWithNumbers) {
  EXPECT_EQ(semaCodes("fn f(n: int(n >= 1), p: float(0 < p and p < 1)[]) = n * "
                      "p[0]\n"),
            "");
  EXPECT_EQ(semaCodes("fn f(n: int(k >= 1)) = n\n"), "1:13 range_form\n");
  EXPECT_EQ(semaCodes("fn f(x: f32(x >= 1)) = x\n"), "1:13 type_argument\n");
}

TEST(Tensors, AreWhatModelsParametersAndFieldsAreMadeOf) {
  EXPECT_EQ(semaCodes("model M(x: float[4]) = x\n"),
            "1:12 not_a_tensor_type\n");
  EXPECT_EQ(semaCodes("model M(x: f32[4]) -> int = x\n"),
            "1:23 not_a_tensor_type\n");
  EXPECT_EQ(semaCodes("model M(x: (a: f32)) = x\n"),
            "1:12 not_a_tensor_type\n");
  EXPECT_EQ(semaCodes("layer L(x: f32[4]) {\n  param w: float[4] = zeros\n  "
                      "x * w\n}\n"),
            "2:12 not_a_tensor_type\n");
  EXPECT_EQ(semaCodes("extern reader r() -> (x: int)\n"),
            "1:26 not_a_tensor_type\n");
  EXPECT_EQ(
      semaCodes("extern reader r()\ndataset d: (x: f32, y: bool) = r()\n"),
      "2:24 not_a_tensor_type\n");
  // An unknown type is one cause.
  EXPECT_EQ(semaCodes("model M(x: flt[4]) = x\n"), "1:12 unknown_type\n");
}

} // namespace
