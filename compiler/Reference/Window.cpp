//===- Window.cpp - Reference: convolution and pooling --------------------===//
//
// All work is done with the channels first. The picture is padded and dilated
// as a whole; then every window is met at its origin and each of its taps.
//
//===----------------------------------------------------------------------===//

#include "compiler/Reference/Primitives.h"

#include <limits>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

/// Sends the channel axis of a picture first, or back to its place.
static Tensor channelsFirst(const Tensor &x, const Window &w) {
  if (!w.channelsLast)
    return x;
  Shape p = {(int64_t)w.rank()};
  llvm::append_range(p, llvm::seq<int64_t>(0, w.rank()));
  return transposed(x, p);
}
static Tensor channelsBack(const Tensor &x, const Window &w) {
  if (!w.channelsLast)
    return x;
  Shape p = llvm::to_vector(llvm::seq<int64_t>(1, w.rank() + 1));
  p.push_back(0);
  return transposed(x, p);
}

/// The same for a filter: [out, in, window..].
static Tensor filterFirst(const Tensor &f, const Window &w) {
  if (!w.channelsLast)
    return f;
  Shape p = {(int64_t)w.rank() + 1, (int64_t)w.rank()};
  llvm::append_range(p, llvm::seq<int64_t>(0, w.rank()));
  return transposed(f, p);
}
static Tensor filterBack(const Tensor &f, const Window &w) {
  if (!w.channelsLast)
    return f;
  Shape p = llvm::to_vector(llvm::seq<int64_t>(2, w.rank() + 2));
  p.append({1, 0});
  return transposed(f, p);
}

namespace {
/// A picture as its windows see it.
struct Seen {
  /// `x` has its channels first; `edge` is what padding counts as.
  Seen(const Tensor &x, const Window &w, double edge);

  /// Place of window `p`'s tap `t` in channel `c` of the picture.
  int64_t place(int64_t c, int64_t p, int64_t t) const {
    return c * channel + windows[p] + taps[t];
  }

  Tensor picture;
  int64_t channel;              ///< elements of a channel of the picture
  std::vector<int64_t> windows; ///< origin of each window in a channel
  std::vector<int64_t> taps;    ///< distance of each tap from the origin
  Shape positions;              ///< number of windows along each axis
  Shape low, dilate;            ///< where element i of x is: low + i * dilate
};
} // namespace

Seen::Seen(const Tensor &x, const Window &w, double edge) {
  Shape padded = {x.shape[0]};
  low = {0};
  dilate = {1};
  for (unsigned i = 0; i < w.rank(); ++i) {
    int64_t n = (x.shape[i + 1] - 1) * w.dilateInput[i] + 1;
    padded.push_back(w.padLow[i] + n + w.padHigh[i]);
    low.push_back(w.padLow[i]);
    dilate.push_back(w.dilateInput[i]);
    int64_t reach = (w.size[i] - 1) * w.dilation[i] + 1;
    positions.push_back((padded.back() - reach) / w.stride[i] + 1);
  }
  picture = placed(x, padded, low, dilate, edge);
  Shape stride = strides(padded), windowStep, tapStep;
  channel = stride[0];
  for (unsigned i = 0; i < w.rank(); ++i) {
    windowStep.push_back(stride[i + 1] * w.stride[i]);
    tapStep.push_back(stride[i + 1] * w.dilation[i]);
  }
  windows = offsets(positions, windowStep);
  taps = offsets(w.size, tapStep);
}

static Shape withChannels(int64_t channels, ArrayRef<int64_t> spatial) {
  Shape s = {channels};
  llvm::append_range(s, spatial);
  return s;
}

Tensor dpl::reference::conv(ConvOp op, const Tensor &x, const Tensor &filter) {
  Window w = op.getGeometry();
  Tensor f = filterFirst(filter, w);
  Seen seen(channelsFirst(x, w), w, 0);
  Tensor y(withChannels(f.shape[0], seen.positions));
  int64_t in = f.shape[1], taps = seen.taps.size(), count = seen.windows.size();
  int64_t out = f.shape[0] / w.groups;
  for (int64_t o = 0; o < f.shape[0]; ++o)
    for (int64_t i = 0; i < in; ++i)
      for (int64_t t = 0; t < taps; ++t) {
        double weight = f[(o * in + i) * taps + t];
        int64_t channel = o / out * in + i;
        const double *from = &seen.picture.data[seen.place(channel, 0, t)];
        for (int64_t p = 0; p < count; ++p)
          y[o * count + p] += weight * from[seen.windows[p]];
      }
  return channelsBack(y, w);
}

Tensor dpl::reference::convFilter(ConvFilterOp op, const Tensor &x,
                                  const Tensor &cotangent) {
  Window w = op.getGeometry();
  Tensor g = channelsFirst(cotangent, w);
  Seen seen(channelsFirst(x, w), w, 0);
  int64_t in = seen.picture.shape[0] / w.groups, taps = seen.taps.size();
  int64_t count = seen.windows.size(), out = g.shape[0] / w.groups;
  Shape shape = {g.shape[0], in};
  llvm::append_range(shape, w.size);
  Tensor f(shape);
  for (int64_t o = 0; o < g.shape[0]; ++o)
    for (int64_t i = 0; i < in; ++i)
      for (int64_t t = 0; t < taps; ++t) {
        int64_t channel = o / out * in + i;
        const double *from = &seen.picture.data[seen.place(channel, 0, t)];
        double sum = 0;
        for (int64_t p = 0; p < count; ++p)
          sum += g[o * count + p] * from[seen.windows[p]];
        f[(o * in + i) * taps + t] = sum;
      }
  return filterBack(f, w);
}

Tensor dpl::reference::pool(PoolOp op, const Tensor &x) {
  Window w = op.getGeometry();
  bool isMax = op.getKind() == ReduceKind::max;
  double start = isMax ? -std::numeric_limits<double>::infinity() : 0;
  Seen seen(channelsFirst(x, w), w, start);
  int64_t channels = seen.picture.shape[0], count = seen.windows.size();
  Tensor y(withChannels(channels, seen.positions), start);
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t p = 0; p < count; ++p) {
      double &result = y[c * count + p];
      for (size_t t = 0; t < seen.taps.size(); ++t) {
        double v = seen.picture[seen.place(c, p, t)];
        if (!isMax)
          result += v;
        else if (v > result || v != v)
          result = v;
      }
    }
  return channelsBack(y, w);
}

Tensor dpl::reference::poolMaxGrad(PoolMaxGradOp op, const Tensor &x,
                                   const Tensor &y, const Tensor &cotangent) {
  Window w = op.getGeometry();
  Tensor first = channelsFirst(x, w), top = channelsFirst(y, w);
  Tensor g = channelsFirst(cotangent, w);
  Seen seen(first, w, -std::numeric_limits<double>::infinity());
  int64_t count = seen.windows.size();
  Tensor d(seen.picture.shape);
  for (int64_t c = 0; c < d.shape[0]; ++c)
    for (int64_t p = 0; p < count; ++p)
      for (size_t t = 0; t < seen.taps.size(); ++t) {
        int64_t place = seen.place(c, p, t);
        if (seen.picture[place] != top[c * count + p])
          continue;
        d[place] += g[c * count + p];
        break;
      }
  // Of the picture's gradient, the places where elements of x are.
  Tensor places(first.shape);
  for (int64_t i = 0; i < places.size(); ++i)
    places[i] = i + 1;
  Tensor owner = placed(places, seen.picture.shape, seen.low, seen.dilate, 0);
  Tensor result(first.shape);
  for (int64_t i = 0; i < d.size(); ++i)
    if (owner[i] > 0)
      result[(int64_t)owner[i] - 1] = d[i];
  return channelsBack(result, w);
}
