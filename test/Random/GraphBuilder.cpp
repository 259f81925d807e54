//===- GraphBuilder.cpp - A random training step, by operations -----------===//

#include "test/Random/GraphBuilder.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}
static ArrayRef<int64_t> shapeOf(Value v) { return typeOf(v).getShape(); }

GraphBuilder::GraphBuilder(ModuleOp module, const Choice &choice)
    : module(module), choice(choice), random(choice.whole()),
      b(module.getContext()), loc(b.getUnknownLoc()) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value GraphBuilder::constant(ArrayRef<int64_t> shape, double value) {
  auto type = tensorType(shape, b.getF32Type(), false);
  return ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(type, b.getF32FloatAttr(value).getValue()));
}

Value GraphBuilder::noise(ArrayRef<int64_t> shape) {
  auto type = tensorType(shape, b.getF32Type(), false);
  SmallVector<float> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back((float)random.uniform(-1, 1));
  return ConstantOp::create(b, loc,
                            DenseElementsAttr::get(type, ArrayRef(values)));
}

Value GraphBuilder::likeOf(Value x, double value) {
  return constant(shapeOf(x), value);
}

Value GraphBuilder::readAs(StringRef symbol, ArrayRef<int64_t> shape) {
  return ReadOp::create(b, loc, tensorType(shape, b.getF32Type(), false),
                        symbol);
}

static DictionaryAttr uniformInit(OpBuilder &b, double size) {
  return b.getDictionaryAttr(
      {b.getNamedAttr("kind", b.getStringAttr("uniform")),
       b.getNamedAttr("low", b.getF64FloatAttr(-size)),
       b.getNamedAttr("high", b.getF64FloatAttr(size))});
}

Value GraphBuilder::parameter(ArrayRef<int64_t> shape, double size) {
  std::string name = "p" + std::to_string(parameters.size());
  if (isTraining) {
    OpBuilder outer(b);
    outer.setInsertionPoint(b.getInsertionBlock()->getParentOp());
    TypeAttr type = TypeAttr::get(tensorType(shape, b.getF32Type(), false));
    ParameterOp::create(outer, loc, b.getStringAttr(name), type,
                        uniformInit(b, size), b.getStringAttr("weight"));
  }
  parameters.push_back(readAs(name, shape));
  return parameters.back();
}

Value GraphBuilder::state(ArrayRef<int64_t> shape) {
  std::string name = "s" + std::to_string(states.size());
  if (isTraining) {
    OpBuilder outer(b);
    outer.setInsertionPoint(b.getInsertionBlock()->getParentOp());
    TypeAttr type = TypeAttr::get(tensorType(shape, b.getF32Type(), false));
    StateOp::create(outer, loc, b.getStringAttr(name), type, uniformInit(b, 1),
                    FlatSymbolRefAttr());
  }
  states.push_back(readAs(name, shape));
  return states.back();
}

Value GraphBuilder::spread(Value v, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> axes) {
  return BroadcastOp::create(b, loc, v, shape, axes);
}

Value GraphBuilder::pick() {
  int64_t n = pool.size();
  // Rather one of the last, so that graphs grow deep.
  int64_t low = between(0, 2) ? std::max<int64_t>(0, n - 3) : 0;
  return pool[between(low, n - 1)];
}

Value GraphBuilder::pickOfRank(int64_t least) {
  for (int i = 0; i < 8; ++i)
    if (Value v = pick(); typeOf(v).getRank() >= least)
      return v;
  return Value();
}

Value GraphBuilder::matching(Value x) {
  SmallVector<Value> same;
  for (Value v : pool)
    if (shapeOf(v) == shapeOf(x))
      same.push_back(v);
  ArrayRef<int64_t> shape = shapeOf(x);
  // Each parameter has kernels of its own, which take the most time.
  switch (between(0, 6)) {
  case 0:
    return parameter(shape, 0.8);
  case 1:
    if (!shape.empty()) {
      int64_t axis = between(0, shape.size() - 1);
      return spread(parameter({shape[axis]}, 0.8), shape, {axis});
    }
    return noise(shape);
  case 2:
    return chance(2) ? noise(shape) : constant(shape, random.uniform(-1, 1));
  default:
    return same[between(0, same.size() - 1)];
  }
}

Value GraphBuilder::indices(ArrayRef<int64_t> shape) {
  Type i32 = b.getI32Type();
  if (chance(2) && label)
    return shape.empty() ? label : spread(label, shape, {});
  if (chance(2) && !shape.empty()) {
    int64_t axis = between(0, shape.size() - 1);
    return IotaOp::create(b, loc, tensorType(shape, i32, false), axis);
  }
  // Between two whole numbers for most values, so that rounding is no matter.
  Value x = noise(shape);
  Value scaled = MulOp::create(b, loc, x, constant(shape, 3.7));
  return CastOp::create(b, loc, scaled, i32);
}

Value GraphBuilder::bounded(Value x) { return TanhOp::create(b, loc, x); }

Value GraphBuilder::positive(Value x, double least) {
  return AddOp::create(b, loc, AbsOp::create(b, loc, x), likeOf(x, least));
}

//===----------------------------------------------------------------------===//
// The end of a step
//===----------------------------------------------------------------------===//

/// A scalar that depends on every element of `x`.
Value GraphBuilder::scalarOf(Value x) {
  Value y = MulOp::create(b, loc, x, noise(shapeOf(x)));
  if (typeOf(y).getRank() == 0)
    return y;
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(y).getRank()));
  return ReduceOp::create(b, loc, ReduceKind::sum, y, axes);
}

/// The number of samples, or the sum of their weights; never 0.
Value GraphBuilder::samplesOf(Value weight) {
  auto scalar = tensorType({}, b.getF32Type(), false);
  if (!weight)
    return BatchCountOp::create(b, loc, scalar);
  Value sum = BatchSumOp::create(b, loc, weight);
  Value empty = CompareOp::create(b, loc, Predicate::eq, sum, constant({}, 0));
  return SelectOp::create(b, loc, empty, constant({}, 1), sum);
}

Value GraphBuilder::loss() {
  SmallVector<Value> sinks;
  for (Value v : pool)
    if (v.use_empty())
      sinks.push_back(v);
  if (sinks.empty())
    sinks.push_back(pool.back());
  Value weight;
  if (chance(2))
    weight = SelectOp::create(
        b, loc,
        CompareOp::create(
            b, loc, Predicate::lt, label,
            ConstantOp::create(
                b, loc,
                DenseElementsAttr::get(tensorType({}, b.getI32Type(), false),
                                       ArrayRef<int32_t>{0}))),
        constant({}, 0), constant({}, 1));
  Value sampleSum, total;
  for (auto [i, sink] : llvm::enumerate(sinks)) {
    Value scalar = scalarOf(sink);
    if (!isPerSample(scalar.getType())) {
      total = total ? AddOp::create(b, loc, total, scalar).getResult() : scalar;
      continue;
    }
    if (i + 1 < sinks.size() && chance(4)) {
      ReportOp::create(b, loc, "m" + std::to_string(i),
                       BatchSumOp::create(b, loc, scalar), samplesOf(Value()));
      continue;
    }
    sampleSum = sampleSum ? AddOp::create(b, loc, sampleSum, scalar).getResult()
                          : scalar;
  }
  if (sampleSum) {
    if (weight)
      sampleSum = MulOp::create(b, loc, sampleSum, weight);
    Value sum = BatchSumOp::create(b, loc, sampleSum);
    Value count = samplesOf(weight);
    ReportOp::create(b, loc, "loss", sum, count);
    Value mean = DivOp::create(b, loc, sum, count);
    total = total ? AddOp::create(b, loc, total, mean).getResult() : mean;
  }
  ReportOp::create(b, loc, "total", total, samplesOf(Value()));
  return total;
}

void GraphBuilder::updateParameter(unsigned index, Value gradient) {
  Value p = parameters[index];
  std::string name = "p" + std::to_string(index);
  ArrayRef<int64_t> shape = shapeOf(p);
  unsigned first = states.size();
  auto write = [&](unsigned slot, Value v) {
    WriteOp::create(b, loc, "s" + std::to_string(first + slot), v);
  };
  Value rate = SettingValueOp::create(
      b, loc, tensorType({}, b.getF32Type(), false), "lr");
  Value step = gradient;
  switch (between(0, 4)) {
  case 0: // plain, and the gradient by itself
    state(shape);
    write(0, gradient);
    break;
  case 1: { // momentum
    Value v = MulOp::create(b, loc, state(shape), constant(shape, 0.9));
    step = AddOp::create(b, loc, v, gradient);
    write(0, step);
    break;
  }
  case 2: { // the last two values, and a count of steps
    Value before = state(shape);
    state(shape);
    Value count = state({});
    if (chance(2)) {
      write(1, before);
      write(0, p);
    } else {
      write(0, p);
      write(1, before);
    }
    write(2, AddOp::create(b, loc, count, constant({}, 1)));
    break;
  }
  case 3: { // divided by the size of gradients
    Value square = MulOp::create(b, loc, gradient, gradient);
    Value v = MulOp::create(b, loc, positive(state(shape), 0.1),
                            constant(shape, 0.9));
    v = AddOp::create(b, loc, v, square);
    write(0, v);
    step = DivOp::create(
        b, loc, gradient,
        AddOp::create(b, loc, SqrtOp::create(b, loc, v), constant(shape, 0.1)));
    break;
  }
  default: { // two states change places
    Value one = state(shape), other = state(shape);
    write(0, other);
    write(1, one);
    step = AddOp::create(b, loc, gradient,
                         MulOp::create(b, loc, p, constant(shape, 0.01)));
  }
  }
  Value scaled = MulOp::create(b, loc, step, spread(rate, shape, {}));
  WriteOp::create(b, loc, name, SubOp::create(b, loc, p, scaled));
}

void GraphBuilder::update(Value loss) {
  auto grad = GradOp::create(b, loc, loss, parameters);
  for (unsigned i = 0; i < parameters.size(); ++i)
    updateParameter(i, grad.getGradients()[i]);
}

//===----------------------------------------------------------------------===//
// Steps and modules
//===----------------------------------------------------------------------===//

void GraphBuilder::build(StringRef name, bool isTraining, ArrayRef<Type> fields,
                         ArrayRef<StringRef> fieldNames) {
  this->isTraining = isTraining;
  b.setInsertionPoint(&*std::prev(module.getBody()->end()));
  auto func = func::FuncOp::create(b, loc, name, b.getFunctionType(fields, {}));
  func->setAttr(DplDialect::kStepAttr,
                b.getStringAttr(isTraining ? "train" : "eval"));
  func->setAttr(DplDialect::kIteratorAttr,
                b.getStringAttr(isTraining ? "it" : "ev"));
  for (auto [i, field] : llvm::enumerate(fieldNames))
    func.setArgAttr(i, DplDialect::kFieldAttr, b.getStringAttr(field));
  b.setInsertionPointToStart(func.addEntryBlock());
  for (Value argument : func.getArguments().drop_back())
    pool.push_back(argument);
  label = func.getArguments().back();
  // There is always something to learn.
  pool.push_back(MulOp::create(
      b, loc, pool[0],
      spread(parameter({shapeOf(pool[0])[0]}, 1), shapeOf(pool[0]), {0})));
  for (unsigned i = 0, n = choice.operations(); i < n; ++i) {
    if (choice.without.count(i))
      continue;
    random = choice.operation(i);
    Value made;
    while (!made)
      made = (this->*makers()[between(0, makers().size() - 1)])();
    pool.push_back(made);
  }
  random = choice.operation(1000);
  Value value = loss();
  if (isTraining)
    update(value);
  func::ReturnOp::create(b, loc);
}

static std::string fieldText(StringRef name, ArrayRef<int64_t> shape) {
  std::string sizes;
  for (int64_t n : shape)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(n);
  return llvm::formatv("{{name = \"{0}\", dtype = \"f32\", shape = [{1}]}, ",
                       name, sizes);
}

OwningOpRef<ModuleOp> dpl::test::randomGraph(MLIRContext &context,
                                             const Choice &choice) {
  reference::Random random = choice.whole();
  random.next();
  Shape x, v = {random.between(1, 19)};
  for (int64_t i = random.between(1, 3); i >= 0; --i)
    x.push_back(random.between(1, i == 0 ? 9 : 6));
  std::string fields = fieldText("x", x) + fieldText("v", v) +
                       "{name = \"y\", dtype = \"i32\", shape = [], classes = "
                       "5 : i64, optional = true}";
  std::string text =
      llvm::formatv(R"(
    dpl.option @lr : "float" = 3.0e-01 : f64 help "learning rate"
    dpl.dataset @d "noise" {{} transforms [] stored [{0}] fields [{0}]
    dpl.iterator @it "serial" of @d batch {1} {{}
    dpl.iterator @ev "serial" of @d batch {2} {{}
    dpl.model @M @M.forward inputs [] outputs []
    func.func @M.forward() {{ return }
    dpl.train @train {{data = "it", evaluate = [], every = [], models = ["M"],
      out = "result", stop = {{count = 1 : i64, unit = "epoch"}}
    func.func @settings() {{
      %lr = dpl.option_value @lr : tensor<f64>
      dpl.setting "lr", %lr : tensor<f64>
      return
    })",
                    fields, random.between(1, 21), random.between(1, 9));
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return nullptr;
  Builder b(&context);
  SmallVector<Type> types = {tensorType(x, b.getF32Type(), true),
                             tensorType(v, b.getF32Type(), true),
                             tensorType({}, b.getI32Type(), true)};
  SmallVector<StringRef> names = {"x", "v", "y"};
  GraphBuilder(*module, choice).build("train", true, types, names);
  if (choice.number % 8 == 0)
    GraphBuilder(*module, choice).build("eval", false, types, names);
  if (failed(verify(*module)))
    return nullptr;
  return module;
}
