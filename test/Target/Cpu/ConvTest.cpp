//===- ConvTest.cpp - Convolutions and their gradients --------------------===//
//
// Channels last; a convolution has for each axis a stride, a padding below and
// above (which may be negative), a dilation of the kernel and a dilation of the
// input. Its gradients are two more sums of the same form.
//
//===----------------------------------------------------------------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <array>

using namespace dpl::test;

namespace {
using Pair = std::array<int64_t, 2>;

struct Conv {
  int64_t samples;
  Pair input;
  int64_t channels, features;
  Pair kernel, low, high;
  Pair stride = {1, 1}, dilation = {1, 1}, inputDilation = {1, 1};

  int64_t padded(int axis) const {
    return (input[axis] - 1) * inputDilation[axis] + 1 + low[axis] + high[axis];
  }
  int64_t output(int axis) const {
    return (padded(axis) - (kernel[axis] - 1) * dilation[axis] - 1) /
               stride[axis] +
           1;
  }
  /// The input position under kernel tap `tap` at output `out`, or -1.
  int64_t source(int axis, int64_t out, int64_t tap) const {
    int64_t at = out * stride[axis] + tap * dilation[axis] - low[axis];
    if (at < 0 || at % inputDilation[axis] != 0 ||
        at / inputDilation[axis] >= input[axis])
      return -1;
    return at / inputDilation[axis];
  }
};

const Conv kCases[] = {
    {2, {14, 14}, 16, 32, {3, 3}, {1, 1}, {1, 1}},
    {2, {14, 14}, 16, 32, {3, 3}, {1, 1}, {1, 1}, {2, 2}},
    {2, {13, 11}, 5, 20, {5, 3}, {2, 0}, {1, 3}, {2, 3}, {1, 2}},
    {2, {12, 12}, 8, 17, {3, 3}, {-1, -2}, {-2, 1}},
    {2, {7, 7}, 16, 16, {4, 4}, {2, 2}, {2, 2}, {1, 1}, {1, 1}, {2, 2}},
    {2, {9, 9}, 3, 48, {1, 1}, {0, 0}, {0, 0}, {2, 2}},
    {1, {15, 10}, 4, 16, {3, 2}, {-3, 1}, {4, -1}, {3, 1}, {2, 2}, {2, 3}},
    {3, {6, 1}, 1, 1, {2, 1}, {0, 0}, {0, 0}},
};

/// The input of a sum over windows: zeros, and in them the part of `x` that
/// padding keeps.
Tensor window(KernelText &k, Tensor x, const Pair &low, const Pair &high,
              const Pair &dilation) {
  Shape padded = x.shape, offsets(4), kept = x.shape, into(4);
  Shape strides = {1, dilation[0], dilation[1], 1};
  for (int axis = 0; axis < 2; ++axis) {
    int64_t size = x.shape[axis + 1], step = dilation[axis];
    padded[axis + 1] = (size - 1) * step + 1 + low[axis] + high[axis];
    int64_t first = size, last = -1;
    for (int64_t i = 0; i < size; ++i)
      if (int64_t at = i * step + low[axis]; at >= 0 && at < padded[axis + 1]) {
        first = std::min(first, i);
        last = i;
      }
    offsets[axis + 1] = first;
    kept[axis + 1] = last - first + 1;
    into[axis + 1] = first * step + low[axis];
  }
  if (kept != x.shape)
    x = k.slice(x, offsets, kept, {1, 1, 1, 1});
  return k.insert(x, k.zeros(padded), into, strides);
}

std::string position(const std::string &loop, int64_t stride,
                     const std::string &tap, int64_t dilation) {
  return loop + " * " + std::to_string(stride) + " + " + tap + " * " +
         std::to_string(dilation);
}

std::string windowMap(const Pair &stride, const Pair &dilation) {
  return "n, " + position("h", stride[0], "i", dilation[0]) + ", " +
         position("w", stride[1], "j", dilation[1]) + ", c";
}

Tensor convolve(KernelText &k, const Tensor &x, const Tensor &weights,
                const Conv &c) {
  Tensor padded = window(k, x, c.low, c.high, c.inputDilation);
  return k.contract("n h w o i j c", "i j c", padded,
                    windowMap(c.stride, c.dilation), weights, "i, j, c, o",
                    k.fill({c.samples, c.output(0), c.output(1), c.features}),
                    "n, h, w, o");
}

std::string forwardText(const Conv &c) {
  KernelText k("forward");
  Tensor x = k.input({c.samples, c.input[0], c.input[1], c.channels});
  Tensor w = k.input({c.kernel[0], c.kernel[1], c.channels, c.features});
  Tensor out = k.output({c.samples, c.output(0), c.output(1), c.features});
  k.store(convolve(k, x, w, c), out);
  return k.text();
}

/// The gradient of the input: a convolution of the output's gradient with
/// flipped weights, where stride and input dilation change places.
std::string inputGradientText(const Conv &c) {
  Conv back = c;
  back.input = {c.output(0), c.output(1)};
  back.channels = c.features;
  back.features = c.channels;
  back.stride = c.inputDilation;
  back.inputDilation = c.stride;
  for (int axis = 0; axis < 2; ++axis) {
    int64_t reach = c.dilation[axis] * (c.kernel[axis] - 1);
    back.low[axis] = reach - c.low[axis];
    back.high[axis] = (c.input[axis] - 1) * c.inputDilation[axis] + 1 + reach -
                      ((c.output(axis) - 1) * c.stride[axis] + 1) -
                      back.low[axis];
  }
  KernelText k("inputGradient");
  Tensor g = k.input({c.samples, c.output(0), c.output(1), c.features});
  Tensor w = k.input({c.kernel[0], c.kernel[1], c.channels, c.features});
  Tensor out = k.output({c.samples, c.input[0], c.input[1], c.channels});
  std::string flipped = std::to_string(c.kernel[0] - 1) + " - i, " +
                        std::to_string(c.kernel[1] - 1) + " - j, c, o";
  Tensor wf =
      k.generic({"i j o c",
                 "",
                 {w},
                 {flipped},
                 {k.empty({c.kernel[0], c.kernel[1], c.features, c.channels})},
                 "i, j, o, c",
                 {"%a0"}})[0];
  k.store(convolve(k, g, wf, back), out);
  return k.text();
}

std::string weightGradientText(const Conv &c) {
  KernelText k("weightGradient");
  Tensor x = k.input({c.samples, c.input[0], c.input[1], c.channels});
  Tensor g = k.input({c.samples, c.output(0), c.output(1), c.features});
  Tensor out = k.output({c.kernel[0], c.kernel[1], c.channels, c.features});
  Tensor padded = window(k, x, c.low, c.high, c.inputDilation);
  k.store(k.contract("i j c o n h w", "n h w", padded,
                     windowMap(c.stride, c.dilation), g, "n, h, w, o", out,
                     "i, j, c, o"),
          out);
  return k.text();
}

/// Calls `visit` with the flat indices of output, input and weight of each
/// product of the convolution.
template <typename Visit> void forEachProduct(const Conv &c, Visit visit) {
  for (int64_t n = 0; n < c.samples; ++n)
    for (int64_t h = 0; h < c.output(0); ++h)
      for (int64_t w = 0; w < c.output(1); ++w)
        for (int64_t i = 0; i < c.kernel[0]; ++i)
          for (int64_t j = 0; j < c.kernel[1]; ++j) {
            int64_t a = c.source(0, h, i), b = c.source(1, w, j);
            if (a < 0 || b < 0)
              continue;
            for (int64_t q = 0; q < c.channels; ++q)
              for (int64_t o = 0; o < c.features; ++o)
                visit(
                    ((n * c.output(0) + h) * c.output(1) + w) * c.features + o,
                    ((n * c.input[0] + a) * c.input[1] + b) * c.channels + q,
                    ((i * c.kernel[1] + j) * c.channels + q) * c.features + o);
          }
}

class ConvTest : public testing::TestWithParam<std::string> {
protected:
  void check(const Conv &c) {
    auto kernels = CompiledKernels::compile(
        forwardText(c) + inputGradientText(c) + weightGradientText(c),
        GetParam());
    ASSERT_TRUE(kernels);
    size_t outputs = c.samples * c.output(0) * c.output(1) * c.features;
    size_t inputs = c.samples * c.input[0] * c.input[1] * c.channels;
    size_t weights = c.kernel[0] * c.kernel[1] * c.channels * c.features;
    Floats x = Floats::random(inputs, 1), w = Floats::random(weights, 2);
    Floats g = Floats::random(outputs, 3), y(outputs), dx(inputs);
    Floats dw(weights, 1.0f);
    kernels->run("forward", {x.raw(), w.raw(), y.raw()});
    kernels->run("inputGradient", {g.raw(), w.raw(), dx.raw()});
    kernels->run("weightGradient", {x.raw(), g.raw(), dw.raw()});

    std::vector<double> yRef(outputs), dxRef(inputs), dwRef(weights, 1.0);
    forEachProduct(c, [&](int64_t out, int64_t in, int64_t weight) {
      yRef[out] += double(x[in]) * w[weight];
      dxRef[in] += double(g[out]) * w[weight];
      dwRef[weight] += double(g[out]) * x[in];
    });
    EXPECT_LT(relativeError(y, yRef), 2e-6);
    EXPECT_LT(relativeError(dx, dxRef), 2e-6);
    EXPECT_LT(relativeError(dw, dwRef), 5e-6);
  }
};
} // namespace

TEST_P(ConvTest, ForwardAndBothGradients) {
  for (const Conv &c : kCases) {
    SCOPED_TRACE("case " + std::to_string(&c - kCases));
    check(c);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ConvTest,
                         testing::ValuesIn(runnableTargets()), targetName);
