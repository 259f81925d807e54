//===- BatchSumTest.cpp - Sums over samples with a masked tail ------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <limits>

using namespace dpl::test;

namespace {
constexpr int64_t kTile = 8, kSize = 7, kChannels = 37;
const Shape kShape = {kTile, kSize, kSize, kChannels};

/// Adds value and square of the samples below DPL_SIZE_VALID to two sums.
std::string sumsText() {
  KernelText k("sums");
  Tensor x = k.input(kShape);
  std::string valid = k.size(DPL_SIZE_VALID);
  Tensor sum = k.output({kChannels}), square = k.output({kChannels});
  auto masked = [&](const std::string &value) {
    return k.generic({"n h w c",
                      "",
                      {x},
                      {"n, h, w, c"},
                      {k.empty(kShape)},
                      "n, h, w, c",
                      {"%n = linalg.index 0 : index",
                       "%live = arith.cmpi ult, %n, " + valid + " : index",
                       "%z = arith.constant 0.0 : f32", "%t = " + value,
                       "%r = arith.select %live, %t, %z : f32", "%r"}})[0];
  };
  auto add = [&](const Tensor &value, const Tensor &into) {
    return k.generic({"n h w c",
                      "n h w",
                      {value},
                      {"n, h, w, c"},
                      {into},
                      "c",
                      {"%s = arith.addf %o0, %a0 : f32", "%s"}})[0];
  };
  k.store(add(masked("arith.addf %a0, %z : f32"), sum), sum);
  k.store(add(masked("arith.mulf %a0, %a0 : f32"), square), square);
  return k.text();
}

class BatchSumTest : public testing::TestWithParam<std::string> {};
} // namespace

TEST_P(BatchSumTest, NaNInTheTailDoesNotLeak) {
  auto kernels = CompiledKernels::compile(sumsText(), GetParam());
  ASSERT_TRUE(kernels);
  const int64_t sample = kSize * kSize * kChannels;
  for (int64_t valid = 1; valid <= kTile; ++valid) {
    Floats x = Floats::random(kTile * sample, valid);
    for (int64_t i = valid * sample; i < kTile * sample; ++i)
      x[i] = std::numeric_limits<float>::quiet_NaN();
    Floats sum(kChannels, 1.0f), square(kChannels, 2.0f);
    kernels->run("sums", {x.raw(), sum.raw(), square.raw()}, {valid});
    std::vector<double> sums(kChannels, 1.0), squares(kChannels, 2.0);
    for (int64_t i = 0; i < valid * sample; ++i) {
      sums[i % kChannels] += x[i];
      squares[i % kChannels] += double(x[i]) * x[i];
    }
    EXPECT_LT(relativeError(sum, sums), 5e-6) << valid;
    EXPECT_LT(relativeError(square, squares), 5e-6) << valid;
  }
}

// The sum of a run-time number of gradient copies, in their order, and the
// update of a parameter from it.
TEST_P(BatchSumTest, RunTimeNumberOfCopies) {
  const int64_t capacity = 16, size = 100, stride = 1000;
  KernelText k("update");
  Tensor copies = k.input({capacity, size}, "f32", stride);
  std::string count = k.size(DPL_SIZE_CHUNKS);
  Tensor w = k.output({size});
  std::string type = "tensor<?x100xf32>";
  Tensor part =
      k.emit({}, "f32",
             "tensor.extract_slice " + copies.name + "[0, 0] [" + count +
                 ", 100] [1, 1] : " + copies.type() + " to " + type);
  std::string sum =
      "linalg.generic {indexing_maps = [affine_map<(k, b) -> (k, b)>, "
      "affine_map<(k, b) -> (b)>], iterator_types = [\"reduction\", "
      "\"parallel\"]} ins(" +
      part.name + " : " + type + ") outs(";
  Tensor zero = k.fill({size});
  Tensor total =
      k.emit({size}, "f32",
             sum + zero.name + " : " + zero.type() +
                 ") {\n  ^bb0(%a0: f32, %o0: f32):\n    %s = arith.addf %o0, "
                 "%a0 : f32\n    linalg.yield %s : f32\n  } -> " +
                 zero.type());
  k.store(k.generic({"b",
                     "",
                     {total},
                     {"b"},
                     {w},
                     "b",
                     {"%n = arith.subf %o0, %a0 : f32", "%n"}})[0],
          w);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  for (int64_t used : {1, 3, 16}) {
    Floats g = Floats::random(capacity * stride, 3), y(size, 1.0f);
    kernels->run("update", {g.raw(), y.raw()}, {0, 0, 0, used});
    std::vector<double> expected(size, 1.0);
    for (int64_t c = 0; c < used; ++c)
      for (int64_t i = 0; i < size; ++i)
        expected[i] -= g[c * stride + i];
    EXPECT_LT(relativeError(y, expected), 1e-6) << used;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BatchSumTest,
                         testing::ValuesIn(runnableTargets()), targetName);
