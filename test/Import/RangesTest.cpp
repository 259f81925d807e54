//===- RangesTest.cpp - numbers that declarations allow -------------------===//

#include "test/Import/Imported.h"

#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;

namespace {

std::string data(const std::string &stages, const std::string &iterator = "") {
  return "dataset d = mnist(\"d\", split: train) |> to_float" + stages +
         "\niterator b = serial(d, batch: 4" + iterator + ")\n";
}

TEST(Ranges, OfReadersAndIterators) {
  EXPECT_EQ(codesOf(data(" |> normalize(mean: 0.5, std: 0)")),
            "1:79 out_of_range\n");
  EXPECT_EQ(codesOf(data(" |> normalize(mean: 0.5, std: [-1.0])")),
            "1:79 out_of_range\n");
  EXPECT_EQ(codesOf(data(" |> normalize(mean: [0.5, 0.5], std: 1.0)")),
            "1:69 type_count\n");
  EXPECT_EQ(codesOf(data("", ", seed: -1")), "2:40 out_of_range\n");
}

TEST(Ranges, OfLossesAndOptimizers) {
  const char *model = "model M(x: f32[1, 28, 28]) = x |> flatten |> linear(10)";
  auto with = [&](const std::string &entries) {
    return Imported(trained(model, entries)).rendered();
  };
  EXPECT_THAT(with("loss softmax_cross_entropy(smoothing: 2.0)"),
              HasSubstr("`smoothing` of `softmax_cross_entropy` is 2.0, but "
                        "must be at least 0 and at most 1"));
  EXPECT_THAT(with("loss softmax_cross_entropy\nmetrics accuracy(k: 0)"),
              HasSubstr("`k` of `accuracy` is 0, but must be at least 1"));
  EXPECT_EQ(with("loss softmax_cross_entropy(smoothing: 1)"), "");
}

TEST(Ranges, OfNormalisations) {
  auto codes = [](const std::string &layer) {
    return codesOf("model M(x: f32[3, 8, 8]) = x |> " + layer + "\n");
  };
  EXPECT_EQ(codes("group_norm(3)"), "");
  EXPECT_EQ(codes("group_norm(0)"), "1:44 out_of_range\n");
  // The elements could be divided by 2, the channels cannot.
  Imported channels("model M(x: f32[3, 8, 8]) = x |> group_norm(2)\n");
  EXPECT_THAT(channels.rendered(), HasSubstr("3 / 2 is not a whole number"));
  EXPECT_THAT(channels.rendered(), Not(HasSubstr("with a point")));
  EXPECT_EQ(codes("layer_norm(eps: -3.0)"), "1:49 out_of_range\n");
  EXPECT_EQ(codes("batch_norm(eps: -3.0)"), "1:49 out_of_range\n");
  EXPECT_EQ(codes("batch_norm(momentum: 7.0)"), "1:54 out_of_range\n");
}

/// The range of an option is that of its type and of all its uses.
TEST(Ranges, OfOptions) {
  const char *layers = "layer S(by: float(by > 0))(x: f32[..]) = by * x\n"
                       "layer T(by: float(0.5 >= by))(x: f32[..]) = by * x\n"
                       "model M(x: f32[4]) = x |> S(o) |> T(o)\n";
  Imported good(std::string(layers) + "option o: float(o < 2) = 0.1\n");
  EXPECT_EQ(good.rendered(), "");
  EXPECT_THAT(good.ir(), HasSubstr("range {above = 0.000000e+00 : f64, at_most "
                                   "= 5.000000e-01 : f64}"));
  EXPECT_EQ(codesOf(std::string(layers) + "option o = 0.7\n"),
            "3:37 out_of_range\n");
  EXPECT_EQ(codesOf(std::string(layers) + "option o: float(o > 1) = 0.1\n"),
            "4:26 out_of_range\n");
}

TEST(Ranges, OfConstsAndTheirOverrides) {
  const char *text = "const n: int(n >= 1 and n < 9) = 3\n"
                     "const list: int(0 <= list)[] = [1, -2]\n";
  EXPECT_EQ(codesOf(text), "2:32 out_of_range\n");
  EXPECT_EQ(codesOf("const n: int(n >= 1) = 3\n", {{"n", "0"}}),
            "1:7 out_of_range\n");
  EXPECT_EQ(codesOf("const n: int(n >= 1) = 3\n", {{"n", "1"}}), "");
}

TEST(Ranges, AreComparisonsWithNumbers) {
  for (const char *condition : {"n != 1", "m > 1", "n > 1 or n < 0", "n > k",
                                "n", "1 < 2", "n ** 2 > 1"})
    EXPECT_EQ(codesOf("const k = 1\nfn f(n: int(" + std::string(condition) +
                      ")) = n\n"),
              "2:13 range_form\n")
        << condition;
  EXPECT_EQ(codesOf("fn f(x: f32) -> float(f > 1) = 3.0\n"),
            "1:23 range_form\n");
}

TEST(Names, OfFilesStayInTheFolderOfTheRun) {
  const char *model = "model M(x: f32[1, 28, 28]) = x |> flatten |> linear(10)";
  for (const char *file : {"", ".", "..", "../a.png", "/tmp/a.png", "a/b.png",
                           "log", "snapshot_iter_3"})
    EXPECT_THAT(codesOf(trained(model, "loss softmax_cross_entropy\nevery 1 "
                                       "epoch { plot(\"main/loss\", file: \"" +
                                           std::string(file) + "\") }")),
                HasSubstr("file_outside"));
}

} // namespace
