//===- ShapesTest.cpp - each shape rule in terms of the source ------------===//

#include "test/Import/Imported.h"

#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;

/// The codes of one expression over x: f32[1, 4, 4], v: f32[3] and y: f32[2,
/// 3], in line 2.
static std::string codes(const std::string &expression) {
  return codesOf("model M(x: f32[1, 4, 4], v: f32[3], y: f32[2, 3]) =\n" +
                 expression + "\n");
}

TEST(Shapes, WindowsThatFit) {
  EXPECT_EQ(codes("x |> conv2d(2, kernel: 4)"), "");
  EXPECT_EQ(codes("x |> conv2d(2, kernel: [3, 1], stride: [2, 1], dilation: 1, "
                  "pad: [0, 2])"),
            "");
  EXPECT_EQ(codes("x |> max_pool2d([2, 4])"), "");
}

TEST(Shapes, Windows) {
  EXPECT_EQ(codes("x |> conv2d(2, kernel: 5)"), "2:6 conv2d_window\n");
  EXPECT_EQ(codes("x |> max_pool2d(5)"), "2:6 pool_window\n");
  EXPECT_EQ(codes("x |> conv2d(2, kernel: 3, stride: 0)"),
            "2:6 window_positive\n");
  EXPECT_EQ(codes("v |> conv2d(2, kernel: 3)"), "2:1 type_rank\n");
  EXPECT_EQ(codes("pool(v, window: [1], stride: [1], pad: [0], kind: sum)"),
            "2:1 window_rank\n");
  EXPECT_EQ(
      codes("pool(x, window: [1, 1], stride: [1, 1, 1], pad: [0], kind: sum)"),
      "2:1 window_settings\n");
  EXPECT_EQ(codes("conv(y, v)"), "2:1 conv_filter_rank\n");
  EXPECT_EQ(codes("conv(x, reshape(v, [1, 3, 1, 1]))"), "2:1 conv_channels\n");
}

TEST(Shapes, Broadcasting) {
  EXPECT_EQ(codes("y + v"), "");
  EXPECT_EQ(codes("y + reshape(v, [1, 3])"), "");
  EXPECT_EQ(codes("x + v"), "2:1 broadcast_shapes\n");
  EXPECT_EQ(codes("y + reshape(v, [3, 1])"), "2:1 broadcast_shapes\n");
  EXPECT_EQ(codes("broadcast(v, shape: [2, 3], axes: [1])"), "");
  EXPECT_EQ(codes("broadcast(v, shape: [2, 3], axes: [0])"),
            "2:1 broadcast_size\n");
  EXPECT_EQ(codes("broadcast(v, shape: [2, 3], axes: [0, 1])"),
            "2:1 broadcast_axes\n");
}

TEST(Shapes, Rearranging) {
  EXPECT_EQ(codes("reshape(y, [3, 2])"), "");
  EXPECT_EQ(codes("reshape(y, [4, 2])"), "2:1 reshape_count\n");
  EXPECT_EQ(codes("transpose(y, [1, 0])"), "");
  EXPECT_EQ(codes("transpose(y, [1, 1])"), "2:1 transpose_axes\n");
  EXPECT_EQ(codes("sum(y, axes: [-1])"), "");
  EXPECT_EQ(codes("sum(y, axes: [2])"), "2:1 axis_range\n");
  EXPECT_EQ(codes("y[1, 0..2]"), "");
  EXPECT_EQ(codes("y[.., -1]"), "");
  EXPECT_EQ(codes("y[2, _]"), "2:3 index_range\n");
  EXPECT_EQ(codes("y[0]"), "2:1 index_count\n");
}

TEST(Shapes, Indices) {
  EXPECT_EQ(codes("take(v, argmax(y), axis: 0)"), "");
  EXPECT_EQ(codes("take(y, argmax(y), axis: 1, each: true)"), "");
  EXPECT_EQ(codes("take(y, argmax(y), axis: 0)"), "2:1 class_axis\n");
  EXPECT_EQ(codes("take(y, argmax(v), axis: 1, each: true)"),
            "2:1 take_shape\n");
  EXPECT_EQ(codes("take(y, v, axis: 1)"), "2:1 needs_class\n");
}

/// The message is at the user's call, says which layer, to what it was applied,
/// and where that is declared; the prelude's own place is not shown.
TEST(Shapes, AFailureInThePreludeIsShownAtTheCall) {
  Imported program("model M(x: f32[1, 2, 2]) {\n  let conv1 = conv2d(16, "
                   "kernel: 3)\n  let h = x |> conv1 |> relu\n  h\n}\n");
  EXPECT_EQ(
      program.rendered(),
      "test.dpl:3:16: error: kernel 3x3 is larger than the padded input 2x2 "
      "[conv2d_window]\n"
      "    3 |   let h = x |> conv1 |> relu\n"
      "      |                ^^^^^ in `conv2d`, applied to `x: f32[1, 2, 2]`\n"
      "test.dpl:1:9: note: `x` is declared here\n");
}

/// The way through layers of the user is context.
TEST(Shapes, TheCallsAroundAFailureAreShown) {
  Imported program(
      "layer Block(k: int)(x) = x |> conv2d(2, kernel: k) |> relu\n"
      "model M(x: f32[1, 2, 2]) = x |> Block(3)\n");
  EXPECT_THAT(program.rendered(),
              HasSubstr("test.dpl:1:31: error: kernel 3x3"));
  EXPECT_THAT(
      program.rendered(),
      HasSubstr(
          "test.dpl:2:33: note: in `Block`, applied to `x: f32[1, 2, 2]`"));
}

/// A size that a name got from another value is shown with that value.
TEST(Shapes, ABoundSizeNamesItsOrigin) {
  Imported program("fn add(a: f32[n], b: f32[n]) = a + b\n"
                   "model M(x: f32[4]) = add(x, x[0..3])\n");
  EXPECT_EQ(program.codes(), "2:29 type_size\n");
  EXPECT_THAT(program.rendered(),
              HasSubstr("axis 0 is 3, not `n`, which is 4"));
  EXPECT_THAT(program.rendered(),
              HasSubstr("test.dpl:2:26: note: `n` is 4 because `a` of `add` is "
                        "f32[4]"));
}

TEST(Shapes, TheDeclaredResultMustAgree) {
  Imported program("model M(x: f32[4]) -> f32[10] = x |> linear(12)\n");
  EXPECT_EQ(program.codes(), "1:33 type_size\n");
  EXPECT_THAT(
      program.rendered(),
      HasSubstr("the result of `M` is declared as f32[10], but the value "
                "is f32[12]: axis 0 is 12, not 10"));
  EXPECT_THAT(program.rendered(),
              HasSubstr("test.dpl:1:23: note: declared here"));
}

TEST(Shapes, SizesOfOneNameMustAgree) {
  const char *layer = "layer Dot()(a: f32[n], b: f32[n]) -> f32 = sum(a * b)\n";
  EXPECT_EQ(codesOf(std::string(layer) +
                    "model M(a: f32[3], b: f32[3]) = Dot()(a, b)\n"),
            "");
  EXPECT_EQ(codesOf(std::string(layer) +
                    "model M(a: f32[3], b: f32[4]) = Dot()(a, b)\n"),
            "2:42 type_size\n");
}

TEST(Shapes, TheRestIsTheSameEverywhere) {
  const char *layer = "fn both(a: f32[.., 2], b: f32[..]) -> f32[..] = b\n";
  EXPECT_EQ(codesOf(std::string(layer) +
                    "model M(a: f32[3, 2], b: f32[3]) = both(a, b)\n"),
            "");
  EXPECT_EQ(codesOf(std::string(layer) +
                    "model M(a: f32[3, 2], b: f32[4]) = both(a, b)\n"),
            "2:44 type_rest\n");
}

TEST(Shapes, TensorsThatNoMachineHoldsAreErrors) {
  EXPECT_EQ(codesOf("model M(x: f32[2_000_000, 2_000_000]) = x\n"),
            "1:12 tensor_size\n");
  EXPECT_EQ(codesOf("model M(x: f32[2_000_000]) = broadcast(x, shape: "
                    "[2_000_000, 2_000_000], axes: [1])\n"),
            "1:30 tensor_size\n");
  EXPECT_EQ(codesOf("model M(a: f32[2_000_000], b: f32[2_000_000]) = "
                    "einsum(a[i] * b[j] -> [i, j])\n"),
            "1:49 tensor_size\n");
  EXPECT_EQ(codesOf("model M(x: f32[1, 8, 8]) = x |> conv2d(1, kernel: 3, "
                    "pad: 4_000_000_000)\n"),
            "1:33 window_size\n");
  EXPECT_EQ(codesOf("model M(x: f32[1, 8, 8]) = x |> conv2d(1, kernel: 3, "
                    "pad: 2_000_000)\n"),
            "1:33 tensor_size\n");
}
