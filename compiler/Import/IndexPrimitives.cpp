//===- IndexPrimitives.cpp - elements by their index ----------------------===//

#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

/// `x` [a.., n, b..] for each of `indices` [i..]: [a.., i.., n, b..] and
/// indices [a.., i.., b..], the operands of an elementwise take along the axis
/// of n.
static FailureOr<std::pair<Tensor, Tensor>> spread(PrimitiveCall &call,
                                                   const Tensor &x,
                                                   const Tensor &indices,
                                                   int64_t axis) {
  llvm::ArrayRef<int64_t> shape = x.type.shape;
  Shape before(shape.take_front(axis)), behind(shape.drop_front(axis + 1));
  Shape xShape = before, indexShape = before;
  llvm::append_range(xShape, indices.type.shape);
  llvm::append_range(indexShape, indices.type.shape);
  xShape.push_back(shape[axis]);
  llvm::append_range(xShape, behind);
  llvm::append_range(indexShape, behind);
  int64_t inserted = indices.type.rank();
  Shape xAxes, indexAxes;
  for (int64_t i = 0; i < x.type.rank(); ++i)
    xAxes.push_back(i < axis ? i : i + inserted);
  for (int64_t i = 0; i < inserted; ++i)
    indexAxes.push_back(axis + i);
  FailureOr<Tensor> left = call.tensors.broadcast(x, xShape, xAxes);
  if (failed(left))
    return failure();
  FailureOr<Tensor> right =
      call.tensors.broadcast(indices, indexShape, indexAxes);
  if (failed(right))
    return failure();
  return std::pair(*left, *right);
}

/// With `each`, one index for each place of the other axes; without, all
/// elements of the other axes for each index.
static FailureOr<Value> take(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  FailureOr<Tensor> indices = call.tensor(1);
  if (failed(indices))
    return failure();
  if (indices->type.element != Element::Class &&
      indices->type.element != Element::I32)
    return call.report(diag::needs_class, call.at, "take",
                       indices->type.text());
  FailureOr<int64_t> axis = call.axis(2, x->type.rank());
  if (failed(axis))
    return failure();
  if (indices->type.element == Element::Class &&
      indices->type.classes != x->type.shape[*axis])
    return call.report(diag::class_axis, call.at, indices->type.classes,
                       x->type.shape[*axis]);
  if (!call.flag(3)) {
    FailureOr<std::pair<Tensor, Tensor>> both =
        spread(call, *x, *indices, *axis);
    if (failed(both))
      return failure();
    *axis += indices->type.rank();
    std::tie(*x, *indices) = *both;
  }
  FailureOr<Shape> shape =
      inferTakeShape(x->type.shape, indices->type.shape, *axis,
                     call.tensors.context.shapeError(call.at));
  if (failed(shape))
    return failure();
  return Value(
      call.tensors.wrap(TakeOp::create(call.tensors.b, call.tensors.loc,
                                       x->value, indices->value, *axis),
                        x->type.withShape(*shape)));
}

llvm::ArrayRef<Primitive> importer::indexPrimitives() {
  static const Primitive table[] = {{"take", take}};
  return table;
}
