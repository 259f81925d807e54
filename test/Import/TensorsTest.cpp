//===- TensorsTest.cpp - operators, literals, broadcasting ----------------===//

#include "test/Import/Imported.h"

#include "llvm/ADT/StringRef.h"
#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;
using testing::Not;

/// The model's function for one expression over x: f32[2, 3] and v: f32[3].
static std::string forward(const std::string &expression) {
  Imported program("model M(x: f32[2, 3], v: f32[3]) =\n" + expression + "\n");
  EXPECT_EQ(program.rendered(), "") << expression;
  return program.function("M.forward");
}

static std::string codes(const std::string &expression) {
  return codesOf("model M(x: f32[2, 3], v: f32[3]) =\n" + expression + "\n");
}

TEST(Tensors, InputsArePerSampleAndParametersAreNot) {
  EXPECT_THAT(forward("x"), HasSubstr("tensor<2x3xf32, #dpl.per_sample>"));
  EXPECT_THAT(forward("tensor([1.0, 2.0]) * 2"), HasSubstr("tensor<2xf32>"));
}

TEST(Tensors, LiteralsAreConstantsOfTheWholeShape) {
  std::string ir = forward("x + 1");
  EXPECT_THAT(ir, HasSubstr("dense<1.000000e+00> : tensor<2x3xf32>"));
  EXPECT_THAT(ir, Not(HasSubstr("dpl.broadcast")));
}

TEST(Tensors, BroadcastingIsExplicit) {
  EXPECT_THAT(forward("x * v"),
              HasSubstr("axes = array<i64: 1>, shape = array<i64: 2, 3>"));
  // An axis of size 1 is removed first.
  std::string ir = forward("x - max(x, 0)[.., 0..1]");
  EXPECT_THAT(ir, HasSubstr("dpl.reshape"));
  EXPECT_THAT(ir, HasSubstr("axes = array<i64: 0>"));
}

TEST(Tensors, AReductionCanKeepItsAxes) {
  EXPECT_THAT(forward("sum(x, axes: [-1], keep: true)"),
              HasSubstr("shape = array<i64: 2, 1>"));
  EXPECT_THAT(forward("mean(x)"), HasSubstr("dense<0.166666672>"));
}

TEST(Tensors, TrivialFactorsAndTermsAreLeftOut) {
  EXPECT_THAT(forward("1 * x + 0.0"), Not(HasSubstr("dpl.mul")));
  EXPECT_THAT(forward("x + 0.0 * exp(x)"), Not(HasSubstr("dpl.add")));
  EXPECT_THAT(forward("x ** 2"), HasSubstr("dpl.mul"));
  EXPECT_THAT(forward("x ** 0.5"), HasSubstr("dpl.sqrt"));
  EXPECT_THAT(forward("x ** 1.5"), HasSubstr("dpl.pow"));
}

TEST(Tensors, ComparisonsGiveMasks) {
  EXPECT_THAT(forward("where(x > v and not (x < 0), x, -1.0)"),
              HasSubstr("dpl.select"));
  EXPECT_THAT(forward("cast(x >= 1, to: f32)"), HasSubstr("dpl.cast"));
  EXPECT_THAT(forward("where(true, x, v)"), Not(HasSubstr("dpl.select")));
}

TEST(Tensors, LocationsHaveThePlaceAndThePath) {
  Imported program("model M(x: f32[4]) {\n let fc = linear(2)\n x |> fc\n}\n");
  std::string text;
  llvm::raw_string_ostream os(text);
  program.module->print(os,
                        mlir::OpPrintingFlags().enableDebugInfo(true, true));
  EXPECT_THAT(text, HasSubstr("\"fc\"("));
  EXPECT_THAT(text, HasSubstr("test.dpl:3:7"));
}

TEST(Tensors, Errors) {
  EXPECT_EQ(codes("x[0..1.5, _]"), "2:6 needs_int\n");
  EXPECT_EQ(codes("argmax(x) / 2"), "2:1 needs_float\n");
  EXPECT_EQ(codes("argmax(x) + 0.5"), "2:1 literal_element\n");
  EXPECT_EQ(codes("argmax(x) + x"), "2:1 element_operands\n");
  EXPECT_EQ(codes("(x > 0) + (x > 0)"), "2:1 needs_number\n");
  EXPECT_EQ(codes("x % 2"), "2:1 operator_on_tensor\n");
  EXPECT_EQ(codes("where(x, x, x)"), "2:1 where_condition\n");
  EXPECT_EQ(codes("where(argmax(x) == argmax(x[.., 0..2]), 1.0, 0.0)"),
            "2:7 class_operands\n");
  EXPECT_EQ(codes("ratio(x, 1.0)"), "2:1 ratio_scalar\n");
  EXPECT_EQ(codes("tensor([])"), "2:1 list_empty\n");
  EXPECT_EQ(codes("is_ignored(x)"), "2:1 needs_class\n");
  EXPECT_EQ(codes("exp(argmax(x))"), "2:1 needs_float\n");
}
