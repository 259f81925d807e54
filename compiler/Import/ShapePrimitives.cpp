//===- ShapePrimitives.cpp - shapes, and tensors of other shapes ----------===//

#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

using Result = FailureOr<Value>;

static Result asValue(FailureOr<Tensor> tensor) {
  return failed(tensor) ? Result(failure()) : Value(*tensor);
}

static Result shape(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  return Value::list(List(x->type.shape.begin(), x->type.shape.end()));
}

static Result size(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  return failed(x) ? Result(failure()) : Value(x->type.elements());
}

static Result rank(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  return failed(x) ? Result(failure()) : Value(x->type.rank());
}

static Result length(PrimitiveCall &call) {
  const List *list = call.values[0].asList();
  if (!list)
    return call.report(diag::needs_list, call.at, call.values[0].text());
  return Value(static_cast<int64_t>(list->size()));
}

static Result reshape(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  return failed(x) ? Result(failure())
                   : asValue(call.tensors.reshape(*x, call.ints(1)));
}

static Result broadcast(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  Shape to = call.ints(1);
  FailureOr<Shape> axes = call.axes(2, to.size());
  return failed(axes) ? Result(failure())
                      : asValue(call.tensors.broadcast(*x, to, *axes));
}

static Result transpose(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  return failed(x) ? Result(failure())
                   : asValue(call.tensors.transpose(*x, call.ints(1)));
}

/// Where each element is along an axis.
static Result index(PrimitiveCall &call) {
  if (failed(call.tensors.requireFunction()))
    return failure();
  TensorType type;
  type.element = Element::I32;
  FailureOr<Shape> shape = call.sizes(0);
  if (failed(shape))
    return failure();
  type.shape = *shape;
  FailureOr<int64_t> axis = call.axis(1, type.rank());
  if (failed(axis))
    return failure();
  return Value(call.tensors.wrap(
      IotaOp::create(call.tensors.b, call.tensors.loc,
                     irType(call.tensors.context.mlir(), type), *axis),
      type));
}

/// A list of numbers as a uniform vector.
static Result tensor(PrimitiveCall &call) {
  if (failed(call.tensors.requireFunction()))
    return failure();
  llvm::SmallVector<float> numbers;
  for (const Value &v : *call.values[0].asList()) {
    if (HostScalarPtr scalar = v.asScalar())
      return reportStructural(call.tensors.context, *scalar, call.at);
    numbers.push_back(static_cast<float>(*v.asNumber()));
  }
  if (numbers.empty())
    return call.report(diag::list_empty, call.at);
  TensorType type;
  type.shape = {static_cast<int64_t>(numbers.size())};
  auto dense =
      mlir::DenseElementsAttr::get(irType(call.tensors.context.mlir(), type),
                                   llvm::ArrayRef<float>(numbers));
  return Value(Tensor{
      ConstantOp::create(call.tensors.b, call.tensors.loc, dense), type});
}

llvm::ArrayRef<Primitive> importer::shapePrimitives() {
  static const Primitive table[] = {
      {"shape", shape},         {"size", size},       {"rank", rank},
      {"len", length},          {"reshape", reshape}, {"broadcast", broadcast},
      {"transpose", transpose}, {"tensor", tensor},   {"index", index},
  };
  return table;
}
