//===- PoolTest.cpp - Max pooling with stored positions -------------------===//

#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include <cstring>

using namespace dpl::test;

namespace {
constexpr int64_t kSamples = 3, kSize = 10, kChannels = 21, kWindow = 2;
constexpr int64_t kPooled = kSize / kWindow;
const Shape kFull = {kSamples, kSize, kSize, kChannels};
const Shape kSmall = {kSamples, kPooled, kPooled, kChannels};

/// Value and position of the first maximum of each window.
std::string poolText() {
  KernelText k("pool");
  Tensor x = k.input(kFull);
  Tensor value = k.output(kSmall), place = k.output(kSmall, "i32");
  Tensor best, at;
  for (int64_t tap = 0; tap < kWindow * kWindow; ++tap) {
    Tensor v = k.slice(x, {0, tap / kWindow, tap % kWindow, 0}, kSmall,
                       {1, kWindow, kWindow, 1});
    if (tap == 0) {
      best = v;
      continue;
    }
    std::vector<Tensor> inputs = {best, v};
    std::vector<std::string> body = {"%c = arith.cmpf ogt, %a1, %a0 : f32",
                                     "%m = arith.select %c, %a1, %a0 : f32",
                                     "%k = arith.constant " +
                                         std::to_string(tap) + " : i32"};
    if (tap == 1) {
      body.push_back("%old = arith.constant 0 : i32");
      body.push_back("%i = arith.select %c, %k, %old : i32");
    } else {
      inputs.push_back(at);
      body.push_back("%i = arith.select %c, %k, %a2 : i32");
    }
    body.push_back("%m, %i");
    std::vector<std::string> maps(inputs.size(), "n, h, w, c");
    auto both = k.generic({"n h w c",
                           "",
                           inputs,
                           maps,
                           {k.empty(kSmall), k.empty(kSmall, "i32")},
                           "n, h, w, c",
                           body});
    best = both[0];
    at = both[1];
  }
  k.store(best, value);
  k.store(at, place);
  return k.text();
}

/// Each gradient to its window's stored position, zero elsewhere.
std::string scatterText() {
  KernelText k("scatter");
  Tensor g = k.input(kSmall), place = k.input(kSmall, "i32");
  Tensor out = k.output(kFull), into = k.zeros(kFull);
  for (int64_t tap = 0; tap < kWindow * kWindow; ++tap) {
    Tensor part = k.map(
        {g, place},
        {"%k = arith.constant " + std::to_string(tap) + " : i32",
         "%z = arith.constant 0.0 : f32", "%c = arith.cmpi eq, %a1, %k : i32",
         "%r = arith.select %c, %a0, %z : f32", "%r"});
    into = k.insert(part, into, {0, tap / kWindow, tap % kWindow, 0},
                    {1, kWindow, kWindow, 1});
  }
  // Twice the value, so that the temporary is used.
  k.store(k.map({into}, {"%r = arith.addf %a0, %a0 : f32", "%r"}), out);
  return k.text();
}

class PoolTest : public testing::TestWithParam<std::string> {};
} // namespace

TEST_P(PoolTest, ValueAndFirstPositionThenScatter) {
  auto kernels =
      CompiledKernels::compile(poolText() + scatterText(), GetParam());
  ASSERT_TRUE(kernels);
  size_t full = kSamples * kSize * kSize * kChannels;
  size_t small = kSamples * kPooled * kPooled * kChannels;
  // Few values, so that many windows have several maxima.
  Floats x = Floats::random(full, 1);
  for (size_t i = 0; i < full; ++i)
    x[i] = float(int(x[i] * 3));
  Floats y(small), place(small), g = Floats::random(small, 2), dx(full);
  kernels->run("pool", {x.raw(), y.raw(), place.raw()});
  kernels->run("scatter", {g.raw(), place.raw(), dx.raw()});

  std::vector<double> values(small), scattered(full);
  const auto *places = static_cast<const int32_t *>(place.raw());
  for (size_t o = 0; o < small; ++o) {
    int64_t c = o % kChannels, w = o / kChannels % kPooled;
    int64_t h = o / kChannels / kPooled % kPooled;
    int64_t n = o / kChannels / kPooled / kPooled;
    size_t best = 0;
    int32_t first = -1;
    for (int64_t tap = 0; tap < kWindow * kWindow; ++tap) {
      size_t at = ((n * kSize + h * kWindow + tap / kWindow) * kSize +
                   w * kWindow + tap % kWindow) *
                      kChannels +
                  c;
      if (first < 0 || x[at] > x[best]) {
        best = at;
        first = tap;
      }
    }
    EXPECT_EQ(places[o], first) << "window " << o;
    values[o] = x[best];
    scattered[best] += 2.0 * g[o];
  }
  EXPECT_EQ(relativeError(y, values), 0);
  EXPECT_EQ(relativeError(dx, scattered), 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, PoolTest,
                         testing::ValuesIn(runnableTargets()), targetName);
