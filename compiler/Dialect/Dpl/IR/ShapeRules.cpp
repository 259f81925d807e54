//===- ShapeRules.cpp - Shapes of the primitives --------------------------===//

#include "compiler/Dialect/Dpl/IR/ShapeRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace dpl;
using llvm::ArrayRef;
using llvm::failure;
using llvm::Twine;
using mlir::FailureOr;

std::string dpl::describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::interleave(
      shape, [&](int64_t n) { text += std::to_string(n); },
      [&] { text += "x"; });
  return text;
}

/// A terabyte of bytes, and the longest axis.
static constexpr int64_t kMostElements = int64_t{1} << 40;
static constexpr int64_t kMostSize = int64_t{1} << 31;

bool dpl::checkTensorSize(ArrayRef<int64_t> shape, ShapeError error) {
  int64_t elements = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(elements, size, elements) || elements > kMostElements)
      return error("tensor_size", "a tensor of " + describeShape(shape) +
                                      " has more than " + Twine(kMostElements) +
                                      " elements"),
             false;
  return true;
}

/// The shape, or failure if it is too large.
static FailureOr<Shape> checked(ArrayRef<int64_t> shape, ShapeError error) {
  if (!checkTensorSize(shape, error))
    return failure();
  return Shape(shape.begin(), shape.end());
}

Window Window::simple(ArrayRef<int64_t> size) {
  Window w;
  w.size.assign(size.begin(), size.end());
  w.stride.assign(size.size(), 1);
  w.dilation = w.dilateInput = w.stride;
  w.padLow.assign(size.size(), 0);
  w.padHigh = w.padLow;
  return w;
}

bool Window::isPlain() const {
  auto is = [](ArrayRef<int64_t> v, int64_t n) {
    return llvm::all_of(v, [n](int64_t e) { return e == n; });
  };
  return is(padLow, 0) && is(padHigh, 0) && is(dilateInput, 1);
}

KeptElements dpl::keptElements(int64_t n, int64_t low, int64_t high,
                               int64_t step) {
  int64_t length = low + (n - 1) * step + 1 + high;
  int64_t first = low < 0 ? llvm::divideCeilSigned(-low, step) : 0;
  int64_t last =
      std::min(n - 1, llvm::divideFloorSigned(length - 1 - low, step));
  return {first, std::max<int64_t>(0, last - first + 1)};
}

bool dpl::checkWindowNumbers(const Window &w, ShapeError error) {
  for (ArrayRef<int64_t> v :
       {ArrayRef<int64_t>(w.size), ArrayRef<int64_t>(w.stride),
        ArrayRef<int64_t>(w.dilation), ArrayRef<int64_t>(w.dilateInput)})
    if (llvm::any_of(v, [](int64_t n) { return n < 1; }))
      return error("window_positive",
                   "window sizes, strides and dilations must be at least 1"),
             false;
  for (ArrayRef<int64_t> v :
       {ArrayRef<int64_t>(w.size), ArrayRef<int64_t>(w.stride),
        ArrayRef<int64_t>(w.dilation), ArrayRef<int64_t>(w.dilateInput),
        ArrayRef<int64_t>(w.padLow), ArrayRef<int64_t>(w.padHigh)})
    if (llvm::any_of(v,
                     [](int64_t n) { return n < -kMostSize || n > kMostSize; }))
      return error("window_size",
                   "window sizes, strides, padding and dilations must be at "
                   "most " +
                       Twine(kMostSize)),
             false;
  return true;
}

FailureOr<Shape> dpl::inferWindowShape(ArrayRef<int64_t> spatial,
                                       const Window &w, llvm::StringRef what,
                                       llvm::StringRef code, ShapeError error) {
  if (spatial.size() != w.rank())
    return error("window_rank", "a window of rank " + Twine(w.rank()) + " on " +
                                    Twine(spatial.size()) + " spatial axes"),
           failure();
  if (!checkWindowNumbers(w, error))
    return failure();
  Shape padded, span, result;
  for (auto [i, n] : llvm::enumerate(spatial)) {
    padded.push_back((n - 1) * w.dilateInput[i] + 1 + w.padLow[i] +
                     w.padHigh[i]);
    span.push_back(w.span(i));
    result.push_back((padded[i] - span[i]) / w.stride[i] + 1);
  }
  std::string dilated;
  if (span != w.size)
    dilated = ", " + describeShape(span) + " with its dilation,";
  for (unsigned i = 0; i < w.rank(); ++i)
    if (span[i] > padded[i])
      return error(code, what + " " + describeShape(w.size) + dilated +
                             " is larger than the padded input " +
                             describeShape(padded)),
             failure();
  return result;
}

std::optional<int64_t> dpl::findEmptyWindow(int64_t n, const Window &w,
                                            unsigned axis) {
  int64_t low = w.padLow[axis], dilation = w.dilation[axis];
  for (int64_t start = -low; start + w.span(axis) <= n + w.padHigh[axis];
       start += w.stride[axis]) {
    int64_t tap = start < 0 ? llvm::divideCeil(-start, dilation) : 0;
    if (tap >= w.size[axis] || start + tap * dilation >= n)
      return (start + low) / w.stride[axis];
  }
  return std::nullopt;
}

static Shape spatialOf(ArrayRef<int64_t> x, const Window &w) {
  Shape s;
  for (unsigned i = 0; i < w.rank(); ++i)
    s.push_back(x[w.spatialAxis(i)]);
  return s;
}

static Shape withChannels(ArrayRef<int64_t> spatial, int64_t channels,
                          const Window &w) {
  Shape s(spatial.begin(), spatial.end());
  s.insert(s.begin() + w.channelAxis(), channels);
  return s;
}

static bool checkWindowRank(ArrayRef<int64_t> x, const Window &w,
                            ShapeError error) {
  if (x.size() == w.rank() + 1)
    return true;
  error("window_rank", "a window of rank " + Twine(w.rank()) + " needs " +
                           Twine(w.rank() + 1) + " axes, the input " +
                           describeShape(x) + " has " + Twine(x.size()));
  return false;
}

/// Do the channels on both sides divide into the groups?
static bool checkGroups(int64_t in, int64_t out, const Window &w,
                        ShapeError error) {
  if (w.groups > 0 && in % w.groups == 0 && out % w.groups == 0)
    return true;
  error("conv_groups", Twine(in) + " channels to " + Twine(out) +
                           " do not divide into " + Twine(w.groups) +
                           " groups");
  return false;
}

static FailureOr<Shape> inferConvWindow(ArrayRef<int64_t> x, const Window &w,
                                        ShapeError error) {
  return inferWindowShape(spatialOf(x, w), w, "kernel", "conv2d_window", error);
}

FailureOr<Shape> dpl::inferConvShape(ArrayRef<int64_t> x,
                                     ArrayRef<int64_t> filter, const Window &w,
                                     ShapeError error) {
  if (!checkWindowRank(x, w, error))
    return failure();
  if (filter.size() != w.rank() + 2)
    return error("conv_filter_rank", "the filter " + describeShape(filter) +
                                         " needs " + Twine(w.rank() + 2) +
                                         " axes"),
           failure();
  int64_t in = filter[w.filterInAxis()], have = x[w.channelAxis()];
  if (!checkGroups(have, filter[w.filterOutAxis()], w, error))
    return failure();
  if (in * w.groups != have) {
    std::string each =
        w.groups == 1 ? ""
                      : " in each of " + std::to_string(w.groups) + " groups";
    return error("conv_channels", "the filter reads " + Twine(in) +
                                      " channels" + each + ", the input " +
                                      describeShape(x) + " has " + Twine(have)),
           failure();
  }
  FailureOr<Shape> spatial = inferConvWindow(x, w, error);
  if (failed(spatial))
    return failure();
  return checked(withChannels(*spatial, filter[w.filterOutAxis()], w), error);
}

FailureOr<Shape> dpl::inferConvFilterShape(ArrayRef<int64_t> x,
                                           ArrayRef<int64_t> cotangent,
                                           const Window &w, ShapeError error) {
  if (!checkWindowRank(x, w, error) || !checkWindowRank(cotangent, w, error) ||
      !checkGroups(x[w.channelAxis()], cotangent[w.channelAxis()], w, error))
    return failure();
  FailureOr<Shape> spatial = inferConvWindow(x, w, error);
  if (failed(spatial))
    return failure();
  if (*spatial != spatialOf(cotangent, w))
    return error("conv_cotangent",
                 "the cotangent is " + describeShape(spatialOf(cotangent, w)) +
                     ", the convolution's result " + describeShape(*spatial)),
           failure();
  Shape filter(w.rank() + 2);
  for (unsigned i = 0; i < w.rank(); ++i)
    filter[w.filterAxis(i)] = w.size[i];
  filter[w.filterInAxis()] = x[w.channelAxis()] / w.groups;
  filter[w.filterOutAxis()] = cotangent[w.channelAxis()];
  return filter;
}

FailureOr<Shape> dpl::inferPoolShape(ArrayRef<int64_t> x, const Window &w,
                                     ShapeError error) {
  if (!checkWindowRank(x, w, error))
    return failure();
  FailureOr<Shape> spatial =
      inferWindowShape(spatialOf(x, w), w, "window", "pool_window", error);
  if (failed(spatial))
    return failure();
  return checked(withChannels(*spatial, x[w.channelAxis()], w), error);
}

FailureOr<Shape> dpl::inferContractShape(ArrayRef<int64_t> lhs,
                                         ArrayRef<int64_t> rhs,
                                         ArrayRef<int64_t> lhsLabels,
                                         ArrayRef<int64_t> rhsLabels,
                                         ArrayRef<int64_t> resultLabels,
                                         ShapeError error) {
  llvm::SmallDenseMap<int64_t, int64_t> size;
  auto bind = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> labels) {
    if (shape.size() != labels.size())
      return error("einsum_rank", Twine(labels.size()) +
                                      " labels for the axes of " +
                                      describeShape(shape)),
             false;
    llvm::SmallSet<int64_t, 4> seen;
    for (auto [n, label] : llvm::zip(shape, labels)) {
      if (!seen.insert(label).second)
        return error("einsum_label", "one factor has a label twice"), false;
      auto [it, fresh] = size.try_emplace(label, n);
      if (!fresh && it->second != n)
        return error("einsum_size", "axes with one label have sizes " +
                                        Twine(it->second) + " and " + Twine(n)),
               false;
    }
    return true;
  };
  if (!bind(lhs, lhsLabels) || !bind(rhs, rhsLabels))
    return failure();
  Shape result;
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t label : resultLabels) {
    if (!seen.insert(label).second)
      return error("einsum_label", "the result has a label twice"), failure();
    auto it = size.find(label);
    if (it == size.end())
      return error("einsum_label", "a label of the result is in no operand"),
             failure();
    result.push_back(it->second);
  }
  return checked(result, error);
}

static bool checkAxes(ArrayRef<int64_t> axes, int64_t rank, ShapeError error) {
  for (auto [i, a] : llvm::enumerate(axes))
    if (a < 0 || a >= rank || (i && axes[i - 1] >= a))
      return error("axis_range", "axis " + Twine(a) + " of " + Twine(rank) +
                                     " axes; each once, in ascending order"),
             false;
  return true;
}

FailureOr<Shape> dpl::inferReduceShape(ArrayRef<int64_t> x,
                                       ArrayRef<int64_t> axes,
                                       ShapeError error) {
  if (!checkAxes(axes, x.size(), error))
    return failure();
  Shape result;
  for (auto [i, n] : llvm::enumerate(x))
    if (!llvm::is_contained(axes, (int64_t)i))
      result.push_back(n);
  return result;
}

FailureOr<Shape> dpl::inferReverseShape(ArrayRef<int64_t> x,
                                        ArrayRef<int64_t> axes,
                                        ShapeError error) {
  if (!checkAxes(axes, x.size(), error))
    return failure();
  return Shape(x.begin(), x.end());
}

static int64_t product(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

FailureOr<Shape> dpl::inferReshapeShape(ArrayRef<int64_t> x,
                                        ArrayRef<int64_t> shape,
                                        ShapeError error) {
  if (!checkTensorSize(shape, error))
    return failure();
  if (product(x) != product(shape))
    return error("reshape_count", describeShape(x) + " has " +
                                      Twine(product(x)) + " elements, " +
                                      describeShape(shape) + " has " +
                                      Twine(product(shape))),
           failure();
  return Shape(shape.begin(), shape.end());
}

FailureOr<Shape> dpl::inferBroadcastShape(ArrayRef<int64_t> x,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> axes,
                                          ShapeError error) {
  if (axes.size() != x.size())
    return error("broadcast_axes", "a tensor of shape " + describeShape(x) +
                                       " needs a place for each of its " +
                                       Twine(x.size()) + " axes, not " +
                                       Twine(axes.size())),
           failure();
  if (!checkAxes(axes, shape.size(), error))
    return failure();
  for (auto [n, a] : llvm::zip(x, axes))
    if (shape[a] != n)
      return error("broadcast_size", "an axis of size " + Twine(n) +
                                         " cannot be axis " + Twine(a) +
                                         " of " + describeShape(shape)),
             failure();
  return checked(shape, error);
}

FailureOr<Shape> dpl::inferTransposeShape(ArrayRef<int64_t> x,
                                          ArrayRef<int64_t> permutation,
                                          ShapeError error) {
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t p : permutation)
    if (p < 0 || p >= (int64_t)x.size() || !seen.insert(p).second)
      return error("transpose_axes", "a permutation names each of the " +
                                         Twine(x.size()) + " axes of " +
                                         describeShape(x) + " once"),
             failure();
  if (permutation.size() != x.size())
    return error("transpose_axes", "a permutation of " +
                                       Twine(permutation.size()) +
                                       " axes for " + describeShape(x)),
           failure();
  Shape result;
  for (int64_t p : permutation)
    result.push_back(x[p]);
  return result;
}

FailureOr<Shape> dpl::inferSliceShape(ArrayRef<int64_t> x,
                                      ArrayRef<int64_t> start,
                                      ArrayRef<int64_t> size,
                                      ArrayRef<int64_t> step,
                                      ShapeError error) {
  if (start.size() != x.size() || size.size() != x.size() ||
      step.size() != x.size())
    return error("slice_rank", "a slice needs an entry for each of the " +
                                   Twine(x.size()) + " axes"),
           failure();
  for (auto [i, n] : llvm::enumerate(x))
    if (start[i] < 0 || start[i] >= n || size[i] < 1 || step[i] < 1 ||
        size[i] - 1 > (n - 1 - start[i]) / step[i])
      return error("slice_range",
                   "slice of " + Twine(size[i]) + " from " + Twine(start[i]) +
                       " by " + Twine(step[i]) + " on an axis of " + Twine(n)),
             failure();
  return Shape(size.begin(), size.end());
}

FailureOr<Shape> dpl::inferPadShape(ArrayRef<int64_t> x, ArrayRef<int64_t> low,
                                    ArrayRef<int64_t> high,
                                    ArrayRef<int64_t> interior,
                                    ShapeError error) {
  if (low.size() != x.size() || high.size() != x.size() ||
      interior.size() != x.size())
    return error("pad_rank", "padding needs an entry for each of the " +
                                 Twine(x.size()) + " axes"),
           failure();
  Shape result;
  for (auto [i, n] : llvm::enumerate(x)) {
    for (int64_t count : {low[i], high[i], interior[i]})
      if (count < -kMostSize || count > kMostSize)
        return error("pad_size", "padding of " + Twine(count) + " places"),
               failure();
    int64_t m = low[i] + (n - 1) * (interior[i] + 1) + 1 + high[i];
    if (m < 1 || interior[i] < 0)
      return error("pad_size", "padding leaves " + Twine(m) +
                                   " places of an axis of " + Twine(n)),
             failure();
    result.push_back(m);
  }
  return checked(result, error);
}

FailureOr<Shape> dpl::inferConcatShape(ArrayRef<Shape> parts, int64_t axis,
                                       ShapeError error) {
  if (parts.empty())
    return error("concat_empty", "nothing to join"), failure();
  Shape result = parts.front();
  if (axis < 0 || axis >= (int64_t)result.size())
    return error("axis_range",
                 "axis " + Twine(axis) + " of " + describeShape(result)),
           failure();
  for (const Shape &part : parts.drop_front()) {
    Shape fitting = parts.front();
    if (part.size() == fitting.size())
      fitting[axis] = part[axis];
    if (part != fitting)
      return error("concat_shape", describeShape(parts.front()) + " and " +
                                       describeShape(part) +
                                       " cannot be joined along axis " +
                                       Twine(axis)),
             failure();
    result[axis] += part[axis];
  }
  return checked(result, error);
}

FailureOr<Shape> dpl::inferTakeShape(ArrayRef<int64_t> x,
                                     ArrayRef<int64_t> indices, int64_t axis,
                                     ShapeError error) {
  if (axis < 0 || axis >= (int64_t)x.size())
    return error("axis_range",
                 "axis " + Twine(axis) + " of " + describeShape(x)),
           failure();
  Shape rest(x.begin(), x.end());
  rest.erase(rest.begin() + axis);
  if (rest != Shape(indices.begin(), indices.end()))
    return error("take_shape",
                 "one index is needed for each place of the other axes, " +
                     describeShape(rest) + ", but the indices are " +
                     describeShape(indices)),
           failure();
  return rest;
}

FailureOr<Shape> dpl::inferScatterShape(ArrayRef<int64_t> x,
                                        ArrayRef<int64_t> indices, int64_t axis,
                                        int64_t length, ShapeError error) {
  if (x != indices)
    return error("scatter_shape", "indices " + describeShape(indices) +
                                      " for elements " + describeShape(x)),
           failure();
  if (axis < 0 || axis > (int64_t)x.size())
    return error("axis_range",
                 "a new axis " + Twine(axis) + " in " + describeShape(x)),
           failure();
  if (length < 1)
    return error("scatter_length", "a new axis of length " + Twine(length)),
           failure();
  Shape result(x.begin(), x.end());
  result.insert(result.begin() + axis, length);
  return result;
}

FailureOr<Shape> dpl::inferLanguageBroadcast(ArrayRef<int64_t> a,
                                             ArrayRef<int64_t> b,
                                             ShapeError error) {
  auto mismatch = [&] {
    error("broadcast_shapes",
          "shapes " + describeShape(a) + " and " + describeShape(b) +
              " do not fit: sizes must be equal or 1, or one shape must end "
              "with the other");
    return failure();
  };
  if (a.size() == b.size()) {
    Shape result;
    for (auto [m, n] : llvm::zip(a, b)) {
      if (m != n && m != 1 && n != 1)
        return mismatch();
      result.push_back(std::max(m, n));
    }
    return checked(result, error);
  }
  ArrayRef<int64_t> small = a.size() < b.size() ? a : b;
  ArrayRef<int64_t> large = a.size() < b.size() ? b : a;
  if (large.take_back(small.size()) != small)
    return mismatch();
  return Shape(large.begin(), large.end());
}
