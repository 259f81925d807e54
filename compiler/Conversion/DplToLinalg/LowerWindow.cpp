//===- LowerWindow.cpp - Pooling ------------------------------------------===//
//
// A window operation without products is a sequence of elementwise operations
// over strided slices, one for each tap of the window.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/DplToLinalg/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace dpl;

/// Taps whose places one loop body compares with the maximum, at most; the work
/// grows with the square of their number.
static constexpr size_t kTapsInOneBody = 9;

/// All taps of a window, the last axis fastest.
static SmallVector<Shape> tapsOf(const Window &w) {
  SmallVector<Shape> taps = {Shape()};
  for (int64_t n : w.size) {
    SmallVector<Shape> longer;
    for (const Shape &t : taps)
      for (int64_t i = 0; i < n; ++i) {
        longer.push_back(t);
        longer.back().push_back(i);
      }
    taps = std::move(longer);
  }
  return taps;
}

/// The elements that one tap sees at every position of the window; or, with
/// `into`, `x` inserted there, `shift` places further along each spatial axis.
Value KernelLowering::windowSlice(Value x, const Window &w,
                                  ArrayRef<int64_t> tap,
                                  ArrayRef<int64_t> result, Value into,
                                  ArrayRef<int64_t> shift) {
  unsigned lead = tile ? 1 : 0, rank = w.rank() + 1 + lead;
  Shape offsets(rank, 0), strides(rank, 1);
  for (unsigned i = 0; i < w.rank(); ++i) {
    unsigned axis = w.spatialAxis(i) + lead;
    offsets[axis] = tap[i] * w.dilation[i] + (shift.empty() ? 0 : shift[i]);
    strides[axis] = w.stride[i];
  }
  if (into)
    return insertInto(x, into, offsets, strides);
  return sliceOf(x, offsets, result, strides);
}

Value KernelLowering::lowerPool(PoolOp op) {
  Window w = op.getGeometry();
  RankedTensorType type = lowered(op.getType());
  Value x = get(op.getX()), total;
  for (const Shape &tap : tapsOf(w)) {
    Value part = windowSlice(x, w, tap, type.getShape(), Value(), {});
    if (!total) {
      total = part;
      continue;
    }
    total = elementwise(type, {total, part}, [&](ValueRange e) -> Value {
      if (op.getKind() == ReduceKind::sum)
        return arith::AddFOp::create(b, e[0], e[1]);
      // Keeps the first on ties, and NaN.
      Value larger =
          arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, e[1], e[0]);
      return arith::SelectOp::create(b, larger, e[1], e[0]);
    });
  }
  // A window of one tap is a strided copy.
  if (total.getDefiningOp<linalg::GenericOp>())
    return total;
  return elementwise(type, {total}, [](ValueRange e) { return e[0]; });
}

/// Do windows at different positions share elements?
static bool overlaps(const Window &w) {
  for (unsigned i = 0; i < w.rank(); ++i)
    if (w.stride[i] < w.span(i))
      return true;
  return false;
}

/// The zero padding that is the only reader of `v`, if there is one.
static PadOp onlyPadding(Value v) {
  if (!v.hasOneUse())
    return PadOp();
  auto pad = dyn_cast<PadOp>(*v.user_begin());
  return pad && pad.isHalo() && pad.getValue().isPosZero() ? pad : PadOp();
}

/// The parts of `g` that belong to the last of the taps `seen`: where it is the
/// first of them that equals the maximum `y`.
Value KernelLowering::takenHere(RankedTensorType type, Value g, Value y,
                                ArrayRef<Value> seen) {
  SmallVector<Value> inputs = {g, y};
  inputs.append(seen.begin(), seen.end());
  return elementwise(type, inputs, [&](ValueRange e) -> Value {
    auto equal = [&](Value v) -> Value {
      return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, v, e[1]);
    };
    Value zero = scalar(type.getElementType(), 0);
    Value v = arith::SelectOp::create(b, equal(e.back()), e[0], zero);
    for (Value earlier : e.slice(2, seen.size() - 1))
      v = arith::SelectOp::create(b, equal(earlier), zero, v);
    return v;
  });
}

Value KernelLowering::lowerPoolMaxGrad(PoolMaxGradOp op) {
  Window w = op.getGeometry();
  Value x = get(op.getX()), y = get(op.getY()), g = get(op.getCotangent());
  RankedTensorType pooled = lowered(op.getCotangent().getType());
  // Where the gradient is wanted with zeros around it, it is scattered there.
  PadOp pad = onlyPadding(op.getResult());
  Shape shift(w.rank(), 0);
  for (unsigned i = 0; pad && i < w.rank(); ++i)
    shift[i] = pad.getLow()[w.spatialAxis(i)];
  Value whole = filledOwn(lowered(pad ? pad.getType() : op.getType()), 0);
  bool overlap = overlaps(w);
  SmallVector<Shape> taps = tapsOf(w);
  SmallVector<Value> seen;
  for (const Shape &tap : taps) {
    Value at = windowSlice(x, w, tap, pooled.getShape(), Value(), {});
    // Few taps look at all earlier ones; many keep what none has taken yet.
    if (taps.size() > kTapsInOneBody)
      seen.clear();
    seen.push_back(at);
    Value part = takenHere(pooled, g, y, seen);
    if (taps.size() > kTapsInOneBody)
      g = elementwise(pooled, {g, y, at}, [&](ValueRange e) -> Value {
        Value equal =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, e[2], e[1]);
        Value zero = scalar(pooled.getElementType(), 0);
        return arith::SelectOp::create(b, equal, zero, e[0]);
      });
    if (overlap) {
      Value before =
          windowSlice(whole, w, tap, pooled.getShape(), Value(), shift);
      part = elementwise(pooled, {before, part}, [&](ValueRange e) -> Value {
        return arith::AddFOp::create(b, e[0], e[1]);
      });
    }
    whole = windowSlice(part, w, tap, pooled.getShape(), whole, shift);
  }
  if (pad)
    map[pad.getResult()] = whole;
  return whole;
}
