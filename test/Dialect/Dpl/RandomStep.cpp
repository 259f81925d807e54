//===- RandomStep.cpp - Random training steps -----------------------------===//

#include "test/Dialect/Dpl/RandomStep.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

static constexpr int64_t kClasses = 3;

static ArrayRef<int64_t> shapeOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getShape();
}

namespace {
class Network {
public:
  Network(ModuleOp module, reference::Random &random)
      : module(module), random(random), b(module.getContext()),
        loc(b.getUnknownLoc()) {}

  void build(ArrayRef<int64_t> picture);

private:
  Value constant(ArrayRef<int64_t> shape, double value) {
    auto type = tensorType(shape, b.getF32Type(), false);
    return ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, b.getF32FloatAttr(value).getValue()));
  }
  Value spread(Value v, ArrayRef<int64_t> shape, Shape axes) {
    return BroadcastOp::create(b, loc, v, shape, axes);
  }
  Value parameter(ArrayRef<int64_t> shape, double size);
  Value window(Value x);
  Value noisy(Value x);
  Value activation(Value x);
  Value normalised(Value x);
  Value rearranged(Value x);
  Value layer(Value x);
  Value linear(Value x, int64_t out);
  Value lossOf(Value logits, Value label);
  void update(Value loss);

  ModuleOp module;
  reference::Random &random;
  int draws = 0;
  OpBuilder b;
  Location loc;
  SmallVector<Value> parameters;
};
} // namespace

Value Network::parameter(ArrayRef<int64_t> shape, double size) {
  OpBuilder outer = OpBuilder::atBlockBegin(module.getBody());
  auto type = tensorType(shape, b.getF32Type(), false);
  std::string name = "p" + std::to_string(parameters.size());
  auto init =
      b.getDictionaryAttr({b.getNamedAttr("kind", b.getStringAttr("uniform")),
                           b.getNamedAttr("low", b.getF64FloatAttr(-size)),
                           b.getNamedAttr("high", b.getF64FloatAttr(size))});
  ParameterOp::create(outer, loc, b.getStringAttr(name), TypeAttr::get(type),
                      init, b.getStringAttr("weight"));
  StateOp::create(outer, loc, b.getStringAttr(name + ".v"), TypeAttr::get(type),
                  init, FlatSymbolRefAttr::get(b.getContext(), name));
  parameters.push_back(ReadOp::create(b, loc, type, name));
  return parameters.back();
}

Value Network::window(Value x) {
  auto quiet = [](StringRef, const Twine &) {};
  Window w = Window::simple({random.between(1, 3), random.between(1, 3)});
  for (unsigned i = 0; i < 2; ++i) {
    w.stride[i] = random.between(1, 2);
    w.padLow[i] = random.between(0, 1);
    w.padHigh[i] = random.between(0, 1);
    w.dilation[i] = random.between(1, 2);
  }
  if (failed(inferPoolShape(shapeOf(x), w, quiet)))
    return x;
  int64_t kind = random.between(0, 3);
  if (kind == 0)
    return PoolOp::create(b, loc, ReduceKind::sum, x, w);
  if (kind == 1) {
    w.dilation = {1, 1};
    w.size = {2, 2};
    return succeeded(inferPoolShape(shapeOf(x), w, quiet))
               ? Value(PoolOp::create(b, loc, ReduceKind::max, x, w))
               : x;
  }
  int64_t in = shapeOf(x)[0], out = random.between(1, 4);
  if (random.between(0, 1)) {
    w.groups = in;
    out *= in;
  }
  Value f = parameter({out, in / w.groups, w.size[0], w.size[1]}, 0.7);
  Value y = ConvOp::create(b, loc, x, f, w);
  return AddOp::create(b, loc, y,
                       spread(parameter({out}, 0.2), shapeOf(y), {0}));
}

/// Some elements are 0, or all have noise; other ones for each sample.
Value Network::noisy(Value x) {
  std::string path = "draw" + std::to_string(draws++);
  auto i32 = tensorType({}, b.getI32Type(), false);
  Value key0 = RandomKeyOp::create(b, loc, i32, path, 0);
  Value key1 = RandomKeyOp::create(b, loc, i32, path, 1);
  Value sample =
      SampleIndexOp::create(b, loc, tensorType({}, b.getI64Type(), true));
  bool drops = random.between(0, 1);
  Value r = RandomOp::create(
      b, loc, tensorType(shapeOf(x), b.getF32Type(), true),
      drops ? RandomKind::uniform : RandomKind::normal, key0, key1, sample);
  if (!drops)
    return AddOp::create(b, loc, x, r);
  Value low =
      CompareOp::create(b, loc, Predicate::lt, r, constant(shapeOf(x), 0.3));
  return SelectOp::create(b, loc, low, constant(shapeOf(x), 0), x);
}

Value Network::activation(Value x) {
  if (random.between(0, 1))
    return TanhOp::create(b, loc, x);
  return MaxOp::create(b, loc, x, constant(shapeOf(x), 0));
}

/// Less the sum over the batch and all places of a channel, or the mean over
/// the batch.
Value Network::normalised(Value x) {
  Shape axes = llvm::to_vector(llvm::seq<int64_t>(1, shapeOf(x).size()));
  Value sum = ReduceOp::create(b, loc, ReduceKind::sum, x, axes);
  sum = BatchSumOp::create(b, loc, sum);
  if (random.between(0, 1))
    return SubOp::create(b, loc, x, spread(sum, shapeOf(x), {0}));
  Value n = BatchCountOp::create(b, loc, tensorType({}, b.getF32Type(), false));
  Value mean = DivOp::create(b, loc, sum, spread(n, shapeOf(sum), {}));
  return SubOp::create(b, loc, x, spread(mean, shapeOf(x), {0}));
}

Value Network::rearranged(Value x) {
  switch (random.between(0, 4)) {
  case 4:
    return ConcatOp::create(b, loc, ValueRange{x, activation(x)},
                            random.between(0, 2));
  case 0:
    return TransposeOp::create(b, loc, x, Shape{0, 2, 1});
  case 1:
    return TransposeOp::create(b, loc, x, Shape{1, 2, 0});
  case 2:
    return ReverseOp::create(b, loc, x, Shape{random.between(0, 2)});
  default: {
    Shape shape(shapeOf(x)), start(3, 0), step(3, 1);
    shape[1] = (shape[1] + 1) / 2;
    step[1] = 2;
    return SliceOp::create(b, loc, x, start, shape, step);
  }
  }
}

Value Network::layer(Value x) {
  Value y = x;
  switch (random.between(0, 6)) {
  case 0:
  case 1:
    return window(x);
  case 6:
    return noisy(x);
  case 2:
    y = activation(x);
    break;
  case 3:
    return normalised(x);
  case 4:
    return rearranged(x);
  default:
    y = activation(window(x));
  }
  return shapeOf(y) == shapeOf(x) ? AddOp::create(b, loc, y, x).getResult() : y;
}

Value Network::linear(Value x, int64_t out) {
  Value w = parameter({out, shapeOf(x)[0]}, 0.5);
  Value y = ContractOp::create(b, loc, x, w, Shape{1}, Shape{0, 1}, Shape{0});
  return AddOp::create(b, loc, y, parameter({out}, 0.2));
}

Value Network::lossOf(Value logits, Value label) {
  Value top = ReduceOp::create(b, loc, ReduceKind::max, logits, Shape{0});
  top = StopGradientOp::create(b, loc, top);
  Value shifted =
      SubOp::create(b, loc, logits, spread(top, shapeOf(logits), {}));
  Value sum = ReduceOp::create(b, loc, ReduceKind::sum,
                               ExpOp::create(b, loc, shifted), Shape{0});
  Value own = TakeOp::create(b, loc, shifted, label, 0);
  Value loss = SubOp::create(b, loc, LogOp::create(b, loc, sum), own);
  loss = BatchSumOp::create(b, loc, loss);
  Value n = BatchCountOp::create(b, loc, tensorType({}, b.getF32Type(), false));
  ReportOp::create(b, loc, "loss", loss, n);
  return DivOp::create(b, loc, loss, n);
}

void Network::update(Value loss) {
  auto grad = GradOp::create(b, loc, loss, parameters);
  for (auto [i, p] : llvm::enumerate(parameters)) {
    std::string name = "p" + std::to_string(i);
    Value rate = SettingValueOp::create(
        b, loc, tensorType({}, b.getF32Type(), false), "lr");
    Value v = ReadOp::create(b, loc, p.getType(), name + ".v");
    Value scaled = MulOp::create(b, loc, v, constant(shapeOf(p), 0.9));
    v = AddOp::create(b, loc, scaled, grad.getGradients()[i]);
    WriteOp::create(b, loc, name + ".v", v);
    Value step = MulOp::create(b, loc, v, spread(rate, shapeOf(p), {}));
    WriteOp::create(b, loc, name, SubOp::create(b, loc, p, step));
  }
}

void Network::build(ArrayRef<int64_t> picture) {
  auto x = tensorType(picture, b.getF32Type(), true);
  auto y = tensorType({}, b.getI32Type(), true);
  b.setInsertionPointToEnd(module.getBody());
  auto func =
      func::FuncOp::create(b, loc, "train", b.getFunctionType({x, y}, {}));
  func->setAttr(DplDialect::kStepAttr, b.getStringAttr("train"));
  func->setAttr(DplDialect::kIteratorAttr, b.getStringAttr("it"));
  func.setArgAttr(0, DplDialect::kFieldAttr, b.getStringAttr("x"));
  func.setArgAttr(1, DplDialect::kFieldAttr, b.getStringAttr("y"));
  b.setInsertionPointToStart(func.addEntryBlock());
  Value v = func.getArgument(0);
  for (int64_t i = random.between(2, 6); i > 0; --i)
    v = layer(v);
  int64_t flat = cast<RankedTensorType>(v.getType()).getNumElements();
  v = ReshapeOp::create(b, loc, v, Shape{flat});
  if (random.between(0, 1))
    v = activation(linear(v, random.between(2, 5)));
  update(lossOf(linear(v, kClasses), func.getArgument(1)));
  func::ReturnOp::create(b, loc);
}

OwningOpRef<ModuleOp> dpl::test::randomStep(MLIRContext &context,
                                            reference::Random &random) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    dpl.option @lr : "float" = 1.0e-01 : f64 help "learning rate"
    dpl.dataset @d "csv" {} transforms [] stored [] fields [
      {name = "x", dtype = "f32"}, {name = "y", dtype = "i32", classes = 3 : i64}]
    dpl.iterator @it "serial" of @d batch 7 {}
    func.func @settings() {
      %lr = dpl.option_value @lr : tensor<f64>
      dpl.setting "lr", %lr : tensor<f64>
      return
    })",
                                                             &context);
  if (!module)
    return nullptr;
  Shape picture = {random.between(1, 3), random.between(3, 6),
                   random.between(3, 6)};
  Network(*module, random).build(picture);
  if (failed(verify(*module)))
    return nullptr;
  return module;
}
