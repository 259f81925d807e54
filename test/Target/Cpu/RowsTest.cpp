//===- RowsTest.cpp - Row reductions, softmax, transposes -----------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace dpl::test;

namespace {
const std::string kMinusInfinity = "0xFF800000";
const std::vector<std::string> kMax = {"%m = arith.maximumf %o0, %a0 : f32",
                                       "%m"};
const std::vector<std::string> kAdd = {"%s = arith.addf %o0, %a0 : f32", "%s"};

class RowsTest : public testing::TestWithParam<std::string> {};

Tensor reduceRows(KernelText &k, const Tensor &x, const std::string &start,
                  const std::vector<std::string> &body) {
  return k.generic(
      {"n c", "c", {x}, {"n, c"}, {k.fill({x.shape[0]}, start)}, "n", body})[0];
}
} // namespace

// Row lengths below, at and above a vector, and with a remainder.
TEST_P(RowsTest, SumAndMaximum) {
  for (int64_t columns : {1, 10, 16, 64, 67, 257}) {
    const int64_t rows = 5;
    KernelText k("k");
    Tensor x = k.input({rows, columns});
    Tensor sum = k.output({rows}), max = k.output({rows});
    k.store(reduceRows(k, x, "0.0", kAdd), sum);
    k.store(reduceRows(k, x, kMinusInfinity, kMax), max);
    auto kernels = CompiledKernels::compile(k.text(), GetParam());
    ASSERT_TRUE(kernels);
    Floats xs = Floats::random(rows * columns, 7), s(rows), m(rows);
    kernels->run("k", {xs.raw(), s.raw(), m.raw()});
    std::vector<double> sums(rows), maxima(rows, -INFINITY);
    for (int64_t i = 0; i < rows * columns; ++i) {
      sums[i / columns] += xs[i];
      maxima[i / columns] = std::max<double>(maxima[i / columns], xs[i]);
    }
    EXPECT_LT(relativeError(s, sums), 1e-5) << columns;
    EXPECT_EQ(relativeError(m, maxima), 0) << columns;
  }
}

// A NaN in a row must reach the row's maximum and no other row.
TEST_P(RowsTest, MaximumPassesNaN) {
  KernelText k("k");
  Tensor x = k.input({3, 37}), max = k.output({3});
  k.store(reduceRows(k, x, kMinusInfinity, kMax), max);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  Floats xs(3 * 37, 1.0f), m(3);
  xs[37 + 35] = std::numeric_limits<float>::quiet_NaN();
  kernels->run("k", {xs.raw(), m.raw()});
  EXPECT_EQ(m[0], 1.0f);
  EXPECT_TRUE(std::isnan(m[1]));
  EXPECT_EQ(m[2], 1.0f);
}

TEST_P(RowsTest, Softmax) {
  const int64_t rows = 7, columns = 19;
  KernelText k("k");
  Tensor x = k.input({rows, columns}), out = k.output({rows, columns});
  Tensor max = reduceRows(k, x, kMinusInfinity, kMax);
  auto rowwise = [&](const Tensor &a, const Tensor &b,
                     const std::vector<std::string> &body) {
    return k.generic({"n c",
                      "",
                      {a, b},
                      {"n, c", "n"},
                      {k.empty({rows, columns})},
                      "n, c",
                      body})[0];
  };
  Tensor e = rowwise(
      x, max,
      {"%d = arith.subf %a0, %a1 : f32", "%r = math.exp %d : f32", "%r"});
  Tensor sum = reduceRows(k, e, "0.0", kAdd);
  k.store(rowwise(e, sum, {"%r = arith.divf %a0, %a1 : f32", "%r"}), out);
  auto kernels = CompiledKernels::compile(k.text(), GetParam());
  ASSERT_TRUE(kernels);
  Floats xs = Floats::random(rows * columns, 5), y(rows * columns);
  for (size_t i = 0; i < xs.size(); ++i)
    xs[i] *= 50;
  kernels->run("k", {xs.raw(), y.raw()});
  std::vector<double> expected(rows * columns);
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0, max = -INFINITY;
    for (int64_t c = 0; c < columns; ++c)
      max = std::max<double>(max, xs[r * columns + c]);
    for (int64_t c = 0; c < columns; ++c)
      sum += std::exp(xs[r * columns + c] - max);
    for (int64_t c = 0; c < columns; ++c)
      expected[r * columns + c] = std::exp(xs[r * columns + c] - max) / sum;
  }
  EXPECT_LT(relativeError(y, expected), 1e-6);
}

TEST_P(RowsTest, Transpose) {
  const std::pair<int64_t, int64_t> sizes[] = {{32, 48}, {6272, 10}, {37, 19},
                                               {1, 50},  {16, 3},    {2, 2}};
  for (auto [rows, columns] : sizes) {
    KernelText k("k");
    Tensor x = k.input({rows, columns}), out = k.output({columns, rows});
    k.store(k.generic({"a b",
                       "",
                       {x},
                       {"b, a"},
                       {k.empty({columns, rows})},
                       "a, b",
                       {"%a0"}})[0],
            out);
    auto kernels = CompiledKernels::compile(k.text(), GetParam());
    ASSERT_TRUE(kernels);
    Floats xs = Floats::random(rows * columns, 5), y(rows * columns);
    kernels->run("k", {xs.raw(), y.raw()});
    std::vector<double> expected(rows * columns);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        expected[c * rows + r] = xs[r * columns + c];
    EXPECT_EQ(relativeError(y, expected), 0) << rows << "x" << columns;
  }
}

// Every function of the dialect `math` that programs use, on a length that no
// vector divides.
TEST_P(RowsTest, ElementaryFunctions) {
  struct Function {
    const char *op;
    double (*reference)(double);
  };
  const Function functions[] = {{"exp", std::exp},   {"tanh", std::tanh},
                                {"erf", std::erf},   {"sin", std::sin},
                                {"absf", std::fabs}, {"log", std::log},
                                {"sqrt", std::sqrt}};
  const int64_t size = 37;
  std::string text;
  for (const Function &f : functions) {
    KernelText k(f.op);
    Tensor x = k.input({size}), out = k.output({size});
    k.store(k.map({x}, {"%r = math." + std::string(f.op) + " %a0 : f32", "%r"}),
            out);
    text += k.text();
  }
  auto kernels = CompiledKernels::compile(text, GetParam());
  ASSERT_TRUE(kernels);
  Floats xs = Floats::random(size, 5), y(size);
  for (int64_t i = 0; i < size; ++i)
    xs[i] = std::abs(xs[i]) + 0.01f;
  for (const Function &f : functions) {
    kernels->run(f.op, {xs.raw(), y.raw()});
    std::vector<double> expected(size);
    for (int64_t i = 0; i < size; ++i)
      expected[i] = f.reference(xs[i]);
    EXPECT_LT(relativeError(y, expected), 1e-6) << f.op;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RowsTest,
                         testing::ValuesIn(runnableTargets()), targetName);
