//===- TensorShapes.cpp - operations that change shapes -------------------===//

#include "compiler/Import/Tensors.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

template <typename Op, typename... Args>
FailureOr<Tensor> Tensors::reshapedBy(const Tensor &x, FailureOr<Shape> shape,
                                      const Args &...args) {
  if (failed(shape))
    return failure();
  return wrap(b.createOrFold<Op>(loc, x.value, args...),
              x.type.withShape(*shape));
}

FailureOr<Tensor> Tensors::reshape(const Tensor &x, Shape shape) {
  return reshapedBy<ReshapeOp>(
      x, inferReshapeShape(x.type.shape, shape, context.shapeError(at)), shape);
}

FailureOr<Tensor> Tensors::broadcast(const Tensor &x, Shape shape, Shape axes) {
  return reshapedBy<BroadcastOp>(
      x, inferBroadcastShape(x.type.shape, shape, axes, context.shapeError(at)),
      shape, axes);
}

FailureOr<Tensor> Tensors::transpose(const Tensor &x, Shape permutation) {
  return reshapedBy<TransposeOp>(
      x, inferTransposeShape(x.type.shape, permutation, context.shapeError(at)),
      permutation);
}

FailureOr<Tensor> Tensors::slice(const Tensor &x, Shape start, Shape size,
                                 Shape step) {
  return reshapedBy<SliceOp>(
      x,
      inferSliceShape(x.type.shape, start, size, step, context.shapeError(at)),
      start, size, step);
}

FailureOr<Tensor> Tensors::pad(const Tensor &x, Shape low, Shape high,
                               Shape interior, double value) {
  return reshapedBy<PadOp>(
      x,
      inferPadShape(x.type.shape, low, high, interior, context.shapeError(at)),
      low, high, interior, llvm::APFloat(value));
}

FailureOr<Tensor> Tensors::reverse(const Tensor &x, Shape axes) {
  return reshapedBy<ReverseOp>(
      x, inferReverseShape(x.type.shape, axes, context.shapeError(at)), axes);
}

FailureOr<Tensor> Tensors::reduce(ReduceKind kind, const Tensor &x, Shape axes,
                                  bool keep) {
  FailureOr<Shape> shape =
      inferReduceShape(x.type.shape, axes, context.shapeError(at));
  if (failed(shape))
    return failure();
  if (!isFloat(x.type.element))
    return context.report(diag::needs_float, at, stringifyReduceKind(kind),
                          x.type.text());
  TensorType type = x.type.withShape(*shape);
  Tensor result;
  if (std::optional<double> number = splatNumber(x)) {
    double count = x.type.elements() / std::max<int64_t>(1, type.elements());
    result =
        constant(kind == ReduceKind::sum ? *number * count : *number, type);
  } else {
    result = wrap(b.createOrFold<ReduceOp>(loc, kind, x.value, axes), type);
  }
  if (!keep)
    return result;
  Shape kept = x.type.shape;
  for (int64_t axis : axes)
    kept[axis] = 1;
  return reshape(result, kept);
}

FailureOr<Tensor> Tensors::mean(const Tensor &x, Shape axes, bool keep) {
  FailureOr<Tensor> sum = reduce(ReduceKind::sum, x, std::move(axes), keep);
  if (failed(sum))
    return failure();
  double count = x.type.elements() / std::max<int64_t>(1, sum->type.elements());
  FailureOr<Value> result = binary(BinaryOp::Mul, *sum, Value(1.0 / count));
  if (failed(result))
    return failure();
  return *result->as<Tensor>();
}

FailureOr<Tensor> Tensors::contract(const Tensor &lhs, const Tensor &rhs,
                                    Shape lhsLabels, Shape rhsLabels,
                                    Shape resultLabels) {
  FailureOr<Shape> shape =
      inferContractShape(lhs.type.shape, rhs.type.shape, lhsLabels, rhsLabels,
                         resultLabels, context.shapeError(at));
  if (failed(shape))
    return failure();
  if (lhs.type.element != rhs.type.element || !isFloat(lhs.type.element))
    return context.report(diag::element_operands, at, lhs.type.text(),
                          rhs.type.text());
  mlir::Value value = ContractOp::create(b, loc, lhs.value, rhs.value,
                                         lhsLabels, rhsLabels, resultLabels);
  return wrap(value, lhs.type.withShape(*shape));
}
