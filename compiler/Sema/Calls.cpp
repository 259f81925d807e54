//===- Calls.cpp - what is called: Run, Make or Apply ---------------------===//

#include "compiler/Sema/Analysis.h"

using namespace dpl;
using llvm::ArrayRef;
using llvm::dyn_cast;

void Analysis::record(const Expr *whole, Call call) {
  const Call *made = context.make<Call>(call);
  program.calls[whole] = made;
  allCalls.push_back(made);
}

/// The function that a callee names, or null.
const FunctionDecl *Analysis::functionOf(const Expr *callee, Scope &scope) {
  auto *name = dyn_cast<NameExpr>(callee);
  if (!name)
    return nullptr;
  const Symbol *symbol = lookup(name, scope);
  return symbol ? symbol->function() : nullptr;
}

static bool hasDefaults(ParameterList list) {
  return llvm::all_of(list, [](const Parameter &p) { return p.defaultValue; });
}

static bool hasParameter(ParameterList list, llvm::StringRef name) {
  return llvm::any_of(list,
                      [&](const Parameter &p) { return p.name.text == name; });
}

/// Whether `f(args)` of a two-list function drops the settings and gives data:
/// names decide, then whether the first argument is a tensor.
bool Analysis::takesData(const FunctionDecl &fn, ArrayRef<Argument> args,
                         Scope &scope) {
  for (const Argument &arg : args) {
    if (arg.name && hasParameter(fn.settings, arg.name.text))
      return false;
    if (arg.name && hasParameter(fn.data, arg.name.text))
      return true;
  }
  if (args.empty() || args.front().name)
    return false;
  if (fn.settings.empty())
    return true;
  if (llvm::isa<NameExpr>(args.front().value)) {
    // A bare member of a set is no name that can be resolved.
    auto *type = llvm::dyn_cast_or_null<NamedType>(fn.settings.front().type);
    if (type && (type->isClosedSet() || type->name.text == "field"))
      return false;
  }
  Value first = resolve(args.front().value, scope);
  if (first.type == Type::Unknown)
    return hasDefaults(fn.settings) && args.size() == fn.data.size() &&
           args.size() > 1;
  return first.type == Type::Tensor;
}

Value Analysis::resultOf(const FunctionDecl &fn,
                         ArrayRef<BoundArgument> data) const {
  switch (fn.functionKind) {
  case FunctionKind::Reader: {
    auto *result = llvm::dyn_cast_or_null<NamedType>(fn.result);
    bool isIterator = result && result->name.text == "iterator";
    return {isIterator ? Type::Iterator : Type::Dataset};
  }
  case FunctionKind::Layer:
  case FunctionKind::Model:
  case FunctionKind::Optimizer: {
    Value declared = valueOf(fn.result);
    return {Type::Tensor, nullptr, declared.record};
  }
  case FunctionKind::Fn:
    break;
  }
  bool anyTensorParameter = false;
  bool anyTensor = false;
  for (const BoundArgument &arg : data) {
    Type declared =
        arg.parameter ? valueOf(arg.parameter->type).type : Type::Unknown;
    anyTensorParameter |= declared == Type::Tensor;
    anyTensor |= arg.value && values.lookup(arg.value).type == Type::Tensor;
  }
  Value declared = valueOf(fn.result);
  // A function of tensors that is given numbers gives a number.
  bool isFolded = anyTensorParameter && !anyTensor;
  if (fn.result && declared.type == Type::Tensor && isFolded)
    return {Type::Float};
  if (fn.result)
    return declared;
  return {anyTensor ? Type::Tensor : Type::Unknown};
}

Value Analysis::run(const Expr *whole, const FunctionDecl &fn, Range place,
                    ArrayRef<Argument> settings, ArrayRef<Argument> data,
                    Scope &scope) {
  Call call{Call::Kind::Run, &fn, nullptr, {}, {}};
  if (fn.twoLists)
    call.settings = bindArguments(fn, fn.settings, settings, place, scope);
  call.data = bindArguments(fn, fn.data, data, place, scope);
  record(whole, call);
  return resultOf(fn, call.data);
}

Value Analysis::make(const Expr *whole, const FunctionDecl &fn, Range place,
                     ArrayRef<Argument> settings, Scope &scope) {
  Call call{Call::Kind::Make, &fn, nullptr, {}, {}};
  call.settings = bindArguments(fn, fn.settings, settings, place, scope);
  record(whole, call);
  return {Type::Callable, &fn};
}

/// Whether an expression is a name that was reported as unknown.
bool Analysis::isUnknownName(const Expr *expr) const {
  auto *name = dyn_cast<NameExpr>(expr);
  return name && !program.symbol(name);
}

/// Resolves arguments of something unknown, in which a bare name may be a
/// member of a set or a field.
void Analysis::resolveQuietly(ArrayRef<Argument> args, Scope &scope) {
  for (const Argument &arg : args) {
    auto *name = dyn_cast<NameExpr>(arg.value);
    if (!name || find(scope, name->name))
      resolve(arg.value, scope);
  }
}

/// Applies the value of an expression: a layer, a function, a list of layers.
Value Analysis::apply(const Expr *whole, const Expr *callee,
                      ArrayRef<Argument> data, Scope &scope) {
  Value value = resolve(callee, scope);
  if (isUnknownName(callee)) {
    resolveQuietly(data, scope);
    return {};
  }
  Call call{Call::Kind::Apply, value.function, callee, {}, {}};
  if (value.function) {
    call.data = bindArguments(*value.function, value.function->data, data,
                              callee->range, scope);
    record(whole, call);
    return resultOf(*value.function, call.data);
  }
  if (value.type != Type::Callable && value.type != Type::Unknown)
    diags.report(diag::not_callable, callee->range, sources.text(callee->range),
                 describe(value.type));
  llvm::SmallVector<BoundArgument> bound;
  for (const Argument &arg : data) {
    resolve(arg.value, scope);
    if (arg.name)
      diags.report(diag::named_data, arg.name.range, arg.name.text);
    bound.push_back({nullptr, arg.value, {}});
  }
  call.data = context.list<BoundArgument>(bound);
  record(whole, call);
  return {value.type == Type::Callable ? Type::Tensor : Type::Unknown};
}

/// `f(args)`, or `piped |> f(args)`, of a declared function.
Value Analysis::callFunction(const Expr *whole, const FunctionDecl &fn,
                             ArrayRef<Argument> args, const Expr *piped,
                             Scope &scope) {
  auto *pipe = dyn_cast<PipeExpr>(whole);
  const Expr *mention = pipe ? pipe->stage : whole;
  if (auto *call = dyn_cast<CallExpr>(mention))
    mention = call->callee;
  Range place = mention->range;
  if (!fn.twoLists) {
    llvm::SmallVector<Argument> all;
    if (piped)
      all.push_back({Identifier(), const_cast<Expr *>(piped)});
    all.append(args.begin(), args.end());
    return run(whole, fn, place, {}, all, scope);
  }
  if (piped) {
    Argument data{Identifier(), const_cast<Expr *>(piped)};
    return run(whole, fn, place, args, data, scope);
  }
  if (takesData(fn, args, scope))
    return run(whole, fn, place, {}, args, scope);
  return make(whole, fn, place, args, scope);
}

/// The call of `f(settings)(..)` inside the brackets, if `call` is its outer.
static const CallExpr *innerCall(const CallExpr *call) {
  return dyn_cast<CallExpr>(call->callee);
}

Value Analysis::resolveCall(const CallExpr *call, Scope &scope) {
  if (const FunctionDecl *fn = functionOf(call->callee, scope))
    return callFunction(call, *fn, call->arguments, nullptr, scope);
  if (const CallExpr *inner = innerCall(call)) {
    const FunctionDecl *fn = functionOf(inner->callee, scope);
    if (fn && fn->twoLists && !takesData(*fn, inner->arguments, scope))
      return run(call, *fn, inner->callee->range, inner->arguments,
                 call->arguments, scope);
  }
  return apply(call, call->callee, call->arguments, scope);
}

Value Analysis::resolvePipe(const PipeExpr *pipe, Scope &scope) {
  resolve(pipe->value, scope);
  Argument piped{Identifier(), pipe->value};
  if (const FunctionDecl *fn = functionOf(pipe->stage, scope))
    return callFunction(pipe, *fn, {}, pipe->value, scope);
  auto *call = dyn_cast<CallExpr>(pipe->stage);
  if (!call)
    return apply(pipe, pipe->stage, piped, scope);
  if (const FunctionDecl *fn = functionOf(call->callee, scope))
    return callFunction(pipe, *fn, call->arguments, pipe->value, scope);
  llvm::SmallVector<Argument> data = {piped};
  data.append(call->arguments.begin(), call->arguments.end());
  if (const CallExpr *inner = innerCall(call)) {
    const FunctionDecl *fn = functionOf(inner->callee, scope);
    if (fn && fn->twoLists)
      return run(pipe, *fn, inner->callee->range, inner->arguments, data,
                 scope);
  }
  return apply(pipe, call->callee, data, scope);
}
