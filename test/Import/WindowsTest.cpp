//===- WindowsTest.cpp - sizes of convolutions, pools and joins -----------===//

#include "test/Import/Imported.h"

#include "llvm/ADT/StringRef.h"
#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;

/// The result's type in the source, from the error that declares another.
static std::string typeOf(const std::string &input, const std::string &layers) {
  Imported program("model M(x: " + input + ") -> f32 =\n" + layers + "\n");
  std::string text = program.rendered();
  llvm::StringRef value = llvm::StringRef(text).split("the value is ").second;
  return value.empty() ? text : value.split(':').first.str();
}
static std::string codes(const std::string &input, const std::string &layers) {
  return codesOf("model M(x: " + input + ") =\n" + layers + "\n");
}
static std::string rendered(const std::string &input,
                            const std::string &layers) {
  return Imported("model M(x: " + input + ") =\n" + layers + "\n").rendered();
}

TEST(Windows, BothRoundings) {
  auto pool = [](std::string size, std::string settings) {
    return typeOf("f32[1, " + size + "]", "x |> max_pool2d(" + settings + ")");
  };
  EXPECT_EQ(pool("64, 64", "3, stride: 2, pad: 1"), "f32[1, 32, 32]");
  EXPECT_EQ(pool("64, 64", "3, stride: 2, pad: 1, rounding: down"),
            "f32[1, 32, 32]");
  EXPECT_EQ(pool("64, 64", "3, stride: 2, pad: 1, rounding: up"),
            "f32[1, 33, 33]");
  // The last window would begin behind the input.
  EXPECT_EQ(pool("6, 7", "1, stride: 2, rounding: up"), "f32[1, 3, 4]");
  EXPECT_EQ(pool("8, 10", "3, stride: 4, rounding: up"), "f32[1, 2, 3]");
  EXPECT_EQ(pool("8, 10", "3, stride: 4"), "f32[1, 2, 2]");
  // A window larger than the input is cut by its edge.
  EXPECT_EQ(pool("1, 2", "2, rounding: up"), "f32[1, 1, 1]");
  EXPECT_EQ(pool("7, 7", "2, dilation: 3, stride: 2, rounding: up"),
            "f32[1, 3, 3]");
}

TEST(Windows, Groups) {
  EXPECT_EQ(typeOf("f32[6, 8, 8]", "x |> conv2d(4, kernel: 3, groups: 2)"),
            "f32[4, 6, 6]");
  EXPECT_EQ(typeOf("f32[6, 8, 8]", "x |> depthwise(3, multiplier: 2, pad: 1)"),
            "f32[12, 8, 8]");
  Imported program("model M(x: f32[6, 8, 8]) {\n let a = conv2d(4, kernel: 3, "
                   "groups: 2)\n let b = depthwise(3)\n x |> a |> b\n}\n");
  EXPECT_THAT(program.parameters(), HasSubstr("a.weight: tensor<4x3x3x3xf32>"));
  EXPECT_THAT(program.parameters(), HasSubstr("b.weight: tensor<4x1x3x3xf32>"));
  EXPECT_THAT(rendered("f32[6, 8, 8]", "x |> conv2d(4, kernel: 3, groups: 4)"),
              HasSubstr("error: 6 channels to 4 do not divide into 4 groups"));
  EXPECT_EQ(codes("f32[2, 8, 8]", "x |> conv2d(6, kernel: 3, groups: 3)"),
            "2:6 conv_groups\n");
}

TEST(Windows, NegativePaddingCutsBeforeAConvolution) {
  EXPECT_EQ(typeOf("f32[1, 8, 8]", "x |> conv2d(1, kernel: 3, pad: [-1, 1])"),
            "f32[1, 4, 8]");
  EXPECT_EQ(codes("f32[1, 8, 8]", "x |> conv2d(1, kernel: 3, pad: -3)"),
            "2:6 conv2d_window\n");
  EXPECT_THAT(rendered("f32[1, 8, 8]", "x |> max_pool2d(2, pad: -1)"),
              HasSubstr("error: a pool cannot have the padding -1: it would "
                        "cut the input [pool_padding]"));
}

TEST(Windows, EveryWindowOfAPoolMeetsAnElement) {
  EXPECT_EQ(codes("f32[1, 8, 8]", "x |> max_pool2d(3, pad: 2, stride: 1)"), "");
  EXPECT_THAT(
      rendered("f32[1, 8, 8]", "x |> max_pool2d(2, pad: 2)"),
      HasSubstr(
          "error: window 2x2 with padding 2x2 sees nothing but padding at "
          "place 0 along the axis of 8 [pool_empty]"));
  EXPECT_EQ(codes("f32[1, 8, 1]", "x |> avg_pool2d([1, 2], pad: [0, 2])"),
            "2:6 pool_empty\n");
  // Between the taps of a dilated window, too.
  EXPECT_EQ(codes("f32[1, 8, 1]",
                  "x |> max_pool2d([1, 2], pad: [0, 1], dilation: 2)"),
            "2:6 pool_empty\n");
}

TEST(Windows, TooLarge) {
  EXPECT_EQ(
      rendered("f32[1, 5, 5]", "x |> max_pool2d(20)"),
      "test.dpl:2:6: error: window 20x20 is larger than the padded input "
      "5x5 [pool_window]\n"
      "    2 | x |> max_pool2d(20)\n"
      "      |      ^^^^^^^^^^^^^^ in `max_pool2d`, applied to `x: f32[1, "
      "5, 5]`\n"
      "test.dpl:1:9: note: `x` is declared here\n");
  EXPECT_THAT(
      rendered("f32[1, 4, 4]", "x |> conv2d(1, kernel: 3, dilation: 2)"),
      HasSubstr("kernel 3x3, 5x5 with its dilation, is larger than the padded "
                "input 4x4"));
}

TEST(Windows, Settings) {
  EXPECT_THAT(
      rendered("f32[1, 4, 4]", "pool(x, window: [2, 2], stride: [1, 1, 1], "
                               "kind: max)"),
      HasSubstr(
          "`stride` is one number or 2, one for each axis of the window"));
  EXPECT_EQ(codes("f32[1, 4, 4]", "conv(x, x, dilate_input: [1, 1, 1])"),
            "2:1 window_settings\n");
  EXPECT_EQ(typeOf("f32[1, 4, 4]",
                   "conv(x, reshape(x, [4, 1, 2, 2]), dilate_input: 2, "
                   "pad: 1, pad_high: [2, 1])"),
            "f32[4, 9, 8]");
}

TEST(Windows, GlobalPools) {
  EXPECT_EQ(typeOf("f32[3, 4, 5]", "x |> global_avg_pool"), "f32[3]");
  EXPECT_EQ(typeOf("f32[3, 4, 5]", "x |> global_max_pool"), "f32[3]");
}

static const char *kBranches =
    "model M(x: f32[3, 28, 28]) {\n"
    "  let left = x |> conv2d(8, kernel: 3, stride: 2, pad: 1)\n"
    "  let right = x |> max_pool2d(3, stride: 2, pad: 1, rounding: {0})\n"
    "  concat([left, right])\n}\n";

static std::string branches(const std::string &rounding) {
  std::string text = kBranches;
  return text.replace(text.find("{0}"), 3, rounding);
}

TEST(Joins, Branches) {
  Imported fits(branches("down"));
  EXPECT_EQ(fits.rendered(), "");
  EXPECT_THAT(fits.ir(), HasSubstr("tensor<11x14x14xf32, #dpl.per_sample>"));
  EXPECT_EQ(Imported(branches("up")).rendered(),
            "test.dpl:4:3: error: `left` is f32[8, 14, 14] and `right` is "
            "f32[3, 15, 15]: they cannot be joined along axis 0 "
            "[concat_shape]\n"
            "    4 |   concat([left, right])\n"
            "      |   ^^^^^^^^^^^^^^^^^^^^^\n"
            "test.dpl:2:7: note: `left` is declared here\n"
            "test.dpl:3:7: note: `right` is declared here\n");
}

TEST(Joins, Sizes) {
  EXPECT_EQ(typeOf("f32[2, 3]", "concat([x, x, x], axis: -1)"), "f32[2, 9]");
  EXPECT_EQ(typeOf("f32[2, 3]", "concat([x])"), "f32[2, 3]");
  EXPECT_EQ(typeOf("f32[2, 3]", "concat([x[i..2, _] for i in 0..2])"),
            "f32[3, 3]");
  EXPECT_THAT(rendered("f32[2, 3]", "concat([x[0..i + 1, _] for i in 0..2], "
                                    "axis: 1)"),
              HasSubstr("part 0 is f32[1, 3] and part 1 is f32[2, 3]"));
  EXPECT_EQ(codes("f32[2, 3]", "concat([x, x > 0])"), "2:1 concat_shape\n");
  EXPECT_EQ(codes("f32[2, 3]", "concat([x, x], axis: 2)"), "2:1 axis_range\n");
  EXPECT_EQ(codes("f32[2, 3]", "concat(x)"), "2:1 needs_list\n");
  EXPECT_EQ(codes("f32[2, 3]", "concat([x, 1])"), "2:1 not_a_tensor\n");
}

TEST(Rearranging, SlicesAndPads) {
  EXPECT_EQ(typeOf("f32[7, 4]", "slice(x, start: 1, size: [3, 2], step: [2, "
                                "1])"),
            "f32[3, 2]");
  EXPECT_EQ(codes("f32[7, 4]", "slice(x, start: 0, size: [8, 1])"),
            "2:1 slice_range\n");
  EXPECT_EQ(codes("f32[7, 4]", "slice(x, start: [0, 0, 0], size: 1)"),
            "2:1 slice_rank\n");
  EXPECT_EQ(typeOf("f32[7, 4]", "pad(x, low: 1)"), "f32[9, 6]");
  EXPECT_EQ(typeOf("f32[7, 4]", "pad(x, low: [-2, 1], high: 0, interior: [1, "
                                "0], value: -1.5)"),
            "f32[11, 5]");
  EXPECT_EQ(codes("f32[7, 4]", "pad(x, low: [-4, 0])"), "2:1 pad_size\n");
  EXPECT_EQ(codes("f32[7, 4]", "pad(x, low: [1, 1, 1])"), "2:1 pad_rank\n");
  EXPECT_EQ(typeOf("f32[7, 4]", "reverse(x, axes: [-1])"), "f32[7, 4]");
}

TEST(Rearranging, InferredSize) {
  EXPECT_EQ(typeOf("f32[6, 4]", "reshape(x, [3, -1, 2])"), "f32[3, 4, 2]");
  EXPECT_EQ(typeOf("f32[2, 3, 4]", "x |> flatten(1)"), "f32[2, 12]");
  EXPECT_EQ(typeOf("f32[2, 3, 4]", "x |> flatten"), "f32[24]");
  EXPECT_EQ(typeOf("f32[2, 3, 4]", "x |> flatten(-2)"), "f32[2, 12]");
  EXPECT_EQ(typeOf("f32[2, 3, 4]", "x |> flatten(-1)"), "f32[2, 3, 4]");
  EXPECT_EQ(codes("f32[6, 4]", "reshape(x, [-1, -1])"),
            "2:1 reshape_inferred\n");
  EXPECT_EQ(codes("f32[6, 4]", "reshape(x, [5, -1])"), "2:1 reshape_whole\n");
  EXPECT_EQ(codes("f32[6, 4]", "reshape(x, [-24, -1])"), "2:1 size_positive\n");
}
