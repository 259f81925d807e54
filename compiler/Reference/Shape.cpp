//===- Shape.cpp - Reference: primitives that make and rearrange ----------===//

#include "compiler/Reference/Primitives.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

ArrayRef<int64_t> dpl::reference::resultShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

/// The tensor whose elements are those of `x` at `places`, in order.
static Tensor gathered(const Tensor &x, ArrayRef<int64_t> shape,
                       const std::vector<int64_t> &places, int64_t first = 0) {
  Tensor y(shape);
  for (int64_t i = 0; i < y.size(); ++i)
    y[i] = x[first + places[i]];
  return y;
}

Tensor dpl::reference::constant(ConstantOp op) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  Tensor t(resultShape(op));
  int64_t i = 0;
  if (isa<FloatType>(value.getElementType())) {
    for (const APFloat &v : value.getValues<APFloat>()) {
      APFloat wide = v;
      bool inexact;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &inexact);
      t[i++] = wide.convertToDouble();
    }
    return t;
  }
  bool isBool = value.getElementType().isInteger(1);
  for (const APInt &v : value.getValues<APInt>())
    t[i++] = isBool ? (double)v.getZExtValue() : (double)v.getSExtValue();
  return t;
}

Tensor dpl::reference::iota(IotaOp op) {
  Shape step(resultShape(op).size(), 0);
  step[op.getAxis()] = 1;
  Tensor t(resultShape(op));
  for (auto [i, place] : llvm::enumerate(offsets(t.shape, step)))
    t[i] = place;
  return t;
}

Tensor dpl::reference::broadcast(BroadcastOp op, const Tensor &x) {
  Shape step(resultShape(op).size(), 0);
  for (auto [axis, stride] : llvm::zip(op.getAxes(), strides(x.shape)))
    step[axis] = stride;
  return gathered(x, resultShape(op), offsets(resultShape(op), step));
}

Tensor dpl::reference::reshape(ReshapeOp op, const Tensor &x) {
  Tensor y(resultShape(op));
  y.data = x.data;
  return y;
}

Tensor dpl::reference::transposed(const Tensor &x,
                                  ArrayRef<int64_t> permutation) {
  Shape shape, step;
  for (int64_t p : permutation) {
    shape.push_back(x.shape[p]);
    step.push_back(strides(x.shape)[p]);
  }
  return gathered(x, shape, offsets(shape, step));
}

Tensor dpl::reference::transpose(TransposeOp op, const Tensor &x) {
  return transposed(x, op.getPermutation());
}

Tensor dpl::reference::reverse(ReverseOp op, const Tensor &x) {
  Shape step = strides(x.shape);
  int64_t first = 0;
  for (int64_t axis : op.getAxes()) {
    first += (x.shape[axis] - 1) * step[axis];
    step[axis] = -step[axis];
  }
  return gathered(x, x.shape, offsets(x.shape, step), first);
}

Tensor dpl::reference::slice(SliceOp op, const Tensor &x) {
  Shape step = strides(x.shape);
  int64_t first = 0;
  for (unsigned i = 0; i < step.size(); ++i) {
    first += op.getStart()[i] * step[i];
    step[i] *= op.getStep()[i];
  }
  return gathered(x, resultShape(op), offsets(resultShape(op), step), first);
}

Tensor dpl::reference::placed(const Tensor &x, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> low, ArrayRef<int64_t> step,
                              double value) {
  // Where the elements go, axis by axis; -1 for those that have no place.
  Shape stride = strides(shape);
  std::vector<int64_t> places = {0};
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    std::vector<int64_t> longer;
    for (int64_t base : places)
      for (int64_t i = 0; i < x.shape[axis]; ++i) {
        int64_t at = low[axis] + i * step[axis];
        bool inside = base >= 0 && at >= 0 && at < shape[axis];
        longer.push_back(inside ? base + at * stride[axis] : -1);
      }
    places = std::move(longer);
  }
  Tensor y(shape, value);
  for (int64_t i = 0; i < x.size(); ++i)
    if (places[i] >= 0)
      y[places[i]] = x[i];
  return y;
}

Tensor dpl::reference::pad(PadOp op, const Tensor &x) {
  Shape step;
  for (int64_t n : op.getInterior())
    step.push_back(n + 1);
  return placed(x, resultShape(op), op.getLow(), step,
                op.getValue().convertToDouble());
}

Tensor dpl::reference::concat(ConcatOp op, ArrayRef<const Tensor *> parts) {
  // Each part is the same number of rows, which lie one behind the other.
  Tensor y(resultShape(op));
  int64_t rows = 1, next = 0;
  for (int64_t n : ArrayRef<int64_t>(y.shape).take_front(op.getAxis()))
    rows *= n;
  for (int64_t row = 0; row < rows; ++row)
    for (const Tensor *part : parts) {
      int64_t length = part->size() / rows;
      for (int64_t i = 0; i < length; ++i)
        y[next++] = (*part)[row * length + i];
    }
  return y;
}
