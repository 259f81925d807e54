//===- Optimizer.cpp - gradients and the update ---------------------------===//

#include "compiler/Import/Arithmetic.h"
#include "compiler/Import/ModuleBuilder.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

/// The optimizer with its settings. Those that an option decides become
/// settings of the program under the parameter's name, and so does every
/// schedule, so that its value can be observed.
FailureOr<CallablePtr> ModuleBuilder::makeOptimizer(const OptimizerUse &use) {
  FailureOr<CallablePtr> callable =
      evaluator.make(use.call->function, use.call->settings, use.expr);
  if (failed(callable))
    return failure();
  const FunctionDecl *function = (*callable)->function;
  for (auto [parameter, value] :
       llvm::zip(function->settings, (*callable)->settings)) {
    auto *type = llvm::dyn_cast_if_present<NamedType>(parameter.type);
    bool isSchedule = type && type->name.text == "schedule";
    HostScalarPtr scalar = value.asScalar();
    if (isSchedule)
      scalar = asHostScalar(value);
    if (!scalar || !scalar->isNumeric())
      continue;
    context.settings.define(parameter.name.text, scalar);
    value = scalar;
  }
  return callable;
}

FailureOr<ModuleBuilder::Update *>
ModuleBuilder::updateFor(const CallablePtr &optimizer, const TensorType &type,
                         Range at) {
  std::string key = type.text() + Value(optimizer).key();
  if (auto it = updates.find(key); it != updates.end())
    return &it->second;
  const FunctionDecl *decl = optimizer->function;
  if (decl->data.size() != 2)
    return context.report(diag::optimizer_data, decl->name.range,
                          decl->name.text, decl->data.size());
  mlir::OpBuilder &b = context.builder;
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Type ir = irType(context.mlir(), type);
  mlir::OwningOpRef<mlir::func::FuncOp> function = mlir::func::FuncOp::create(
      context.loc(decl->name.range), "", b.getFunctionType({ir, ir}, {}));
  mlir::Block *entry = function->addEntryBlock();
  b.setInsertionPointToStart(entry);

  Frame frame;
  frame.function = decl;
  frame.isOptimizer = true;
  Arguments arguments{{Tensor{entry->getArgument(0), type},
                       Tensor{entry->getArgument(1), type}},
                      {nullptr, nullptr}};
  FailureOr<Value> result = evaluator.runBody(frame, *optimizer, arguments, at);
  if (failed(result))
    return failure();
  auto *weights = result->as<Tensor>();
  if (!weights || weights->type.shape != type.shape)
    return context.report(diag::optimizer_result, at, decl->name.text,
                          type.text(), result->text());

  // A state that nothing reads has no effect and is left out.
  llvm::SmallVector<mlir::Value> results{weights->value};
  for (int64_t i = frame.states.size() - 1; i >= 0; --i) {
    if (!entry->getArgument(i + 2).use_empty())
      continue;
    entry->eraseArgument(i + 2);
    frame.states.erase(frame.states.begin() + i);
  }
  for (const StateSlot &slot : frame.states)
    if (slot.written)
      results.push_back(slot.value.value);
  mlir::func::ReturnOp::create(b, context.loc(decl->name.range), results);
  Context::eraseUnused(*function);
  function->setType(b.getFunctionType(entry->getArgumentTypes(),
                                      mlir::ValueRange(results).getTypes()));
  function->setPrivate();
  function->setName(context.uniqueSymbol(decl->name.text));
  (*function)->setAttr(DplDialect::kLayerAttr,
                       b.getStringAttr(decl->name.text));
  Update update;
  update.function = function.release();
  update.states = frame.states;
  context.module->push_back(update.function);
  return &(updates[key] = std::move(update));
}

LogicalResult ModuleBuilder::update(const Training &training,
                                    mlir::Value loss) {
  Range at = training.optimizer.range;
  FailureOr<CallablePtr> optimizer = makeOptimizer(training.optimizer);
  if (failed(optimizer))
    return failure();
  llvm::SmallVector<ParameterOp> parameters;
  for (ParameterOp p : context.module->getOps<ParameterOp>())
    if (p.getSymName().starts_with(context.parameterPrefix))
      parameters.push_back(p);
  if (parameters.empty())
    return context.report(diag::no_parameters, training.decl->models[0].range,
                          training.models[0]->name.text);
  mlir::OpBuilder &b = context.builder;
  mlir::Location loc = context.loc(at);
  llvm::SmallVector<mlir::Value> weights;
  for (ParameterOp p : parameters)
    weights.push_back(
        ReadOp::create(b, p.getLoc(), p.getType(), p.getSymName()));
  auto gradients = GradOp::create(b, loc, loss, weights);
  for (auto [p, weight, gradient] :
       llvm::zip(parameters, weights, gradients.getGradients())) {
    TensorType type;
    type.shape =
        Shape(mlir::cast<mlir::RankedTensorType>(p.getType()).getShape());
    FailureOr<Update *> function = updateFor(*optimizer, type, at);
    if (failed(function))
      return failure();
    llvm::SmallVector<mlir::Value> operands{weight, gradient};
    llvm::SmallVector<std::string> symbols;
    for (const StateSlot &slot : (*function)->states) {
      symbols.push_back((p.getSymName() + "." + slot.symbol).str());
      if (!context.reserveSymbol(symbols.back()))
        return context.report(diag::name_taken, slot.stmt->name.range,
                              symbols.back());
      mlir::RankedTensorType ir = irType(context.mlir(), slot.type);
      mlir::OpBuilder d = context.declarations();
      StateOp::create(d, context.loc(slot.stmt->range),
                      d.getStringAttr(symbols.back()), mlir::TypeAttr::get(ir),
                      slot.init,
                      mlir::FlatSymbolRefAttr::get(p.getSymNameAttr()));
      operands.push_back(ReadOp::create(b, loc, ir, symbols.back()));
    }
    auto call =
        mlir::func::CallOp::create(b, loc, (*function)->function, operands);
    WriteOp::create(b, loc, p.getSymName(), call.getResult(0));
    unsigned next = 1;
    for (auto [slot, symbol] : llvm::zip((*function)->states, symbols))
      if (slot.written)
        WriteOp::create(b, loc, symbol, call.getResult(next++));
  }
  return success();
}
