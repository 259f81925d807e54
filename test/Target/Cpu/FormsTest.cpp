//===- FormsTest.cpp - Every other form of operation ----------------------===//
//
// What programs contain beside contractions and maps over one shape: truth
// values, scalars, reductions of any axes, broadcasts, lookups.
//
//===----------------------------------------------------------------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <cmath>

using namespace dpl::test;

namespace {
class FormsTest : public testing::TestWithParam<std::string> {
protected:
  void run(const KernelText &k, std::vector<void *> buffers) {
    auto kernels = CompiledKernels::compile(k.text(), GetParam());
    ASSERT_TRUE(kernels);
    kernels->run("k", std::move(buffers));
  }
};
} // namespace

// A mask with two readers of different shapes has to be stored.
TEST_P(FormsTest, StoredMask) {
  const int64_t rows = 7, columns = 37;
  KernelText k("k");
  Tensor x = k.input({rows, columns});
  Tensor out = k.output({rows, columns}), turned = k.output({columns, rows});
  Tensor mask = k.generic({"i j",
                           "",
                           {x},
                           {"i, j"},
                           {k.empty({rows, columns}, "i1")},
                           "i, j",
                           {"%z = arith.constant 0.0 : f32",
                            "%c = arith.cmpf ogt, %a0, %z : f32", "%c"}})[0];
  const std::vector<std::string> number = {"%u = arith.uitofp %a0 : i1 to f32",
                                           "%u"};
  k.store(k.generic({"i j",
                     "",
                     {mask},
                     {"i, j"},
                     {k.empty({rows, columns})},
                     "i, j",
                     number})[0],
          out);
  k.store(k.generic({"j i",
                     "",
                     {mask},
                     {"i, j"},
                     {k.empty({columns, rows})},
                     "j, i",
                     number})[0],
          turned);
  Floats xs = Floats::random(rows * columns, 1);
  Floats y(rows * columns), t(rows * columns);
  run(k, {xs.raw(), y.raw(), t.raw()});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      float expected = xs[i * columns + j] > 0 ? 1 : 0;
      EXPECT_EQ(y[i * columns + j], expected) << i << " " << j;
      EXPECT_EQ(t[j * rows + i], expected) << i << " " << j;
    }
}

TEST_P(FormsTest, ScalarsAndTotals) {
  const int64_t rows = 5, columns = 23;
  KernelText k("k");
  Tensor x = k.input({rows, columns}), scale = k.input({});
  Tensor total = k.output({}), out = k.output({rows, columns});
  Tensor sum = k.generic({"i j",
                          "i j",
                          {x},
                          {"i, j"},
                          {k.fill({})},
                          "",
                          {"%s = arith.addf %o0, %a0 : f32", "%s"}})[0];
  Tensor scaled = k.generic({"",
                             "",
                             {sum, scale},
                             {"", ""},
                             {k.empty({})},
                             "",
                             {"%p = arith.mulf %a0, %a1 : f32", "%p"}})[0];
  k.store(scaled, total);
  k.store(k.generic({"i j",
                     "",
                     {x, scaled},
                     {"i, j", ""},
                     {k.empty({rows, columns})},
                     "i, j",
                     {"%d = arith.subf %a0, %a1 : f32", "%d"}})[0],
          out);
  Floats xs = Floats::random(rows * columns, 1), s(1, 0.25f), t(1);
  Floats y(rows * columns);
  run(k, {xs.raw(), s.raw(), t.raw(), y.raw()});
  double expected = 0;
  for (size_t i = 0; i < xs.size(); ++i)
    expected += xs[i] * 0.25;
  EXPECT_NEAR(t[0], expected, 1e-5);
  for (size_t i = 0; i < xs.size(); ++i)
    EXPECT_NEAR(y[i], xs[i] - expected, 1e-5);
}

// Sums over each subset of three axes, and the result used across them again.
TEST_P(FormsTest, ReductionsOfAnyAxes) {
  const Shape shape = {3, 19, 21};
  const char *loops[] = {"i", "j", "l"};
  for (unsigned subset = 1; subset < 7; ++subset) {
    std::string reduced, kept;
    Shape small;
    for (unsigned axis = 0; axis < 3; ++axis) {
      bool sum = subset >> axis & 1;
      (sum ? reduced : kept) += ((sum ? reduced : kept).empty() ? ""
                                 : sum                          ? " "
                                                                : ", ") +
                                std::string(loops[axis]);
      if (!sum)
        small.push_back(shape[axis]);
    }
    KernelText k("k");
    Tensor x = k.input(shape), out = k.output(shape);
    Tensor sum = k.generic({"i j l",
                            reduced,
                            {x},
                            {"i, j, l"},
                            {k.fill(small)},
                            kept,
                            {"%s = arith.addf %o0, %a0 : f32", "%s"}})[0];
    k.store(k.generic({"i j l",
                       "",
                       {x, sum},
                       {"i, j, l", kept},
                       {k.empty(shape)},
                       "i, j, l",
                       {"%d = arith.subf %a0, %a1 : f32", "%d"}})[0],
            out);
    Floats xs = Floats::random(3 * 19 * 21, subset), y(3 * 19 * 21);
    run(k, {xs.raw(), y.raw()});
    auto group = [&](int64_t at) {
      int64_t index[] = {at / 21 / 19, at / 21 % 19, at % 21}, result = 0;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (!(subset >> axis & 1))
          result = result * shape[axis] + index[axis];
      return result;
    };
    std::vector<double> sums(3 * 19 * 21), expected(3 * 19 * 21);
    for (int64_t at = 0; at < 3 * 19 * 21; ++at)
      sums[group(at)] += xs[at];
    for (int64_t at = 0; at < 3 * 19 * 21; ++at)
      expected[at] = xs[at] - sums[group(at)];
    EXPECT_LT(relativeError(y, expected), 1e-5) << subset;
  }
}

// An axis of size one against a larger one.
// What padding cuts away leaves a constant to be added up.
TEST_P(FormsTest, ReductionOfAConstant) {
  const int64_t rows = 8, columns = 25;
  KernelText k("k");
  Tensor x = k.input({rows, columns}), out = k.output({rows});
  k.store(k.generic({"i j",
                     "j",
                     {x},
                     {"i, j"},
                     {k.fill({rows})},
                     "i",
                     {"%c = arith.constant 0.5 : f32",
                      "%s = arith.addf %o0, %c : f32", "%s"}})[0],
          out);
  Floats xs = Floats::random(rows * columns, 1), y(rows);
  run(k, {xs.raw(), y.raw()});
  for (int64_t i = 0; i < rows; ++i)
    EXPECT_EQ(y[i], 12.5f) << i;
}

// Neighbouring parts of a wide vector, stored side by side; the first begins
// where no vector of both their sizes would.
TEST_P(FormsTest, PartsOfAVector) {
  const std::string text = R"(
func.func @k(%a: memref<24xf32> {llvm.noalias}, %o: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = vector.load %a[%c0] : memref<24xf32>, vector<24xf32>
  %v = arith.addf %n, %n : vector<24xf32>
  %x = vector.extract_strided_slice %v {offsets = [12], sizes = [4], strides = [1]} : vector<24xf32> to vector<4xf32>
  %y = vector.extract_strided_slice %v {offsets = [16], sizes = [4], strides = [1]} : vector<24xf32> to vector<4xf32>
  vector.store %x, %o[%c0] : memref<8xf32>, vector<4xf32>
  vector.store %y, %o[%c4] : memref<8xf32>, vector<4xf32>
  return
}
)";
  auto kernels = CompiledKernels::compile(text, GetParam());
  ASSERT_TRUE(kernels);
  Floats x = Floats::random(24, 1), y(8);
  kernels->run("k", {x.raw(), y.raw()});
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], 2 * x[12 + i]) << i;
}

TEST_P(FormsTest, BroadcastOfAUnitAxis) {
  KernelText k("k");
  Tensor x = k.input({6, 20}), row = k.input({1, 20}), column = k.input({6, 1});
  Tensor out = k.output({6, 20});
  k.store(k.generic({"i j",
                     "",
                     {x, row, column},
                     {"i, j", "0, j", "i, 0"},
                     {k.empty({6, 20})},
                     "i, j",
                     {"%p = arith.mulf %a0, %a1 : f32",
                      "%s = arith.addf %p, %a2 : f32", "%s"}})[0],
          out);
  Floats xs = Floats::random(120, 1), r = Floats::random(20, 2);
  Floats c = Floats::random(6, 3), y(120);
  run(k, {xs.raw(), r.raw(), c.raw(), y.raw()});
  std::vector<double> expected(120);
  for (int64_t i = 0; i < 120; ++i)
    expected[i] = double(xs[i]) * r[i % 20] + c[i / 20];
  EXPECT_LT(relativeError(y, expected), 1e-6);
}

// Rows of a table by index: no vector form, but right.
TEST_P(FormsTest, Lookup) {
  const int64_t samples = 9, entries = 11, width = 18;
  KernelText k("k");
  Tensor table = k.input({entries, width}), index = k.input({samples}, "i32");
  Tensor out = k.output({samples, width});
  k.store(k.generic({"n c",
                     "",
                     {index},
                     {"n"},
                     {k.empty({samples, width})},
                     "n, c",
                     {"%i = arith.index_cast %a0 : i32 to index",
                      "%c = linalg.index 1 : index",
                      "%e = tensor.extract " + table.name +
                          "[%i, %c] : " + table.type(),
                      "%e"}})[0],
          out);
  Floats t = Floats::random(entries * width, 1), y(samples * width);
  int32_t indices[] = {3, 0, 10, 3, 7, 1, 1, 10, 5};
  run(k, {t.raw(), indices, y.raw()});
  for (int64_t n = 0; n < samples; ++n)
    for (int64_t c = 0; c < width; ++c)
      EXPECT_EQ(y[n * width + c], t[indices[n] * width + c]);
}

// Double precision and integers take the same path.
TEST_P(FormsTest, OtherElements) {
  KernelText k("k");
  Tensor x = k.input({37}, "f64"), n = k.input({37}, "i64");
  Tensor y = k.output({37}, "f64"), m = k.output({37}, "i64");
  k.store(k.generic({"i",
                     "",
                     {x},
                     {"i"},
                     {k.empty({37}, "f64")},
                     "i",
                     {"%r = math.exp %a0 : f64", "%r"}})[0],
          y);
  k.store(k.generic({"i",
                     "",
                     {n, n},
                     {"i", "i"},
                     {k.empty({37}, "i64")},
                     "i",
                     {"%r = arith.muli %a0, %a1 : i64", "%r"}})[0],
          m);
  std::vector<double> xs(37), ys(37);
  std::vector<int64_t> ns(37), ms(37);
  for (int i = 0; i < 37; ++i) {
    xs[i] = i / 10.0;
    ns[i] = i - 10000000000;
  }
  run(k, {xs.data(), ns.data(), ys.data(), ms.data()});
  for (int i = 0; i < 37; ++i) {
    EXPECT_DOUBLE_EQ(ys[i], std::exp(xs[i]));
    EXPECT_EQ(ms[i], int64_t(uint64_t(ns[i]) * uint64_t(ns[i])));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FormsTest,
                         testing::ValuesIn(runnableTargets()), targetName);
