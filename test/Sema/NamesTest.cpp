//===- NamesTest.cpp - what names stand for, and when they do not ---------===//

#include "test/Sema/Analyzed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;

namespace {

TEST(UnknownNames, AreShownWithTheNearest) {
  Analyzed a("fn f(x) = x |> rellu\n");
  EXPECT_EQ(a.rendered(),
            R"(test.dpl:1:16: error: unknown name `rellu` [unknown_name]
    1 | fn f(x) = x |> rellu
      |                ^^^^^
test.dpl:1:16: hint: did you mean `relu`?
)");
}

// One typo, however often it is repeated, is one cause.
TEST(UnknownNames, AreShownOnceInADeclaration) {
  EXPECT_EQ(semaCodes("fn f(x) = y + y(x, train: sonst) + y\nfn g(x) = y\n"),
            "1:11 unknown_name\n2:11 unknown_name\n");
}

TEST(UnknownNames, InAssignments) {
  EXPECT_EQ(semaCodes("fn f(x) {\n  var total = x\n  totl = x\n  total\n}\n"),
            "3:3 unknown_name\n");
}

TEST(UnknownNames, InSizesThatNobodyBinds) {
  EXPECT_EQ(semaCodes("fn f(x: f32[n]) -> f32[m] = x * n\n"),
            "1:24 unknown_name\n");
  EXPECT_EQ(semaCodes("layer L(a: f32[k])(x: f32[n]) = x * n * a\n"),
            "1:16 unknown_name\n");
}

TEST(UnknownNames, AreNotPredefinedOnes) {
  EXPECT_EQ(
      semaCodes("fn f(x: f32[batch]) = if training { x * pi } else { -inf }\n"),
      "");
}

TEST(Blanks, HaveNoValue) {
  EXPECT_EQ(semaCodes("fn f(x) = x + _\n"), "1:15 blank_value\n");
  EXPECT_EQ(
      semaCodes("fn f(x) = [x for _ in 0..3][1]\nfn g(x: f32[_]) = x[_, 1]\n"),
      "");
}

TEST(Declarations, AreUnique) {
  EXPECT_EQ(semaCodes("const a = 1\noption a = 2\n"), "2:8 declared_twice\n");
  EXPECT_EQ(semaCodes("fn f(x, x) = x\n"), "1:9 declared_twice\n");
  EXPECT_EQ(semaCodes("fn f(x) {\n  let a = x\n  let a = a\n  a\n}\n"),
            "3:7 declared_twice\n");
}

TEST(Declarations, ShadowOnlyInside) {
  EXPECT_EQ(semaCodes("fn linear(x) = x\n"), "1:4 shadows_prelude\n");
  // Parameters, blocks and lets may.
  EXPECT_EQ(semaCodes("fn f(relu) {\n  let linear = relu\n  let relu = "
                      "linear\n  relu\n}\n"),
            "");
}

TEST(Declarations, AreNotMadeOfThemselves) {
  EXPECT_EQ(semaCodes("const a = b\nconst b = a + 1\n"),
            "2:11 declared_by_itself\n");
  EXPECT_EQ(semaCodes("fn f(x) = g(x)\nfn g(x) = f(x)\n"),
            "2:11 declared_by_itself\n");
  EXPECT_EQ(semaCodes("dataset d = d |> to_float\n"),
            "1:13 declared_by_itself\n");
  // Order does not matter otherwise.
  EXPECT_EQ(semaCodes("const a = b\nconst b = 1\n"), "");
}

TEST(Assignments, AreForVariables) {
  EXPECT_EQ(semaCodes("fn f(x) {\n  let a = x\n  a = x\n  a\n}\n"),
            "3:3 assigned_constant\n");
  EXPECT_EQ(semaCodes("fn f(x) {\n  x = x\n  x\n}\n"),
            "2:3 assigned_constant\n");
  EXPECT_EQ(
      semaCodes("fn f(x) = scan z in x carry h = 0 {\n  h = h + z\n  h\n}\n"),
      "");
}

TEST(Members, AreThoseOfTheLayer) {
  EXPECT_EQ(
      semaCodes(inModel("\n  let f = linear(10)\n  f(x) + f.bias + f.wieght")),
      "3:21 unknown_member\n");
  EXPECT_EQ(semaCodes("const a = 3\nconst b = a.c\n"), "2:13 unknown_member\n");
}

TEST(SetMembers, AreOfTheSet) {
  EXPECT_EQ(
      Analyzed("dataset d = mnist(\"a\", split: trian)\n").rendered(),
      R"(test.dpl:1:31: error: `trian` is none of train, test [unknown_set_member]
    1 | dataset d = mnist("a", split: trian)
      |                               ^^^^^
test.dpl:1:31: hint: did you mean `train`?
)");
  EXPECT_EQ(semaCodes("const train: train | test = test\n"
                      "dataset d = mnist(\"a\", split: train)\n"),
            "2:31 ambiguous_member\n");
}

TEST(Imports, NeedTheirFile) {
  EXPECT_EQ(semaCodes("import \"no_such_file.dpl\"\n"), "1:8 cannot_import\n");
}

// Errors of an imported file are shown there; its names may collide.
TEST(Imports, Collide) {
  Analyzed a("import \"imported.dpl\"\nfn Wide(x) = x\n",
             DPL_SEMA_TESTS "/test.dpl");
  EXPECT_EQ(a.codes(), "2:4 declared_twice\n");
}

TEST(SyntaxErrors, EndBeforeNames) {
  EXPECT_EQ(semaCodes("fn f(x) = y\nconst a =\n"), "2:10 expected\n");
}

TEST(Unused, NamesOfFunctions) {
  EXPECT_EQ(semaCodes(inModel(
                "\n  let f = linear(10)\n  let y = x\n  x |> linear(10)")),
            "2:7 unused_layer\n3:7 unused_name\n");
  EXPECT_EQ(
      semaCodes("layer L(out: int)(x) {\n  param w: f32[3] = zeros\n  x\n}\n"),
      "1:9 unused_name\n2:9 unused_name\n");
}

TEST(Unused, SizesSeenOnce) {
  EXPECT_EQ(semaCodes("fn f(x: f32[n, _]) = x\n"), "1:13 size_seen_once\n");
  EXPECT_EQ(
      semaCodes("extern fn f(x: f32[n])\nfn g(x: f32[n], y: f32[n]) = x + y\n"),
      "");
}

TEST(Unused, Declarations) {
  std::string all =
      inTraining("\n  data train_iter\n  loss softmax_cross_entropy\n"
                 "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n");
  EXPECT_EQ(
      semaCodes(all +
                "const k = 3\noption o = 1.0\n"
                "dataset more = mnist(\"a\", split: train)\nfn f(x) = x\n"),
      "11:10 unused_name\n"
      "13:7 unused_name\n"
      "14:8 unused_name\n"
      "15:9 dataset_not_read\n"
      "16:4 unused_name\n");
  // A file without a training is there to be imported.
  EXPECT_EQ(semaCodes("const k = 3\n"), "");
}

} // namespace
