//===- MathPrimitives.cpp - elementwise, reductions -----------------------===//

#include "compiler/Import/Arithmetic.h"
#include "compiler/Import/Primitives.h"

#include <algorithm>

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

using Result = FailureOr<Value>;

static Result asValue(FailureOr<Tensor> tensor) {
  return failed(tensor) ? Result(failure()) : Value(*tensor);
}

/// `exp log sqrt tanh erf sin abs` of a number at compile time, of an option,
/// or of a tensor.
template <typename OpT> static Result unary(PrimitiveCall &call) {
  const NumberFunction *number = numberFunction(call.function->name.text);
  if (std::optional<double> n = call.values[0].asNumber())
    return Value(number->compute(*n));
  if (HostScalarPtr scalar = asHostScalar(call.values[0]))
    return Value(HostScalar::make(number->op, scalar));
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  return Value(call.tensors.wrap(
      call.tensors.b.createOrFold<OpT>(call.tensors.loc, x->value), x->type));
}

static Result larger(PrimitiveCall &call) {
  const Value &a = call.values[0], &b = call.values[1];
  if (auto *x = a.as<int64_t>(), *y = b.as<int64_t>(); x && y)
    return Value(std::max(*x, *y));
  if (std::optional<double> x = a.asNumber(), y = b.asNumber(); x && y)
    return Value(std::max(*x, *y));
  if (HostScalarPtr x = asHostScalar(a), y = asHostScalar(b); x && y)
    return Value(HostScalar::make(HostScalar::Op::Max, x, y));
  return call.tensors.maximum(a, b);
}

static Result select(PrimitiveCall &call) {
  if (auto *flag = call.values[0].as<bool>())
    return call.values[*flag ? 1 : 2];
  return call.tensors.where(call.values[0], call.values[1], call.values[2]);
}

static Result convert(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  return Value(call.tensors.cast(*x, *parseElement(call.member(1))));
}

static Result stopGradient(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  if (splatNumber(*x))
    return Value(*x);
  return Value(call.tensors.wrap(
      StopGradientOp::create(call.tensors.b, call.tensors.loc, x->value),
      x->type));
}

static Result isIgnored(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  if (x->type.element != Element::Class)
    return call.report(diag::needs_class, call.at, "is_ignored",
                       x->type.text());
  if (!x->type.ignorable)
    return Value(call.tensors.constant(0, x->type.withElement(Element::Mask)));
  return call.tensors.binary(BinaryOp::Lt, *x, Value(int64_t(0)));
}

static Result reduceBy(PrimitiveCall &call, ReduceKind kind) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  FailureOr<Shape> axes = call.axes(1, x->type.rank());
  if (failed(axes))
    return failure();
  return asValue(call.tensors.reduce(kind, *x, *axes, call.flag(2)));
}

static Result sum(PrimitiveCall &call) {
  return reduceBy(call, ReduceKind::sum);
}

static Result reduce(PrimitiveCall &call) {
  return reduceBy(call, *symbolizeReduceKind(call.member(3)));
}

static Result mean(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  FailureOr<Shape> axes = call.axes(1, x->type.rank());
  if (failed(axes))
    return failure();
  return asValue(call.tensors.mean(*x, *axes, call.flag(2)));
}

static Result batchSum(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  return Value(call.tensors.wrap(
      BatchSumOp::create(call.tensors.b, call.tensors.loc, x->value), x->type));
}

static Result argmax(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.floatTensor(0);
  if (failed(x))
    return failure();
  FailureOr<int64_t> axis = call.axis(1, x->type.rank());
  if (failed(axis))
    return failure();
  TensorType type = x->type.withElement(Element::Class);
  type.classes = type.shape[*axis];
  type.shape.erase(type.shape.begin() + *axis);
  return Value(call.tensors.wrap(
      ArgmaxOp::create(call.tensors.b, call.tensors.loc, x->value, *axis),
      type));
}

static Result ratio(PrimitiveCall &call) {
  FailureOr<Tensor> sum = call.floatTensor(0);
  if (failed(sum))
    return failure();
  FailureOr<Tensor> count = call.floatTensor(1);
  if (failed(count))
    return failure();
  for (const Tensor &part : {*sum, *count})
    if (part.type.rank() != 0)
      return call.report(diag::ratio_scalar, call.at, part.type.text());
  return Value::ratio(*sum, *count);
}

llvm::ArrayRef<Primitive> importer::mathPrimitives() {
  static const Primitive table[] = {
      {"exp", unary<ExpOp>},
      {"log", unary<LogOp>},
      {"sqrt", unary<SqrtOp>},
      {"tanh", unary<TanhOp>},
      {"erf", unary<ErfOp>},
      {"sin", unary<SinOp>},
      {"abs", unary<AbsOp>},
      {"max", larger},
      {"where", select},
      {"cast", convert},
      {"stop_gradient", stopGradient},
      {"is_ignored", isIgnored},
      {"sum", sum},
      {"mean", mean},
      {"reduce", reduce},
      {"argmax", argmax},
      {"batch_sum", batchSum},
      {"ratio", ratio},
  };
  return table;
}
