//===- MatmulTest.cpp - Matrix products of any size -----------------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <algorithm>

using namespace dpl::test;

namespace {
struct Sizes {
  int64_t m, k, n;
};

std::vector<double> product(const Floats &a, const Floats &b, const Sizes &s) {
  std::vector<double> y(s.m * s.n);
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t l = 0; l < s.k; ++l)
      for (int64_t j = 0; j < s.n; ++j)
        y[i * s.n + j] += double(a[i * s.k + l]) * b[l * s.n + j];
  return y;
}

class MatmulTest : public testing::TestWithParam<std::string> {};

// Sizes that no tile divides, smaller than a vector, of one row or column, and
// operands that are fetched ahead.
const Sizes kSizes[] = {{64, 128, 256}, {64, 128, 257}, {61, 100, 10},
                        {7, 33, 131},   {61, 47, 13},   {5, 1, 3},
                        {1, 20, 40},    {30, 7, 1},     {1, 1, 1},
                        {8, 130, 1100}, {8, 1500, 100}};
} // namespace

TEST_P(MatmulTest, BiasAndActivationInTheSameTile) {
  std::string text;
  for (size_t c = 0; c < std::size(kSizes); ++c) {
    const Sizes &s = kSizes[c];
    KernelText k("k" + std::to_string(c));
    Tensor a = k.input({s.m, s.k}), b = k.input({s.k, s.n});
    Tensor bias = k.input({s.n}), out = k.output({s.m, s.n});
    Tensor y = k.contract("n m k", "k", a, "m, k", b, "k, n",
                          k.fill({s.m, s.n}), "m, n");
    y = k.generic({"m n",
                   "",
                   {y, bias},
                   {"m, n", "n"},
                   {k.empty({s.m, s.n})},
                   "m, n",
                   {"%s = arith.addf %a0, %a1 : f32", "%s"}})[0];
    k.store(k.map({y}, reluBody()), out);
    text += k.text();
  }
  auto kernels = CompiledKernels::compile(text, GetParam());
  ASSERT_TRUE(kernels);
  for (size_t c = 0; c < std::size(kSizes); ++c) {
    const Sizes &s = kSizes[c];
    Floats a = Floats::random(s.m * s.k, 1), b = Floats::random(s.k * s.n, 2);
    Floats bias = Floats::random(s.n, 3), y(s.m * s.n);
    kernels->run("k" + std::to_string(c),
                 {a.raw(), b.raw(), bias.raw(), y.raw()});
    std::vector<double> expected = product(a, b, s);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = std::max(0.0, expected[i] + bias[i % s.n]);
    EXPECT_LT(relativeError(y, expected), 3e-6)
        << s.m << " " << s.k << " " << s.n;
  }
}

// A gradient of weights: accumulates in place, over the rows of both operands.
TEST_P(MatmulTest, TransposedLeftAccumulates) {
  const Sizes s{29, 8, 45};
  KernelText k("k");
  Tensor a = k.input({s.k, s.m}), b = k.input({s.k, s.n});
  Tensor sum = k.output({s.m, s.n});
  k.store(k.contract("n m k", "k", a, "k, m", b, "k, n", sum, "m, n"), sum);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->arena("k"), 0) << "no temporary is needed";
  Floats at = Floats::random(s.m * s.k, 1), b2 = Floats::random(s.k * s.n, 2);
  Floats a2(s.m * s.k), y = Floats::random(s.m * s.n, 3);
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t l = 0; l < s.k; ++l)
      a2[i * s.k + l] = at[l * s.m + i];
  std::vector<double> expected = product(a2, b2, s);
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] += y[i];
  kernels->run("k", {at.raw(), b2.raw(), y.raw()});
  EXPECT_LT(relativeError(y, expected), 1e-6);
}

// Weights stored [out, in], read without a transposed copy.
TEST_P(MatmulTest, TransposedRight) {
  const Sizes s{9, 50, 37};
  KernelText k("k");
  Tensor a = k.input({s.m, s.k}), b = k.input({s.n, s.k});
  Tensor out = k.output({s.m, s.n});
  k.store(k.contract("m n k", "k", a, "m, k", b, "n, k", k.fill({s.m, s.n}),
                     "m, n"),
          out);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  Floats a2 = Floats::random(s.m * s.k, 1), bt = Floats::random(s.k * s.n, 2);
  Floats b2(s.k * s.n), y(s.m * s.n);
  for (int64_t l = 0; l < s.k; ++l)
    for (int64_t j = 0; j < s.n; ++j)
      b2[l * s.n + j] = bt[j * s.k + l];
  kernels->run("k", {a2.raw(), bt.raw(), y.raw()});
  EXPECT_LT(relativeError(y, product(a2, b2, s)), 1e-6);
}

// An operand that is a block of columns of a larger matrix.
TEST_P(MatmulTest, StridedOperand) {
  const Sizes s{6, 20, 33};
  const int64_t stride = 5000;
  KernelText k("k");
  Tensor a = k.input({s.m, s.k}), b = k.input({s.k, s.n}, "f32", stride);
  Tensor out = k.output({s.m, s.n});
  k.store(k.contract("n m k", "k", a, "m, k", b, "k, n", k.fill({s.m, s.n}),
                     "m, n"),
          out);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  Floats a2 = Floats::random(s.m * s.k, 1);
  Floats wide = Floats::random(s.k * stride, 2), b2(s.k * s.n), y(s.m * s.n);
  for (int64_t l = 0; l < s.k; ++l)
    for (int64_t j = 0; j < s.n; ++j)
      b2[l * s.n + j] = wide[l * stride + j];
  kernels->run("k", {a2.raw(), wide.raw(), y.raw()});
  EXPECT_LT(relativeError(y, product(a2, b2, s)), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Targets, MatmulTest,
                         testing::ValuesIn(runnableTargets()), targetName);
