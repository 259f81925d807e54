//===- WindowPrimitives.cpp - convolution and pooling ---------------------===//

#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

using Result = FailureOr<Value>;

/// Sets one entry for each axis of the window; one number counts for all.
static LogicalResult setEntries(PrimitiveCall &call, unsigned argument,
                                Shape &entries) {
  Shape given = call.entries(argument, entries.size());
  if (given.size() != entries.size())
    return call.report(diag::window_settings, call.at,
                       call.function->data[argument].name.text, entries.size());
  entries = std::move(given);
  return success();
}

/// A window whose stride, padding on both sides and dilation are the arguments
/// from `first` on.
static FailureOr<Window>
makeWindow(PrimitiveCall &call, llvm::ArrayRef<int64_t> size, unsigned first) {
  Window w = Window::simple(size);
  for (Shape *entries : {&w.stride, &w.padLow, &w.padHigh, &w.dilation})
    if (failed(setEntries(call, first++, *entries)))
      return failure();
  return w;
}

static Result conv(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  FailureOr<Tensor> filter = call.floatTensor(1);
  if (failed(filter))
    return failure();
  if (x->type.element != filter->type.element)
    return call.report(diag::element_operands, call.at, x->type.text(),
                       filter->type.text());
  llvm::ArrayRef<int64_t> filterShape = filter->type.shape;
  FailureOr<Window> w = makeWindow(
      call, filterShape.size() < 2 ? filterShape : filterShape.drop_front(2),
      2);
  if (failed(w) || failed(setEntries(call, 6, w->dilateInput)))
    return failure();
  w->groups = call.integer(7);
  FailureOr<Shape> shape = inferConvShape(
      x->type.shape, filterShape, *w, call.tensors.context.shapeError(call.at));
  if (failed(shape))
    return failure();
  mlir::Value result = ConvOp::create(call.tensors.b, call.tensors.loc,
                                      x->value, filter->value, *w);
  return Value(call.tensors.wrap(result, x->type.withShape(*shape)));
}

/// Padding behind an axis of `n` places that makes the windows cover its end:
/// one more window where places are left behind the last, unless it would
/// begin in the padding.
static int64_t coveringPad(int64_t n, const Window &w, unsigned axis) {
  int64_t low = w.padLow[axis], high = w.padHigh[axis], step = w.stride[axis];
  int64_t room = low + n + high - w.span(axis);
  int64_t left = llvm::mod(room, step);
  int64_t next = room - left + step;
  bool isWanted = left != 0 && next >= 0 && next < low + n;
  return isWanted ? high + step - left : high;
}

/// The rules of a pool that its shape does not tell: padding is added, never
/// taken away, and every window meets an element.
static LogicalResult checkPool(PrimitiveCall &call, const Tensor &x,
                               const Window &w) {
  for (unsigned i = 0; i < w.rank(); ++i) {
    if (w.padLow[i] < 0 || w.padHigh[i] < 0)
      return call
          .report(diag::pool_padding, call.at,
                  std::min(w.padLow[i], w.padHigh[i]))
          .hint(diag::pool_crop);
    int64_t n = x.type.shape[w.spatialAxis(i)];
    if (std::optional<int64_t> place = findEmptyWindow(n, w, i))
      return call.report(diag::pool_empty, call.at, describeShape(w.size),
                         describeShape(w.padLow), *place, n);
  }
  return success();
}

static Result pool(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  FailureOr<Window> w = makeWindow(call, call.ints(1), 2);
  if (failed(w))
    return failure();
  if (!checkWindowNumbers(*w, call.tensors.context.shapeError(call.at)))
    return failure();
  if (call.member(6) == "up" && x->type.rank() == w->rank() + 1)
    for (unsigned i = 0; i < w->rank(); ++i)
      w->padHigh[i] = coveringPad(x->type.shape[w->spatialAxis(i)], *w, i);
  FailureOr<Shape> shape = inferPoolShape(
      x->type.shape, *w, call.tensors.context.shapeError(call.at));
  if (failed(shape) || failed(checkPool(call, *x, *w)))
    return failure();
  mlir::Value result =
      PoolOp::create(call.tensors.b, call.tensors.loc,
                     *symbolizeReduceKind(call.member(7)), x->value, *w);
  return Value(call.tensors.wrap(result, x->type.withShape(*shape)));
}

llvm::ArrayRef<Primitive> importer::windowPrimitives() {
  static const Primitive table[] = {{"conv", conv}, {"pool", pool}};
  return table;
}
