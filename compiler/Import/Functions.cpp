//===- Functions.cpp - layers and functions become func.func --------------===//

#include "compiler/Import/Evaluator.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

/// More is shown as this.
static constexpr uint64_t kMostFlops = uint64_t{1} << 53;

static int64_t addFlops(int64_t a, int64_t b) {
  return std::min<int64_t>(a + b, kMostFlops);
}

/// What the elaboration of a function costs beside its expressions, in steps.
static constexpr int64_t kElaborationSteps = 100;

/// Twice the multiply-adds of the contractions and convolutions in a body.
static int64_t countFlops(mlir::func::FuncOp function) {
  uint64_t flops = 0;
  auto shapeOf = [](mlir::Value v) {
    return mlir::cast<mlir::RankedTensorType>(v.getType()).getShape();
  };
  function.walk([&](mlir::Operation *op) {
    if (auto contract = mlir::dyn_cast<ContractOp>(op)) {
      llvm::SmallDenseMap<int64_t, int64_t> sizes;
      for (auto [label, n] :
           llvm::zip(contract.getLhsLabels(), shapeOf(contract.getLhs())))
        sizes[label] = n;
      for (auto [label, n] :
           llvm::zip(contract.getRhsLabels(), shapeOf(contract.getRhs())))
        sizes[label] = n;
      uint64_t n = 2;
      for (auto [label, size] : sizes)
        n = llvm::SaturatingMultiply<uint64_t>(n, size);
      flops = llvm::SaturatingAdd(flops, n);
    } else if (auto conv = mlir::dyn_cast<ConvOp>(op)) {
      uint64_t n = 2;
      for (int64_t size : shapeOf(conv.getFilter()))
        n = llvm::SaturatingMultiply<uint64_t>(n, size);
      for (int64_t size : shapeOf(conv.getResult()).drop_front())
        n = llvm::SaturatingMultiply<uint64_t>(n, size);
      flops = llvm::SaturatingAdd(flops, n);
    }
  });
  return std::min<uint64_t>(flops, kMostFlops);
}

static std::vector<Shape> shapesOf(llvm::ArrayRef<Value> values) {
  std::vector<Shape> shapes;
  for (const Value &value : values)
    forEachTensor(value,
                  [&](const Tensor &t) { shapes.push_back(t.type.shape); });
  return shapes;
}

LogicalResult Evaluator::addEffects(const Effects &effects, Range at,
                                    bool isLayer) {
  Frame &caller = context.frame();
  caller.usesTraining |= effects.usesTraining;
  caller.drawsRandom |= effects.drawsRandom;
  if (!isLayer)
    caller.flops = addFlops(caller.flops, effects.flops);
  caller.operations += effects.operations;
  llvm::append_range(caller.rows, effects.rows);
  for (const std::string &state : effects.writtenStates) {
    if (llvm::is_contained(caller.writtenStates, state))
      return context.report(diag::state_twice, at, state);
    caller.writtenStates.push_back(state);
  }
  return success();
}

static std::string functionKey(const Callable &callable,
                               const Arguments &arguments) {
  std::string key = Value(std::make_shared<Callable>(callable)).key();
  if (callable.isLayer())
    for (const Value &setting : callable.settings)
      key += "," + setting.key();
  key += "(";
  for (const Value &value : arguments.values)
    key += value.key() + ";";
  return key;
}

FailureOr<const Elaborated *> Evaluator::elaborate(const CallablePtr &callable,
                                                   Arguments &arguments,
                                                   Range at) {
  const FunctionDecl *decl = callable->function;
  bool isModel = decl->functionKind == FunctionKind::Model;
  bool isLayer = callable->isLayer();
  if (isLayer)
    ensurePath(*callable);
  std::string outer = context.model;
  llvm::scope_exit restore([&] { context.model = outer; });
  if (isModel)
    context.model = decl->name.text.str();

  std::string key = context.model + "|" + functionKey(*callable, arguments);
  std::string modeKey = key + (context.training ? "|train" : "|eval");
  for (const std::string &k : {key, modeKey})
    if (auto it = functions.find(k); it != functions.end())
      return it->second.get();

  if (failed(context.countSteps(kElaborationSteps, at)))
    return failure();
  Frame &caller = context.frame();
  Frame frame;
  Scope scope;
  frame.function = decl;
  if (isLayer || isModel) {
    scope.path = callable->path;
    frame.scope = &scope;
    frame.path = callable->path;
  } else {
    frame.scope = caller.scope;
    frame.loop = caller.loop;
  }
  llvm::SmallVector<mlir::Type> inputs;
  for (const Value &value : arguments.values)
    forEachTensor(
        value, [&](const Tensor &t) { inputs.push_back(t.value.getType()); });
  mlir::OpBuilder::InsertionGuard guard(context.builder);
  mlir::OwningOpRef<mlir::func::FuncOp> function =
      mlir::func::FuncOp::create(context.loc(decl->name.range), "",
                                 context.builder.getFunctionType(inputs, {}));
  mlir::Block *entry = function->addEntryBlock();
  context.builder.setInsertionPointToStart(entry);
  Arguments inner = arguments;
  unsigned next = 0;
  for (Value &value : inner.values)
    value = mapTensors(value, [&](const Tensor &t) {
      return Tensor{entry->getArgument(next++), t.type};
    });
  FailureOr<Value> result = runBody(frame, *callable, inner, at);
  if (failed(result))
    return failure();
  std::unique_ptr<Elaborated> done =
      finishFunction(frame, *callable, function.release(), *result, arguments);
  // A function that made layers makes new ones each time, and one that drew
  // random numbers draws others.
  std::string storedKey = done->usesTraining ? modeKey : key;
  bool makesLayers = frame.namesLayers && !isLayer && !isModel;
  caller.namesLayers |= makesLayers;
  if (makesLayers || frame.drawsRandom) {
    storedKey = modeKey + "#" + std::to_string(functions.size());
  }
  return (functions[storedKey] = std::move(done)).get();
}

std::unique_ptr<Elaborated>
Evaluator::finishFunction(Frame &frame, const Callable &callable,
                          mlir::func::FuncOp function, const Value &result,
                          const Arguments &arguments) {
  mlir::OpBuilder &b = context.builder;
  auto done = std::make_unique<Elaborated>();
  done->result = result;
  llvm::SmallVector<mlir::Value> results;
  forEachTensor(result, [&](const Tensor &t) {
    auto constant = t.value.getDefiningOp<ConstantOp>();
    done->constants.push_back(constant ? constant.getValue()
                                       : mlir::ElementsAttr());
    if (!constant)
      results.push_back(t.value);
  });
  mlir::func::ReturnOp::create(b, context.loc(callable.function->name.range),
                               results);
  function.setType(b.getFunctionType(function.getArgumentTypes(),
                                     mlir::ValueRange(results).getTypes()));
  function.setPrivate();

  Context::eraseUnused(function);

  const FunctionDecl *decl = callable.function;
  bool isModel = decl->functionKind == FunctionKind::Model;
  std::string name = decl->name.text.str();
  if (isModel)
    name += ".forward";
  else if (callable.isLayer())
    name = context.model + "." + callable.path;
  if (frame.usesTraining && !context.training)
    name += ".eval";
  function.setName(context.uniqueSymbol(name));
  function->setAttr(DplDialect::kLayerAttr, b.getStringAttr(decl->name.text));
  if (callable.isLayer())
    function->setAttr(DplDialect::kPathAttr, b.getStringAttr(callable.path));
  context.module->push_back(function);

  static_cast<Effects &>(*done) = frame;
  done->function = function;
  done->flops = addFlops(frame.flops, countFlops(function));
  done->operations +=
      1 + static_cast<int64_t>(function.front().getOperations().size());
  if (callable.isLayer())
    done->rows.insert(done->rows.begin(),
                      {callable.path, decl->name.text.str(),
                       shapesOf(arguments.values), shapesOf(result),
                       frame.parameters, done->flops});
  return done;
}

FailureOr<Value> Evaluator::callElaborated(const Elaborated &callee,
                                           const Callable &callable,
                                           const Arguments &arguments,
                                           Range at) {
  // Functions are inlined in the end: few of them can make endless programs.
  if (failed(context.countSteps(callee.operations, at)))
    return failure();
  mlir::OpBuilder &b = context.builder;
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &value : arguments.values)
    forEachTensor(value, [&](const Tensor &t) { operands.push_back(t.value); });
  mlir::Location loc = context.loc(at);
  auto call = mlir::func::CallOp::create(b, loc, callee.function, operands);

  if (failed(addEffects(callee, at, callable.isLayer())))
    return failure();
  unsigned leaf = 0, next = 0;
  return mapTensors(callee.result, [&](const Tensor &t) {
    if (mlir::ElementsAttr constant = callee.constants[leaf++])
      return Tensor{ConstantOp::create(b, loc, constant), t.type};
    return Tensor{call.getResult(next++), t.type};
  });
}
