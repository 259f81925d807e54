//===- Reduce.cpp - Reference: reductions, contractions, indexing ---------===//

#include "compiler/Reference/Primitives.h"

#include <limits>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

/// Sizes and strides of some axes of a tensor.
namespace {
struct Axes {
  void add(int64_t n, int64_t stride) {
    size.push_back(n);
    step.push_back(stride);
  }
  std::vector<int64_t> places() const { return offsets(size, step); }
  Shape size, step;
};
} // namespace

/// Splits the axes of `shape` into those named by `chosen` and the others.
static std::pair<Axes, Axes> split(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> chosen) {
  Axes in, out;
  Shape stride = strides(shape);
  for (unsigned i = 0; i < shape.size(); ++i)
    (llvm::is_contained(chosen, (int64_t)i) ? in : out)
        .add(shape[i], stride[i]);
  return {in, out};
}

Tensor dpl::reference::reduce(ReduceOp op, const Tensor &x) {
  auto [gone, kept] = split(x.shape, op.getAxes());
  bool isMax = op.getKind() == ReduceKind::max;
  std::vector<int64_t> inner = gone.places(), outer = kept.places();
  Tensor y(kept.size, isMax ? -std::numeric_limits<double>::infinity() : 0);
  for (int64_t i = 0; i < y.size(); ++i)
    for (int64_t place : inner) {
      double v = x[outer[i] + place];
      if (!isMax)
        y[i] += v;
      else if (v > y[i] || v != v)
        y[i] = v;
    }
  return y;
}

Tensor dpl::reference::argmax(ArgmaxOp op, const Tensor &x) {
  auto [gone, kept] = split(x.shape, {(int64_t)op.getAxis()});
  std::vector<int64_t> inner = gone.places(), outer = kept.places();
  Tensor y(kept.size);
  for (int64_t i = 0; i < y.size(); ++i) {
    int64_t best = 0;
    for (int64_t k = 1; k < (int64_t)inner.size(); ++k) {
      double v = x[outer[i] + inner[k]], top = x[outer[i] + inner[best]];
      if (v > top || (v != v && top == top))
        best = k;
    }
    y[i] = best;
  }
  return y;
}

Tensor dpl::reference::take(TakeOp op, const Tensor &x, const Tensor &indices) {
  auto [along, rest] = split(x.shape, {(int64_t)op.getAxis()});
  std::vector<int64_t> inner = along.places(), outer = rest.places();
  Tensor y(rest.size);
  for (int64_t i = 0; i < y.size(); ++i)
    if (indices[i] >= 0 && indices[i] < (double)inner.size())
      y[i] = x[outer[i] + inner[(int64_t)indices[i]]];
  return y;
}

Tensor dpl::reference::scatterAdd(ScatterAddOp op, const Tensor &x,
                                  const Tensor &indices) {
  Tensor y(resultShape(op));
  auto [along, rest] = split(y.shape, {(int64_t)op.getAxis()});
  std::vector<int64_t> inner = along.places(), outer = rest.places();
  for (int64_t i = 0; i < x.size(); ++i)
    if (indices[i] >= 0 && indices[i] < (double)inner.size())
      y[outer[i] + inner[(int64_t)indices[i]]] += x[i];
  return y;
}

void dpl::reference::addContraction(const Tensor &lhs, const Tensor &rhs,
                                    ArrayRef<int64_t> lhsLabels,
                                    ArrayRef<int64_t> rhsLabels,
                                    ArrayRef<int64_t> resultLabels,
                                    Tensor &result) {
  // A label that a tensor does not have moves nothing in it: stride 0.
  auto strideOf = [](const Tensor &t, ArrayRef<int64_t> labels, int64_t label) {
    const auto *it = llvm::find(labels, label);
    return it == labels.end() ? 0 : strides(t.shape)[it - labels.begin()];
  };
  Axes lhsOuter, rhsOuter, lhsInner, rhsInner;
  auto loop = [&](Axes &l, Axes &r, int64_t label, int64_t n) {
    l.add(n, strideOf(lhs, lhsLabels, label));
    r.add(n, strideOf(rhs, rhsLabels, label));
  };
  for (auto [label, n] : llvm::zip(resultLabels, result.shape))
    loop(lhsOuter, rhsOuter, label, n);
  for (auto [label, n] : llvm::zip(lhsLabels, lhs.shape))
    if (!llvm::is_contained(resultLabels, label))
      loop(lhsInner, rhsInner, label, n);
  for (auto [label, n] : llvm::zip(rhsLabels, rhs.shape))
    if (!llvm::is_contained(resultLabels, label) &&
        !llvm::is_contained(lhsLabels, label))
      loop(lhsInner, rhsInner, label, n);

  std::vector<int64_t> li = lhsInner.places(), ri = rhsInner.places();
  std::vector<int64_t> lo = lhsOuter.places(), ro = rhsOuter.places();
  for (int64_t i = 0; i < result.size(); ++i) {
    const double *a = lhs.data.data() + lo[i], *b = rhs.data.data() + ro[i];
    double sum = 0;
    for (size_t k = 0; k < li.size(); ++k)
      sum += a[li[k]] * b[ri[k]];
    result[i] += sum;
  }
}
