//===- ShapePrimitives.cpp - shapes, and tensors of other shapes ----------===//

#include "compiler/Import/Primitives.h"

#include "llvm/Support/MathExtras.h"

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

/// One size may be -1: what the elements leave for it.
static Result reshape(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  Shape to = call.ints(1);
  int64_t known = 1, inferred = 0;
  for (int64_t n : to) {
    inferred += n == -1;
    if (n < 1 && n != -1)
      return call.report(diag::size_positive, call.at, "shape", n);
    if (n > 0 && llvm::MulOverflow(known, n, known))
      return call.report(diag::integer_overflow, call.at, known, "*", n);
  }
  if (inferred > 1)
    return call.report(diag::reshape_inferred, call.at, inferred);
  if (inferred == 1 && x->type.elements() % known != 0)
    return call.report(diag::reshape_whole, call.at, x->type.text(),
                       x->type.elements(), known);
  for (int64_t &n : to)
    n = n == -1 ? x->type.elements() / known : n;
  return asValue(call.tensors.reshape(*x, to));
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

static Result reverse(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  FailureOr<Shape> axes = call.axes(1, x->type.rank());
  return failed(axes) ? Result(failure())
                      : asValue(call.tensors.reverse(*x, *axes));
}

static Result slice(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  int64_t rank = x->type.rank();
  return asValue(call.tensors.slice(
      *x, call.entries(1, rank), call.entries(2, rank), call.entries(3, rank)));
}

static Result pad(PrimitiveCall &call) {
  FailureOr<Tensor> x = call.tensor(0);
  if (failed(x))
    return failure();
  std::optional<double> value = call.values[4].asNumber();
  if (!value)
    return reportStructural(call.tensors.context, *call.values[4].asScalar(),
                            call.at);
  int64_t rank = x->type.rank();
  return asValue(call.tensors.pad(*x, call.entries(1, rank),
                                  call.entries(2, rank), call.entries(3, rank),
                                  *value));
}

/// How a message calls part `i` of a join: as the source does.
static std::string partName(PrimitiveCall &call, unsigned i) {
  auto *list = llvm::dyn_cast_if_present<ListExpr>(call.exprs[0]);
  if (!list)
    return ("part " + llvm::Twine(i)).str();
  Range range = list->elements[i]->range;
  return ("`" + call.tensors.context.sources.text(range) + "`").str();
}

/// Says which two parts do not fit, and where the names among them are from.
static Result reportParts(PrimitiveCall &call, llvm::ArrayRef<Tensor> parts,
                          unsigned i, int64_t axis) {
  auto report = call.report(diag::concat_shape, call.at, partName(call, 0),
                            parts[0].type.text(), partName(call, i),
                            parts[i].type.text(), axis);
  auto *list = llvm::dyn_cast_if_present<ListExpr>(call.exprs[0]);
  for (unsigned part : {0u, i})
    if (auto *name = llvm::dyn_cast_if_present<NameExpr>(
            list ? list->elements[part] : nullptr))
      if (const Symbol *symbol = call.tensors.context.program.symbol(name);
          symbol && symbol->range.isValid())
        report.note(diag::declared_here, symbol->range, name->name);
  return report;
}

static Result concat(PrimitiveCall &call) {
  const List *list = call.values[0].asList();
  if (!list)
    return call.report(diag::needs_list, call.at, call.values[0].text());
  if (list->empty())
    return call.report(diag::list_empty, call.at);
  std::vector<Tensor> parts;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Shape> shapes;
  for (const Value &v : *list) {
    auto *part = v.as<Tensor>();
    if (!part)
      return call.report(diag::not_a_tensor, call.at, v.text());
    parts.push_back(*part);
    values.push_back(part->value);
    shapes.push_back(part->type.shape);
  }
  FailureOr<int64_t> axis = call.axis(1, parts[0].type.rank());
  if (failed(axis))
    return failure();
  auto quiet = [](llvm::StringRef, const llvm::Twine &) {};
  for (unsigned i = 1; i < parts.size(); ++i)
    if (elementText(parts[i].type) != elementText(parts[0].type) ||
        failed(inferConcatShape({shapes[0], shapes[i]}, *axis, quiet)))
      return reportParts(call, parts, i, *axis);
  FailureOr<Shape> joined =
      inferConcatShape(shapes, *axis, call.tensors.context.shapeError(call.at));
  if (failed(joined))
    return failure();
  TensorType type = parts[0].type.withShape(*joined);
  return Value(call.tensors.wrap(
      call.tensors.b.createOrFold<ConcatOp>(call.tensors.loc, values, *axis),
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
      {"shape", shape},   {"size", size},           {"rank", rank},
      {"len", length},    {"reshape", reshape},     {"broadcast", broadcast},
      {"slice", slice},   {"transpose", transpose}, {"pad", pad},
      {"concat", concat}, {"reverse", reverse},     {"tensor", tensor},
      {"index", index},
  };
  return table;
}
