//===- Train.cpp - the table of a training --------------------------------===//

#include "compiler/Import/Attributes.h"
#include "compiler/Import/ModuleBuilder.h"

#include "llvm/ADT/StringSet.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

static std::string evalName(const Training &training,
                            const Iterator &iterator) {
  return ("eval." + training.models[0]->name.text + "." +
          iterator.decl->name.text)
      .str();
}

LogicalResult ModuleBuilder::writeTraining(const Training &training) {
  const FunctionDecl *model = training.models[0];
  std::string name = ("train." + model->name.text).str();
  [[maybe_unused]] bool fresh = context.reserveSymbol(name);
  assert(fresh && "Sema lets a file train once");
  if (failed(writeStep(training, *training.data, true, name)))
    return failure();
  for (const Training::Evaluation &evaluation : training.evaluations) {
    std::string eval = evalName(training, *evaluation.iterator);
    if (context.reserveSymbol(eval) &&
        failed(writeStep(training, *evaluation.iterator, false, eval)))
      return failure();
  }
  if (failed(writeModel(model)))
    return failure();
  return writeTrainOp(training);
}

/// A quantity, or an option whose default is one.
FailureOr<mlir::DictionaryAttr> ModuleBuilder::durationOf(const Expr *expr) {
  Frame frame;
  Context::Entered entered(context, frame);
  FailureOr<Value> value = evaluator.eval(expr);
  if (failed(value))
    return failure();
  Value usual = *value;
  if (HostScalarPtr scalar = value->asScalar();
      scalar && scalar->op == HostScalar::Op::Option) {
    FailureOr<OptionInfo> info = evaluator.option(scalar->option);
    if (failed(info))
      return failure();
    usual = info->value;
  }
  auto *duration = usual.as<Duration>();
  if (!duration || duration->count <= 0)
    return context.report(diag::needs_duration, expr->range, usual.text());
  return durationAttribute(context, *value, *duration, expr->range);
}

FailureOr<mlir::DictionaryAttr>
ModuleBuilder::writeAction(const Action &action) {
  mlir::Builder b(context.mlir());
  const FunctionDecl *function = action.call->function;
  Range at = action.expr->range;
  Frame frame, file;
  frame.function = function;
  Context::Entered entered(context, file);
  FailureOr<mlir::DictionaryAttr> args =
      argumentsOf(function, action.call->data, at, frame);
  if (failed(args))
    return failure();
  llvm::SmallVector<mlir::Attribute> positional;
  for (const BoundArgument &argument : action.call->data) {
    for (const Expr *e : argument.variadic) {
      FailureOr<Value> value = evaluator.eval(e);
      if (failed(value))
        return failure();
      FailureOr<mlir::Attribute> attribute =
          toAttribute(context, *value, e->range);
      if (failed(attribute))
        return failure();
      positional.push_back(*attribute);
    }
    auto *type = llvm::dyn_cast_if_present<NamedType>(argument.parameter->type);
    auto *name = llvm::dyn_cast_if_present<NameExpr>(argument.value);
    if (type && type->name.text == "iterator" && name)
      positional.push_back(b.getStringAttr(name->name));
  }
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", b.getStringAttr(function->name.text)),
       b.getNamedAttr("args", *args),
       b.getNamedAttr("positional", b.getArrayAttr(positional))});
}

FailureOr<mlir::DictionaryAttr>
ModuleBuilder::writeEvery(const Trigger &trigger) {
  FailureOr<mlir::DictionaryAttr> interval = durationOf(trigger.interval);
  if (failed(interval))
    return failure();
  llvm::SmallVector<mlir::Attribute> actions;
  for (const Action &action : trigger.actions) {
    FailureOr<mlir::DictionaryAttr> entry = writeAction(action);
    if (failed(entry))
      return failure();
    actions.push_back(*entry);
  }
  mlir::NamedAttrList entries(*interval);
  entries.set("actions", mlir::Builder(context.mlir()).getArrayAttr(actions));
  return entries.getDictionary(context.mlir());
}

LogicalResult ModuleBuilder::writeTrainOp(const Training &training) {
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(context.module->getBody());
  mlir::NamedAttrList entries;
  llvm::SmallVector<llvm::StringRef> names;
  for (const FunctionDecl *model : training.models)
    names.push_back(model->name.text);
  entries.set("models", b.getStrArrayAttr(names));
  entries.set("data", b.getStringAttr(training.data->decl->name.text));
  if (!training.devices.empty()) {
    llvm::SmallVector<llvm::StringRef> devices;
    for (const StringExpr *device : training.devices)
      devices.push_back(device->value);
    entries.set("devices", b.getStrArrayAttr(devices));
  }
  FailureOr<mlir::DictionaryAttr> stop = durationOf(training.stop);
  if (failed(stop))
    return failure();
  entries.set("stop", *stop);
  entries.set("out",
              b.getStringAttr(training.out ? training.out->value : "result"));

  llvm::SmallVector<mlir::Attribute> evaluate, every;
  llvm::StringSet<> seen;
  for (const Training::Evaluation &evaluation : training.evaluations) {
    const Iterator &iterator = *evaluation.iterator;
    if (seen.insert(iterator.decl->name.text).second)
      evaluate.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("iterator",
                          b.getStringAttr(iterator.decl->name.text)),
           b.getNamedAttr("program",
                          b.getStringAttr(evalName(training, iterator)))}));
  }
  for (const Trigger &trigger : training.every) {
    FailureOr<mlir::DictionaryAttr> entry = writeEvery(trigger);
    if (failed(entry))
      return failure();
    every.push_back(*entry);
  }
  entries.set("evaluate", b.getArrayAttr(evaluate));
  entries.set("every", b.getArrayAttr(every));
  std::string step = ("train." + training.models[0]->name.text).str();
  TrainOp::create(b, context.loc(training.decl->models[0].range),
                  mlir::FlatSymbolRefAttr::get(context.mlir(), step),
                  entries.getDictionary(context.mlir()));
  return success();
}
