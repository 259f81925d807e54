//===- WindowSweepTest.cpp - Gradients of windows of every geometry -------===//
//
// Random strides, paddings (negative ones, too), dilations, input dilations
// and groups of one to three axes, in both layouts. A geometry that the shape
// rule refuses is drawn again.
//
//===----------------------------------------------------------------------===//

#include "test/Gradient/Case.h"
#include "test/Support/Random.h"

#include "compiler/Reference/Random.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

namespace {

/// A picture and a window that fits on it.
struct Geometry {
  Shape x, filter;
  Window window;
  std::string text;
};

Geometry randomGeometry(reference::Random &random) {
  auto quiet = [](StringRef, const Twine &) {};
  while (true) {
    Shape spatial, size;
    int64_t rank = random.between(1, 3), largest = rank == 3 ? 3 : 6;
    for (int64_t i = 0; i < rank; ++i) {
      spatial.push_back(random.between(1, largest));
      size.push_back(random.between(1, 3));
    }
    Window w = Window::simple(size);
    for (int64_t i = 0; i < rank; ++i) {
      w.stride[i] = random.between(1, 4);
      w.padLow[i] = random.between(-1, 2);
      w.padHigh[i] = random.between(-1, 2);
      w.dilation[i] = random.between(1, 2);
      w.dilateInput[i] = random.between(1, 3);
    }
    w.channelsLast = random.between(0, 1);
    w.groups = random.between(1, 3);
    int64_t in = random.between(1, 2), out = w.groups * random.between(1, 2);
    Geometry g;
    g.window = w;
    g.x = spatial;
    g.x.insert(g.x.begin() + w.channelAxis(), w.groups * in);
    g.filter = size;
    Shape channels = w.channelsLast ? Shape{in, out} : Shape{out, in};
    g.filter.insert(w.channelsLast ? g.filter.end() : g.filter.begin(),
                    channels.begin(), channels.end());
    if (succeeded(inferConvShape(g.x, g.filter, w, quiet)))
      return g;
  }
}

class WindowSweep : public testing::Test {
protected:
  void check(
      std::string op,
      std::function<Value(OpBuilder &, Location, ValueRange, const Geometry &)>
          build,
      bool filter) {
    for (int64_t i = 0; i < repetitions(60); ++i) {
      uint64_t seed = testSeed() * 1000003 + i;
      reference::Random random(seed);
      Geometry g = randomGeometry(random);
      Case c = {op, "", {{g.x}}, [&](OpBuilder &b, Location loc, ValueRange v) {
                  return build(b, loc, v, g);
                }};
      if (filter)
        c.operands.push_back({g.filter});
      for (unsigned mask : c.allMasks())
        ASSERT_TRUE(gradientsAreRight(c, mask, seed));
    }
  }
};

} // namespace

TEST_F(WindowSweep, Conv) {
  check(
      "dpl.conv",
      [](OpBuilder &b, Location loc, ValueRange v, const Geometry &g) {
        return ConvOp::create(b, loc, v[0], v[1], g.window).getResult();
      },
      true);
}

TEST_F(WindowSweep, SumPool) {
  check(
      "dpl.pool",
      [](OpBuilder &b, Location loc, ValueRange v, const Geometry &g) {
        return PoolOp::create(b, loc, ReduceKind::sum, v[0], g.window)
            .getResult();
      },
      false);
}

// A window that meets no element has the value minus infinity; a maximum with
// a number below all elements keeps the loss finite.
TEST_F(WindowSweep, MaxPool) {
  check(
      "dpl.pool",
      [](OpBuilder &b, Location loc, ValueRange v, const Geometry &g) {
        Value y = PoolOp::create(b, loc, ReduceKind::max, v[0], g.window);
        auto type = cast<RankedTensorType>(y.getType());
        auto uniform =
            tensorType(type.getShape(), type.getElementType(), false);
        Value low =
            ConstantOp::create(b, loc, DenseElementsAttr::get(uniform, -2.0f));
        return MaxOp::create(b, loc, y, low).getResult();
      },
      false);
}

// The gradients of a convolution are themselves a convolution and a product
// over windows; those of a strided one are dilated, so one more derivative of
// the same kind is checked when a convolution's operand is a convolution.
TEST_F(WindowSweep, ConvOfConv) {
  check(
      "dpl.conv",
      [](OpBuilder &b, Location loc, ValueRange v, const Geometry &g) {
        Value y = ConvOp::create(b, loc, v[0], v[1], g.window);
        Window point = Window::simple(Shape(g.window.rank(), 1));
        point.channelsLast = g.window.channelsLast;
        auto type = cast<RankedTensorType>(y.getType());
        int64_t channels = type.getShape()[g.window.channelAxis()];
        Shape shape(g.window.rank(), 1);
        Shape pair = {channels, channels};
        shape.insert(point.channelsLast ? shape.end() : shape.begin(),
                     pair.begin(), pair.end());
        auto uniform = tensorType(shape, type.getElementType(), false);
        Value f =
            ConstantOp::create(b, loc, DenseElementsAttr::get(uniform, 0.5f));
        return ConvOp::create(b, loc, TanhOp::create(b, loc, y), f, point)
            .getResult();
      },
      true);
}
