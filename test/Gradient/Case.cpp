//===- Case.cpp - One primitive in a step, to be differentiated -----------===//

#include "test/Gradient/Case.h"

#include "compiler/Reference/Gradcheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

std::vector<unsigned> Case::allMasks() const {
  if (!masks.empty())
    return masks;
  std::vector<unsigned> all(1u << operands.size());
  for (unsigned i = 0; i < all.size(); ++i)
    all[i] = i;
  return all;
}

bool Case::isDifferentiable(MLIRContext &context) const {
  return RegisteredOperationName::lookup(op, &context)
      ->hasInterface<DifferentiableOpInterface>();
}

std::string dpl::test::caseName(const testing::TestParamInfo<Case> &info) {
  std::string name = StringRef(info.param.op).drop_front(4).str();
  return name + "_" + info.param.what;
}

void dpl::test::PrintTo(const Case &c, std::ostream *os) {
  *os << c.op << ", " << c.what;
}

void dpl::test::loadDialects(MLIRContext &context) {
  context.disableMultithreading();
  context.loadDialect<DplDialect, func::FuncDialect>();
}

namespace {
/// Writes the step function of a case.
class StepBuilder {
public:
  StepBuilder(MLIRContext &context, const Case &c, unsigned mask)
      : c(c), mask(mask), b(&context), loc(b.getUnknownLoc()),
        module(ModuleOp::create(loc)) {
    b.setInsertionPointToEnd(module.getBody());
    func = func::FuncOp::create(b, loc, "step", b.getFunctionType({}, {}));
    func->setAttr(DplDialect::kStepAttr, b.getStringAttr("train"));
    b.setInsertionPointToStart(func.addEntryBlock());
  }

  ModuleOp build(bool gradients);

private:
  Value field(ArrayRef<int64_t> shape, bool perSample) {
    return func.getBody().front().addArgument(
        tensorType(shape, b.getF32Type(), perSample), loc);
  }
  Value constant(Value like, double value) {
    auto type = cast<RankedTensorType>(like.getType());
    auto uniform = tensorType(type.getShape(), type.getElementType(), false);
    return ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(uniform, b.getF32FloatAttr(value).getValue()));
  }
  Value parameter(ArrayRef<int64_t> shape);
  Value operand(const Operand &o, bool perSample);
  Value lossOf(Value result);

  const Case &c;
  unsigned mask;
  OpBuilder b;
  Location loc;
  ModuleOp module;
  func::FuncOp func;
  SmallVector<Value> points;
};
} // namespace

Value StepBuilder::parameter(ArrayRef<int64_t> shape) {
  auto type = tensorType(shape, b.getF32Type(), false);
  std::string name = "p" + std::to_string(points.size());
  auto init =
      b.getDictionaryAttr({b.getNamedAttr("kind", b.getStringAttr("uniform")),
                           b.getNamedAttr("low", b.getF64FloatAttr(-1)),
                           b.getNamedAttr("high", b.getF64FloatAttr(1))});
  OpBuilder outer(func);
  ParameterOp::create(outer, loc, b.getStringAttr(name), TypeAttr::get(type),
                      init, b.getStringAttr("weight"));
  points.push_back(ReadOp::create(b, loc, type, name));
  return points.back();
}

Value StepBuilder::operand(const Operand &o, bool perSample) {
  if (o.values == Values::Condition) {
    Value noise = field(o.shape, perSample);
    return CompareOp::create(b, loc, Predicate::gt, noise, constant(noise, 0));
  }
  if (o.values == Values::Index) {
    Value noise = field(o.shape, perSample);
    Value wide = MulOp::create(b, loc, noise, constant(noise, o.limit + 1));
    return CastOp::create(b, loc, wide, b.getI32Type());
  }
  Value v = parameter(o.shape);
  if (perSample)
    v = MulOp::create(b, loc, BatchSpreadOp::create(b, loc, v),
                      field(o.shape, true));
  return o.values == Values::Positive ? Value(ExpOp::create(b, loc, v)) : v;
}

Value StepBuilder::lossOf(Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  Value weighted =
      MulOp::create(b, loc, result, field(type.getShape(), isPerSample(type)));
  Shape axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Value sum = ReduceOp::create(b, loc, ReduceKind::sum, weighted, axes);
  return isPerSample(type) ? Value(BatchSumOp::create(b, loc, sum)) : sum;
}

ModuleOp StepBuilder::build(bool gradients) {
  SmallVector<Value> operands;
  for (auto [i, o] : llvm::enumerate(c.operands))
    operands.push_back(operand(o, mask >> i & 1));
  Value result = c.build(b, loc, operands);
  SmallVector<Value> returned;
  if (gradients)
    GradOp::create(b, loc, lossOf(result), points);
  else
    returned.push_back(result);
  func::ReturnOp::create(b, loc, returned);
  func.setFunctionType(
      b.getFunctionType(func.getBody().front().getArgumentTypes(),
                        ValueRange(returned).getTypes()));
  return module;
}

OwningOpRef<ModuleOp> dpl::test::buildStep(MLIRContext &context, const Case &c,
                                           unsigned mask, bool gradients) {
  OwningOpRef<ModuleOp> module = StepBuilder(context, c, mask).build(gradients);
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

testing::AssertionResult
dpl::test::gradientsAreRight(const Case &c, unsigned mask, uint64_t seed) {
  MLIRContext context;
  loadDialects(context);
  OwningOpRef<ModuleOp> module = buildStep(context, c, mask, true);
  if (!module)
    return testing::AssertionFailure() << "the step is not valid";
  reference::GradcheckOptions options;
  options.seed = seed;
  options.kinks = 0;
  std::string text;
  llvm::raw_string_ostream report(text);
  if (succeeded(reference::gradcheck(*module, options, report)))
    return testing::AssertionSuccess();
  module->print(report);
  return testing::AssertionFailure()
         << "per-sample operands " << mask << ", DPL_TEST_SEED=" << seed << "\n"
         << text;
}
