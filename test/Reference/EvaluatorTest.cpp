//===- EvaluatorTest.cpp - The reference evaluator on numbers by hand -----===//

#include "compiler/Reference/Evaluator.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;
using testing::ElementsAre;

namespace {

using Numbers = std::vector<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();

class Evaluation : public testing::Test {
protected:
  Evaluation() {
    context.disableMultithreading();
    context.loadDialect<DplDialect, func::FuncDialect>();
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  /// Results of @f for `samples` samples. An argument takes the numbers of all
  /// its instances, one after the other.
  std::vector<BatchValue> run(std::vector<Numbers> arguments,
                              int64_t samples = 1) {
    auto func = module->lookupSymbol<func::FuncOp>("f");
    std::vector<BatchValue> values;
    for (auto [type, numbers] : llvm::zip(func.getArgumentTypes(), arguments)) {
      BatchValue v;
      v.perSample = isPerSample(type);
      auto *at = numbers.begin().base();
      for (int64_t s = 0; s < (v.perSample ? samples : 1); ++s) {
        Tensor t(cast<RankedTensorType>(type).getShape());
        std::copy(at, at + t.size(), t.data.begin());
        at += t.size();
        v.tensors.push_back(t);
      }
      values.push_back(v);
    }
    auto results = Evaluator(*module, store, samples).run(func, values);
    EXPECT_TRUE(succeeded(results));
    return succeeded(results) ? *results : std::vector<BatchValue>();
  }

  /// The only result of one operation on `arguments`: %0, %1 ..
  Numbers one(StringRef op, std::vector<Numbers> arguments) {
    auto [line, type] = op.rsplit(" : ");
    auto [from, to] = type.rsplit(" -> ");
    std::string text = "func.func @f(";
    SmallVector<StringRef> types;
    if (from != "()")
      from.drop_front().drop_back().split(types, ", ");
    for (auto [i, t] : llvm::enumerate(types))
      text += (i ? ", " : "") + ("%" + std::to_string(i)) + ": " + t.str();
    text += ") -> " + to.str() + " {\n %r = " + line.str() + " : " +
            (from == "()" ? to.str() : type.str()) +
            "\n return %r : " + to.str() + "\n}";
    parse(text);
    std::vector<BatchValue> results = run(std::move(arguments));
    return results.empty() ? Numbers() : results[0].at(0).data;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Store store;
};

} // namespace

TEST_F(Evaluation, IntegerResultsAreWhole) {
  EXPECT_THAT(
      one("dpl.div %0, %1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>",
          {{7, -7, 6}, {2, 2, 3}}),
      ElementsAre(3, -3, 2));
  EXPECT_THAT(one("dpl.cast %0 {to = i32} : (tensor<3xf32>) -> tensor<3xi32>",
                  {{1.9, -1.9, 3}}),
              ElementsAre(1, -1, 3));
}

TEST_F(Evaluation, MaxPassesNaN) {
  Numbers r =
      one("dpl.max %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>",
          {{NAN, 1, 1}, {0, 2, NAN}});
  EXPECT_TRUE(std::isnan(r[0]));
  EXPECT_EQ(r[1], 2);
  EXPECT_TRUE(std::isnan(r[2]));
}

TEST_F(Evaluation, ArgmaxTakesTheFirstNaN) {
  EXPECT_THAT(one("dpl.argmax %0 {axis = 1 : i64} : (tensor<3x3xf32>) -> "
                  "tensor<3xi32>",
                  {{1, NAN, NAN, NAN, 2, 1, 1, 2, 2}}),
              ElementsAre(1, 0, 1));
}

TEST_F(Evaluation, SineAndErrorFunction) {
  Numbers sine = one("dpl.sin %0 : (tensor<3xf32>) -> tensor<3xf32>",
                     {{0, std::numbers::pi / 6, -std::numbers::pi / 2}});
  EXPECT_EQ(sine[0], 0);
  EXPECT_NEAR(sine[1], 0.5, 1e-15);
  EXPECT_NEAR(sine[2], -1, 1e-15);
  Numbers erf =
      one("dpl.erf %0 : (tensor<3xf32>) -> tensor<3xf32>", {{0, 0.5, -kInf}});
  EXPECT_EQ(erf[0], 0);
  EXPECT_NEAR(erf[1], 0.5204998778130465, 1e-15);
  EXPECT_EQ(erf[2], -1);
}

TEST_F(Evaluation, CompareAndSelect) {
  const std::pair<const char *, Numbers> table[] = {
      {"eq", {0, 1, 0}}, {"ne", {1, 0, 1}}, {"lt", {1, 0, 0}},
      {"le", {1, 1, 0}}, {"gt", {0, 0, 1}}, {"ge", {0, 1, 1}}};
  for (auto &[predicate, expected] : table)
    EXPECT_EQ(
        one("dpl.compare " + std::string(predicate) +
                " %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>",
            {{1, 2, 3}, {2, 2, 2}}),
        expected)
        << predicate;
  EXPECT_THAT(one("dpl.select %0, %1, %2 : (tensor<2xi1>, tensor<2xf32>, "
                  "tensor<2xf32>) -> tensor<2xf32>",
                  {{1, 0}, {1, 2}, {3, 4}}),
              ElementsAre(1, 4));
}

TEST_F(Evaluation, ConstantsOfEveryType) {
  EXPECT_THAT(
      one("dpl.constant dense<[[1.5, -2.0]]> : () -> tensor<1x2xf32>", {}),
      ElementsAre(1.5, -2));
  EXPECT_THAT(one("dpl.constant dense<-3> : () -> tensor<2xi32>", {}),
              ElementsAre(-3, -3));
  EXPECT_THAT(one("dpl.constant dense<[true, false]> : () -> tensor<2xi1>", {}),
              ElementsAre(1, 0));
  EXPECT_THAT(one("dpl.iota {axis = 0 : i64} : () -> tensor<2x2xi32>", {}),
              ElementsAre(0, 0, 1, 1));
}

TEST_F(Evaluation, Rearrangements) {
  EXPECT_THAT(one("dpl.broadcast %0 {shape = array<i64: 2, 3>, axes = "
                  "array<i64: 0>} : (tensor<2xf32>) -> tensor<2x3xf32>",
                  {{1, 2}}),
              ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(one("dpl.reshape %0 {shape = array<i64: 3, 2>} : "
                  "(tensor<2x3xf32>) -> tensor<3x2xf32>",
                  {{1, 2, 3, 4, 5, 6}}),
              ElementsAre(1, 2, 3, 4, 5, 6));
  // Axis 0 of the result is axis 2 of the operand.
  EXPECT_THAT(one("dpl.transpose %0 {permutation = array<i64: 2, 0, 1>} : "
                  "(tensor<1x2x3xf32>) -> tensor<3x1x2xf32>",
                  {{1, 2, 3, 4, 5, 6}}),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(one("dpl.reverse %0 {axes = array<i64: 1>} : (tensor<2x3xf32>) "
                  "-> tensor<2x3xf32>",
                  {{1, 2, 3, 4, 5, 6}}),
              ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_THAT(
      one("dpl.slice %0 {start = array<i64: 0, 1>, size = array<i64: 2, 2>, "
          "step = array<i64: 1, 2>} : (tensor<2x4xf32>) -> tensor<2x2xf32>",
          {{1, 2, 3, 4, 5, 6, 7, 8}}),
      ElementsAre(2, 4, 6, 8));
}

TEST_F(Evaluation, PadAddsCutsAndSpreads) {
  auto pad = [&](std::string low, std::string high, std::string interior,
                 int length, std::string value = "0.0") {
    return one(
        "dpl.pad %0 {low = array<i64: " + low + ">, high = array<i64: " + high +
            ">, interior = array<i64: " + interior + ">, value = " + value +
            " : f64} : (tensor<3xf32>) -> tensor<" + std::to_string(length) +
            "xf32>",
        {{1, 2, 3}});
  };
  EXPECT_THAT(pad("1", "2", "0", 6), ElementsAre(0, 1, 2, 3, 0, 0));
  EXPECT_THAT(pad("0", "0", "1", 5, "9.0"), ElementsAre(1, 9, 2, 9, 3));
  EXPECT_THAT(pad("-1", "-1", "0", 1), ElementsAre(2));
  EXPECT_THAT(pad("-1", "1", "1", 5), ElementsAre(0, 2, 0, 3, 0));
  EXPECT_THAT(pad("-4", "3", "0", 2), ElementsAre(0, 0));
}

TEST_F(Evaluation, ReductionsAndArgmax) {
  Numbers x = {1, 5, 5, -1, -2, -3};
  EXPECT_THAT(one("dpl.reduce sum %0 {axes = array<i64: 1>} : "
                  "(tensor<2x3xf32>) -> tensor<2xf32>",
                  {x}),
              ElementsAre(11, -6));
  EXPECT_THAT(one("dpl.reduce max %0 {axes = array<i64: 0>} : "
                  "(tensor<2x3xf32>) -> tensor<3xf32>",
                  {x}),
              ElementsAre(1, 5, 5));
  EXPECT_THAT(one("dpl.reduce max %0 {axes = array<i64: 0, 1>} : "
                  "(tensor<2x3xf32>) -> tensor<f32>",
                  {x}),
              ElementsAre(5));
  EXPECT_THAT(
      one("dpl.argmax %0 {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>",
          {x}),
      ElementsAre(1, 0));
}

TEST_F(Evaluation, Contractions) {
  EXPECT_THAT(
      one("dpl.contract %0, %1 {lhs_labels = array<i64: 0, 1>, rhs_labels = "
          "array<i64: 1, 2>, result_labels = array<i64: 0, 2>} : "
          "(tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
          {{1, 2, 3, 4}, {5, 6, 7, 8}}),
      ElementsAre(19, 22, 43, 50));
  // The axis that only the left operand has is summed alone.
  EXPECT_THAT(one("dpl.contract %0, %1 {lhs_labels = array<i64: 0, 1>, "
                  "rhs_labels = array<i64: 2>, result_labels = array<i64: 2, "
                  "0>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>",
                  {{1, 2, 3, 4}, {10, 100}}),
              ElementsAre(30, 70, 300, 700));
}

TEST_F(Evaluation, TakeAndScatterAdd) {
  EXPECT_THAT(one("dpl.take %0, %1 {axis = 1 : i64} : (tensor<3x2xf32>, "
                  "tensor<3xi32>) -> tensor<3xf32>",
                  {{1, 2, 3, 4, 5, 6}, {1, 2, -1}}),
              ElementsAre(2, 0, 0));
  EXPECT_THAT(one("dpl.scatter_add %0, %1 {axis = 0 : i64, length = 2 : i64} : "
                  "(tensor<3xf32>, tensor<3xi32>) -> tensor<2x3xf32>",
                  {{1, 2, 3}, {1, 0, 2}}),
              ElementsAre(0, 2, 0, 1, 0, 0));
}

static std::string window(StringRef rest) {
  return ("{stride = array<i64: 2>, pad_low = array<i64: 1>, pad_high = "
          "array<i64: 0>, "
          "dilation = array<i64: 2>, dilate_input = array<i64: 1>" +
          rest + "}")
      .str();
}

// The picture 0 1 2 3 4 5 under a window of two taps, two apart, that moves
// by two: (0,2) (2,4); one more would need a seventh place.
TEST_F(Evaluation, WindowsInOneDimension) {
  EXPECT_THAT(
      one("dpl.conv %0, %1 " + window("") +
              " : (tensor<1x5xf32>, tensor<1x1x2xf32>) -> tensor<1x2xf32>",
          {{1, 2, 3, 4, 5}, {10, 1}}),
      ElementsAre(2, 24));
  EXPECT_THAT(
      one("dpl.conv_filter %0, %1 " + window(", window = array<i64: 2>") +
              " : (tensor<1x5xf32>, tensor<1x2xf32>) -> tensor<1x1x2xf32>",
          {{1, 2, 3, 4, 5}, {10, 1}}),
      ElementsAre(2, 24));
  EXPECT_THAT(one("dpl.pool sum %0 " + window(", window = array<i64: 2>") +
                      " : (tensor<1x5xf32>) -> tensor<1x2xf32>",
                  {{1, 2, 3, 4, 5}}),
              ElementsAre(2, 6));
  EXPECT_THAT(one("dpl.pool max %0 " + window(", window = array<i64: 2>") +
                      " : (tensor<1x5xf32>) -> tensor<1x2xf32>",
                  {{-1, -2, -3, -4, -5}}),
              ElementsAre(-2, -2));
  EXPECT_THAT(one("dpl.pool_max_grad %0, %1, %2 " +
                      window(", window = array<i64: 2>") +
                      " : (tensor<1x5xf32>, tensor<1x2xf32>, tensor<1x2xf32>) "
                      "-> tensor<1x5xf32>",
                  {{-1, -2, -3, -4, -5}, {-2, -2}, {10, 1}}),
              ElementsAre(0, 11, 0, 0, 0));
}

TEST_F(Evaluation, WindowThatMeetsNothing) {
  EXPECT_THAT(one("dpl.pool max %0 {window = array<i64: 1>, stride = "
                  "array<i64: 1>, pad_low = array<i64: 1>, pad_high = "
                  "array<i64: 0>, dilation = array<i64: 1>, dilate_input = "
                  "array<i64: 1>} : (tensor<1x1xf32>) -> tensor<1x2xf32>",
                  {{7}}),
              ElementsAre(-kInf, 7));
}

// 1 0 2 0 3 with input dilation 2, cut by one in front: 0 2 0 3.
TEST_F(Evaluation, ConvDilatesAndCutsItsInput) {
  EXPECT_THAT(one("dpl.conv %0, %1 {stride = array<i64: 1>, pad_low = "
                  "array<i64: -1>, pad_high = array<i64: 0>, dilation = "
                  "array<i64: 1>, dilate_input = array<i64: 2>} : "
                  "(tensor<1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x3xf32>",
                  {{1, 2, 3}, {10, 1}}),
              ElementsAre(2, 20, 3));
}

TEST_F(Evaluation, ConvSumsInputChannels) {
  const std::string attrs =
      "{stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: "
      "0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>";
  Numbers f = {1, 10, 100, 1000};
  EXPECT_THAT(
      one("dpl.conv %0, %1 " + attrs +
              "} : (tensor<2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2xf32>",
          {{1, 2, 3, 4}, f}),
      ElementsAre(31, 42, 3100, 4200));
  // The same with the channels last: x transposed, the filter [window, in,
  // out].
  EXPECT_THAT(one("dpl.conv %0, %1 " + attrs +
                      ", channels_last} : (tensor<2x2xf32>, tensor<1x2x2xf32>) "
                      "-> tensor<2x2xf32>",
                  {{1, 3, 2, 4}, {1, 100, 10, 1000}}),
              ElementsAre(31, 3100, 42, 4200));
}

TEST_F(Evaluation, SamplesAndTheBatch) {
  parse(R"(func.func @f(%x: tensor<2xf32, #dpl.per_sample>, %u: tensor<2xf32>)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xf32, #dpl.per_sample>, tensor<2x2xf32>) {
    %s = dpl.batch_sum %x : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
    %c = dpl.batch_sum %u : (tensor<2xf32>) -> tensor<2xf32>
    %n = dpl.batch_count : tensor<f32>
    %d = dpl.batch_spread %u : (tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
    %y = dpl.mul %x, %d : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
    %o = dpl.batch_contract %x, %y {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0, 1>}
      : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>) -> tensor<2x2xf32>
    return %s, %c, %n, %y, %o : tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xf32, #dpl.per_sample>, tensor<2x2xf32>
  })");
  std::vector<BatchValue> r = run({{1, 2, 3, 4, 5, 6}, {10, 100}}, 3);
  ASSERT_EQ(r.size(), 5u);
  EXPECT_THAT(r[0].at(0).data, ElementsAre(9, 12));
  EXPECT_THAT(r[1].at(0).data, ElementsAre(30, 300));
  EXPECT_THAT(r[2].at(0).data, ElementsAre(3));
  ASSERT_TRUE(r[3].perSample);
  EXPECT_THAT(r[3].at(2).data, ElementsAre(50, 600));
  EXPECT_THAT(r[4].at(0).data, ElementsAre(350, 4400, 440, 5600));
}

// A write is for the next step: the read behind it still sees the old value.
TEST_F(Evaluation, ReadsSeeTheBeginningOfTheStep) {
  parse(R"(func.func private @inner(%v: tensor<f32>) -> tensor<f32> {
    dpl.write @w, %v : tensor<f32>
    return %v : tensor<f32>
  }
  func.func @f() -> tensor<f32> {
    %one = dpl.constant dense<1.0> : tensor<f32>
    %a = dpl.read @w : tensor<f32>
    %b = dpl.add %a, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c = call @inner(%b) : (tensor<f32>) -> tensor<f32>
    %d = dpl.read @w : tensor<f32>
    return %d : tensor<f32>
  })");
  store.tensors["w"] = Tensor(Shape(), 5);
  EXPECT_THAT(run({})[0].at(0).data, ElementsAre(5));
  EXPECT_THAT(run({})[0].at(0).data, ElementsAre(6));
  EXPECT_THAT(store.tensors["w"].data, ElementsAre(7));
}

TEST_F(Evaluation, SettingsAndReports) {
  parse(R"(func.func @f() -> tensor<f32> {
    %lr = dpl.option_value @lr : tensor<f64>
    dpl.setting "rate", %lr : tensor<f64>
    %r = dpl.setting_value "rate" : tensor<f32>
    dpl.report "loss", %r, %r : tensor<f32>, tensor<f32>
    return %r : tensor<f32>
  })");
  store.options["lr"] = 0.25;
  EXPECT_THAT(run({})[0].at(0).data, ElementsAre(0.25));
  ASSERT_EQ(store.reports.size(), 1u);
  EXPECT_EQ(store.reports[0].name, "loss");
  EXPECT_EQ(store.reports[0].count, 0.25);
}

TEST_F(Evaluation, WhatCannotBeEvaluatedIsAnErrorAtItsPlace) {
  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &d) {
    errors.push_back(d.str());
    return success();
  });
  auto failsWith = [&](const char *text, const std::string &message) {
    parse(text);
    errors.clear();
    auto func = module->lookupSymbol<func::FuncOp>("f");
    EXPECT_TRUE(failed(Evaluator(*module, store, 1).run(func, {})));
    EXPECT_THAT(errors, ElementsAre(message));
  };
  failsWith("func.func @f() { %w = dpl.read @w : tensor<f32>\n return }",
            "`w` has no value in the store");
  failsWith(R"(func.func private @g()
    func.func @f() { call @g() : () -> ()
      return })",
            "calls @g, which has no body");
  failsWith(R"(func.func @f() { %c = dpl.constant dense<1.0> : tensor<f32>
      %g = dpl.grad %c wrt(%c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return })",
            "'dpl.grad' op has no reference evaluation");
}
