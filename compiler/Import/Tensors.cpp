//===- Tensors.cpp - elementwise operations and broadcasting --------------===//

#include "compiler/Import/Tensors.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;

LogicalResult Tensors::requireFunction() {
  if (b.getInsertionBlock())
    return llvm::success();
  return context.report(diag::tensor_outside, at);
}

std::optional<double> importer::splatNumber(const Tensor &tensor) {
  mlir::DenseElementsAttr dense;
  if (!mlir::matchPattern(tensor.value, mlir::m_Constant(&dense)) ||
      !dense.isSplat())
    return std::nullopt;
  if (mlir::isa<mlir::FloatType>(dense.getElementType()))
    return dense.getSplatValue<llvm::APFloat>().convertToDouble();
  llvm::APInt n = dense.getSplatValue<llvm::APInt>();
  return n.getBitWidth() == 1 ? n.getZExtValue() : n.getSExtValue();
}

Tensor Tensors::constant(double number, const TensorType &type) {
  TensorType uniform = type;
  uniform.perSample = false;
  mlir::RankedTensorType ir = irType(context.mlir(), uniform);
  mlir::Type element = ir.getElementType();
  mlir::DenseElementsAttr dense;
  if (mlir::isa<mlir::FloatType>(element))
    dense = mlir::DenseElementsAttr::get(
        ir, mlir::FloatAttr::get(element, number).getValue());
  else
    dense = mlir::DenseElementsAttr::get(
        ir, llvm::APInt(element.getIntOrFloatBitWidth(),
                        static_cast<int64_t>(number), /*isSigned=*/true,
                        /*implicitTrunc=*/true));
  return {ConstantOp::create(b, loc, dense), uniform};
}

FailureOr<Tensor> Tensors::splat(const Value &number, const TensorType &type) {
  if (failed(requireFunction()))
    return failure();
  if (auto *flag = number.as<bool>(); flag && type.element == Element::Mask)
    return constant(*flag, type);
  if (number.as<double>() && !isFloat(type.element))
    return context.report(diag::literal_element, at, number.text(),
                          elementText(type));
  if (std::optional<double> n = number.asNumber())
    return constant(*n, type);
  HostScalarPtr scalar = number.asScalar();
  if (!scalar || !scalar->isNumeric() || !isFloat(type.element))
    return context.report(diag::literal_element, at, number.text(),
                          elementText(type));
  TensorType f32;
  mlir::Value value = SettingValueOp::create(
      b, loc, irType(context.mlir(), f32), context.settings.nameOf(scalar));
  return expand(cast({value, f32}, type.element), type.shape);
}

Tensor Tensors::cast(const Tensor &x, Element to) {
  mlir::Type element = irElement(context.mlir(), to);
  TensorType type = x.type.withElement(to);
  if (mlir::cast<mlir::RankedTensorType>(x.value.getType()).getElementType() ==
      element)
    return {x.value, type};
  return wrap(b.createOrFold<CastOp>(loc, x.value, element), type);
}

Tensor Tensors::expand(const Tensor &x, llvm::ArrayRef<int64_t> shape) {
  if (llvm::ArrayRef<int64_t>(x.type.shape) == shape)
    return x;
  TensorType type = x.type.withShape(Shape(shape));
  if (std::optional<double> number = splatNumber(x))
    return constant(*number, type);
  // Of equal rank, axes of size 1 go away; a shorter one is a suffix.
  Shape kept, axes;
  size_t skipped = shape.size() - x.type.shape.size();
  for (auto [i, n] : llvm::enumerate(x.type.shape)) {
    if (skipped == 0 && n != shape[i])
      continue;
    kept.push_back(n);
    axes.push_back(i + skipped);
  }
  mlir::Value value = x.value;
  if (kept.size() != x.type.shape.size())
    value = ReshapeOp::create(b, loc, value, kept);
  return wrap(BroadcastOp::create(b, loc, value, shape, axes), type);
}

FailureOr<TensorType> Tensors::commonType(const Value &lhs, const Value &rhs) {
  auto *x = lhs.as<Tensor>(), *y = rhs.as<Tensor>();
  if (!x || !y) {
    const Tensor *only = x ? x : y;
    if (only)
      return only->type;
    // Two numbers, one of them an option's.
    return TensorType{};
  }
  TensorType type = x->type;
  bool bothClass =
      x->type.element == Element::Class && y->type.element == Element::Class;
  if (bothClass && x->type.classes != y->type.classes)
    return context.report(diag::class_operands, at, x->type.classes,
                          y->type.classes);
  bool sameIr = irElement(context.mlir(), x->type.element) ==
                irElement(context.mlir(), y->type.element);
  if (!sameIr)
    return context.report(diag::element_operands, at, x->type.text(),
                          y->type.text());
  if (x->type.element != y->type.element)
    type = type.withElement(Element::I32);
  FailureOr<Shape> shape = inferLanguageBroadcast(x->type.shape, y->type.shape,
                                                  context.shapeError(at));
  if (failed(shape))
    return failure();
  type.ignorable = x->type.ignorable || y->type.ignorable;
  return type.withShape(*shape);
}

FailureOr<Tensor> Tensors::operand(const Value &value, const TensorType &type) {
  if (auto *tensor = value.as<Tensor>())
    return expand(*tensor, type.shape);
  if (!value.asNumber() && !value.asScalar() && !value.as<bool>())
    return context.report(diag::not_a_tensor, at, value.text());
  return splat(value, type);
}

FailureOr<Tensors::Pair> Tensors::unify(const Value &lhs, const Value &rhs) {
  if (failed(requireFunction()))
    return failure();
  FailureOr<TensorType> type = commonType(lhs, rhs);
  if (failed(type))
    return failure();
  FailureOr<Tensor> x = operand(lhs, *type);
  if (failed(x))
    return failure();
  FailureOr<Tensor> y = operand(rhs, *type);
  if (failed(y))
    return failure();
  return Pair{*x, *y, *type};
}

/// The value of `op` where one side is a number that makes it trivial: a
/// factor that is 0 at compile time removes its term. None if it does not.
FailureOr<Value> Tensors::identity(BinaryOp op, const Value &lhs,
                                   const Value &rhs) {
  auto *x = lhs.as<Tensor>(), *y = rhs.as<Tensor>();
  const Tensor *tensor = x ? x : y;
  std::optional<double> n = x ? rhs.asNumber() : lhs.asNumber();
  if (!tensor || !n || !isFloat(tensor->type.element))
    return Value();
  bool right = x != nullptr;
  if (op == BinaryOp::Mul && *n == 0)
    return Value(constant(0, tensor->type));
  if ((op == BinaryOp::Mul && *n == 1) || (op == BinaryOp::Add && *n == 0) ||
      (right && op == BinaryOp::Sub && *n == 0) ||
      (right && op == BinaryOp::Div && *n == 1))
    return Value(*tensor);
  return Value();
}

FailureOr<Value> Tensors::power(const Tensor &base, const Value &exponent) {
  if (std::optional<double> n = exponent.asNumber()) {
    if (*n == 1)
      return Value(base);
    if (*n == 2)
      return Value(
          wrap(MulOp::create(b, loc, base.value, base.value), base.type));
    if (*n == 0.5 && isFloat(base.type.element))
      return Value(wrap(SqrtOp::create(b, loc, base.value), base.type));
  }
  if (!isFloat(base.type.element))
    return context.report(diag::needs_float, at, "**", base.type.text());
  FailureOr<Pair> pair = unify(base, exponent);
  if (failed(pair))
    return failure();
  return Value(
      wrap(b.createOrFold<PowOp>(loc, pair->lhs.value, pair->rhs.value),
           pair->type));
}

static std::optional<Predicate> predicate(BinaryOp op) {
  switch (op) {
  case BinaryOp::Eq:
    return Predicate::eq;
  case BinaryOp::Ne:
    return Predicate::ne;
  case BinaryOp::Lt:
    return Predicate::lt;
  case BinaryOp::Le:
    return Predicate::le;
  case BinaryOp::Gt:
    return Predicate::gt;
  case BinaryOp::Ge:
    return Predicate::ge;
  default:
    return std::nullopt;
  }
}

FailureOr<Value> Tensors::binary(BinaryOp op, const Value &lhs,
                                 const Value &rhs) {
  if (failed(requireFunction()))
    return failure();
  if (op == BinaryOp::Pow)
    if (auto *base = lhs.as<Tensor>())
      return power(*base, rhs);
  FailureOr<Value> trivial = identity(op, lhs, rhs);
  if (failed(trivial) || !trivial->isNone())
    return trivial;
  FailureOr<Pair> pair = unify(lhs, rhs);
  if (failed(pair))
    return failure();
  mlir::Value x = pair->lhs.value, y = pair->rhs.value;
  TensorType type = pair->type;
  if (std::optional<Predicate> p = predicate(op))
    return Value(wrap(b.createOrFold<CompareOp>(loc, *p, x, y),
                      type.withElement(Element::Mask)));
  if (type.element == Element::Mask)
    return context.report(diag::needs_number, at, spelling(op), type.text());
  if (type.element == Element::Class)
    type = type.withElement(Element::I32);
  if (!isFloat(type.element) && (op == BinaryOp::Div || op == BinaryOp::Pow))
    return context.report(diag::needs_float, at, spelling(op), type.text());
  switch (op) {
  case BinaryOp::Add:
    return Value(wrap(b.createOrFold<AddOp>(loc, x, y), type));
  case BinaryOp::Sub:
    return Value(wrap(b.createOrFold<SubOp>(loc, x, y), type));
  case BinaryOp::Mul:
    return Value(wrap(b.createOrFold<MulOp>(loc, x, y), type));
  case BinaryOp::Div:
    return Value(wrap(b.createOrFold<DivOp>(loc, x, y), type));
  case BinaryOp::Pow:
    return Value(wrap(b.createOrFold<PowOp>(loc, x, y), type));
  default:
    return context.report(diag::operator_on_tensor, at, spelling(op));
  }
}

FailureOr<Value> Tensors::maximum(const Value &lhs, const Value &rhs) {
  FailureOr<Pair> pair = unify(lhs, rhs);
  if (failed(pair))
    return failure();
  return Value(
      wrap(b.createOrFold<MaxOp>(loc, pair->lhs.value, pair->rhs.value),
           pair->type));
}

FailureOr<Value> Tensors::where(const Value &condition, const Value &yes,
                                const Value &no) {
  auto *mask = condition.as<Tensor>();
  if (!mask || mask->type.element != Element::Mask)
    return context.report(diag::where_condition, at, condition.text());
  FailureOr<TensorType> type = commonType(yes, no);
  if (failed(type))
    return failure();
  FailureOr<Shape> shape = inferLanguageBroadcast(mask->type.shape, type->shape,
                                                  context.shapeError(at));
  if (failed(shape))
    return failure();
  *type = type->withShape(*shape);
  FailureOr<Tensor> x = operand(yes, *type);
  if (failed(x))
    return failure();
  FailureOr<Tensor> y = operand(no, *type);
  if (failed(y))
    return failure();
  Tensor c = expand(*mask, *shape);
  return Value(
      wrap(b.createOrFold<SelectOp>(loc, c.value, x->value, y->value), *type));
}

FailureOr<Value> Tensors::negate(const Tensor &x) {
  if (x.type.element == Element::Mask)
    return context.report(diag::needs_number, at, "-", x.type.text());
  return binary(BinaryOp::Sub, constant(0, x.type), x);
}

FailureOr<Value> Tensors::logicalNot(const Tensor &x) {
  if (x.type.element != Element::Mask)
    return context.report(diag::where_condition, at, x.type.text());
  return binary(BinaryOp::Eq, x, constant(0, x.type));
}
