//===- Calls.cpp - what calls and pipes do --------------------------------===//

#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

static std::string parameterOf(const Parameter &parameter,
                               const FunctionDecl *function) {
  return ("`" + parameter.name.text + "` of `" + function->name.text + "`")
      .str();
}

FailureOr<CallablePtr> Evaluator::make(const FunctionDecl *function,
                                       llvm::ArrayRef<BoundArgument> settings,
                                       const Expr *site) {
  auto callable = std::make_shared<Callable>();
  callable->function = function;
  callable->range = site ? site->range : function->name.range;
  callable->site = site;
  callable->loop = context.frame().loop;
  Frame frame;
  frame.function = function;
  frame.path = context.frame().path;
  for (auto [i, parameter] : llvm::enumerate(function->settings)) {
    const Expr *given = i < settings.size() ? settings[i].value : nullptr;
    FailureOr<Value> value = Value();
    if (given)
      value = eval(given);
    Context::Entered entered(context, frame);
    if (!given && parameter.defaultValue)
      value = eval(parameter.defaultValue);
    if (failed(value))
      return failure();
    Range at = given ? given->range : callable->range;
    value =
        coerce(*value, parameter.type, at, parameterOf(parameter, function));
    if (failed(value))
      return failure();
    frame.values[{&parameter, 0}] = *value;
    callable->settings.push_back(*value);
  }
  context.frame().usesTraining |= frame.usesTraining;
  return callable;
}

FailureOr<Arguments>
Evaluator::evalArguments(llvm::ArrayRef<BoundArgument> bound) {
  Arguments arguments;
  for (const BoundArgument &argument : bound) {
    FailureOr<Value> value = Value();
    if (argument.value)
      value = eval(argument.value);
    if (!argument.value && !argument.variadic.empty()) {
      List list;
      for (const Expr *e : argument.variadic) {
        FailureOr<Value> element = eval(e);
        if (failed(element))
          return failure();
        list.push_back(*element);
      }
      value = Value::list(std::move(list));
    }
    if (failed(value))
      return failure();
    arguments.values.push_back(*value);
    arguments.exprs.push_back(argument.value);
  }
  return arguments;
}

FailureOr<Value> Evaluator::evalCall(const Expr *expr) {
  const Call *call = context.program.call(expr);
  assert(call && "a call without a meaning in a checked program");
  auto *pipe = llvm::dyn_cast<PipeExpr>(expr);
  Range at = pipe ? pipe->stage->range : expr->range;
  const Expr *site = pipe ? pipe->stage : expr;
  if (call->kind == Call::Kind::Make) {
    FailureOr<CallablePtr> callable =
        make(call->function, call->settings, site);
    if (failed(callable))
      return failure();
    return Value(*callable);
  }
  FailureOr<Arguments> arguments = evalArguments(call->data);
  if (failed(arguments))
    return failure();
  if (call->kind == Call::Kind::Apply) {
    FailureOr<Value> callee = eval(call->callee);
    if (failed(callee))
      return failure();
    return apply(*callee, std::move(*arguments), at);
  }
  if (call->function->isExtern && !call->function->twoLists)
    return runPrimitive(call->function, std::move(*arguments), at);
  FailureOr<CallablePtr> callable = make(call->function, call->settings, site);
  if (failed(callable))
    return failure();
  return applyCallable(*callable, std::move(*arguments), at);
}

FailureOr<Value> Evaluator::apply(const Value &callee, Arguments arguments,
                                  Range at) {
  if (CallablePtr callable = callee.asCallable())
    return applyCallable(callable, std::move(arguments), at);
  const List *list = callee.asList();
  if (!list)
    return context.report(diag::cannot_apply, at, callee.text());
  if (arguments.values.size() != 1)
    return context.report(diag::data_count, at, "a list of layers", 1,
                          arguments.values.size());
  Value value = arguments.values[0];
  for (const Value &layer : *list) {
    FailureOr<Value> next = apply(layer, {{value}, {nullptr}}, at);
    if (failed(next))
      return failure();
    value = *next;
  }
  return value;
}

FailureOr<Value> Evaluator::applyCallable(const CallablePtr &callable,
                                          Arguments arguments, Range at) {
  const FunctionDecl *function = callable->function;
  if (arguments.values.size() > function->data.size())
    return context.report(diag::data_count, at, "`" + function->name.text + "`",
                          function->data.size(), arguments.values.size());
  arguments.values.resize(function->data.size());
  arguments.exprs.resize(function->data.size());
  if (function->isExtern && !function->twoLists)
    return runPrimitive(function, std::move(arguments), at);
  if (function->isExtern)
    return context.report(diag::cannot_apply, at, Value(callable).text());
  if (callable->letSite)
    sites[callable->letSite].used = true;
  bool isLayer = function->functionKind != FunctionKind::Fn;
  bool hasTensor = false;
  for (const Value &value : arguments.values)
    forEachTensor(value, [&](const Tensor &) { hasTensor = true; });
  if (!isLayer && !hasTensor)
    return runInline(callable, arguments, at);
  FailureOr<const Elaborated *> callee = elaborate(callable, arguments, at);
  if (failed(callee))
    return failure();
  return callElaborated(**callee, *callable, arguments, at);
}

/// Describes the inputs of a call for messages about what is inside it.
static void describeInputs(Context &context, Frame &frame,
                           const Arguments &arguments) {
  for (auto [i, value] : llvm::enumerate(arguments.values)) {
    if (!value.as<Tensor>())
      continue;
    llvm::StringRef name = frame.function->data[i].name.text;
    if (auto *expr = llvm::dyn_cast_if_present<NameExpr>(arguments.exprs[i])) {
      const Symbol *symbol = context.program.symbol(expr);
      name = expr->name;
      if (symbol && symbol->range.isValid() && !frame.inputDecl.isValid()) {
        frame.inputDecl = symbol->range;
        frame.inputName = name;
      }
    }
    frame.inputs +=
        (frame.inputs.empty() ? "" : ", ") + name.str() + ": " + value.text();
  }
}

LogicalResult Evaluator::bindArguments(Frame &frame, Callable &callable,
                                       Arguments &arguments, Range at) {
  const FunctionDecl *function = callable.function;
  for (auto [parameter, value] :
       llvm::zip(function->settings, callable.settings))
    frame.values[{&parameter, 0}] = value;
  // Tensors bind sizes; numbers take what they bound.
  for (bool tensors : {true, false}) {
    for (auto [i, parameter] : llvm::enumerate(function->data)) {
      Value value = arguments.values[i];
      const Expr *expr = arguments.exprs[i];
      bool isTensor = value.as<Tensor>() || value.asRecord();
      if (isTensor != tensors)
        continue;
      if (value.isNone() && parameter.defaultValue) {
        FailureOr<Value> usual = eval(parameter.defaultValue);
        if (failed(usual))
          return failure();
        value = *usual;
      }
      if (value.isNone())
        return context.report(diag::data_missing, at, parameter.name.text,
                              function->name.text);
      FailureOr<Value> converted =
          coerce(value, parameter.type, expr ? expr->range : at,
                 parameterOf(parameter, function));
      if (failed(converted))
        return failure();
      frame.values[{&parameter, 0}] = *converted;
    }
  }
  describeInputs(context, frame, arguments);
  return success();
}

FailureOr<Value> Evaluator::runBody(Frame &frame, Callable &callable,
                                    Arguments &arguments, Range at) {
  Context::Entered entered(context, frame);
  if (failed(bindArguments(frame, callable, arguments, at)))
    return failure();
  frame.call = at;
  FailureOr<Value> value = eval(callable.function->body);
  if (failed(value))
    return failure();
  value = checkResult(callable.function, *value);
  if (failed(value) || failed(writeStates(frame)))
    return failure();
  return value;
}

FailureOr<Value> Evaluator::checkResult(const FunctionDecl *function,
                                        const Value &value) {
  const Expr *result = function->body->result();
  Range at = result ? result->range : function->name.range;
  assert(!value.isNone() && "a function without a result");
  return coerce(value, function->result, at,
                "the result of `" + function->name.text + "`");
}

FailureOr<Value> Evaluator::runInline(const CallablePtr &callable,
                                      Arguments &arguments, Range at) {
  Frame &caller = context.frame();
  Frame frame;
  frame.function = callable->function;
  frame.scope = caller.scope;
  frame.path = caller.path;
  frame.loop = caller.loop;
  FailureOr<Value> value = runBody(frame, *callable, arguments, at);
  if (failed(value) || failed(addEffects(frame, at)))
    return failure();
  caller.namesLayers |= frame.namesLayers;
  return value;
}

FailureOr<Value> Evaluator::runPrimitive(const FunctionDecl *function,
                                         Arguments arguments, Range at) {
  const Primitive *primitive = findPrimitive(function->name.text);
  if (!primitive)
    return context.report(diag::not_available, at, function->name.text);
  Frame &caller = context.frame();
  Frame frame;
  frame.function = function;
  frame.path = caller.path;
  frame.scope = caller.scope;
  Context::Entered entered(context, frame);
  Callable callable;
  callable.function = function;
  if (failed(bindArguments(frame, callable, arguments, at)))
    return failure();
  PrimitiveCall call{*this, function, {}, at, Tensors(context, at)};
  for (const Parameter &parameter : function->data)
    call.values.push_back(frame.values[{&parameter, 0}]);
  call.exprs = arguments.exprs;
  Result result = primitive->run(call);
  caller.drawsRandom |= frame.drawsRandom;
  return result;
}
