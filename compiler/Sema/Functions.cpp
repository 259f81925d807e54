//===- Functions.cpp - declarations, blocks and statements ----------------===//

#include "compiler/Sema/Analysis.h"

using namespace dpl;
using llvm::StringRef;

void Analysis::resolveDecl(const Decl &decl, FileScope &file) {
  currentDecl = &decl;
  switch (decl.kind) {
  case Decl::Kind::Setting:
    resolveSetting(llvm::cast<SettingDecl>(decl), file);
    break;
  case Decl::Kind::Function:
    resolveFunction(llvm::cast<FunctionDecl>(decl), file);
    break;
  case Decl::Kind::Dataset: {
    auto &dataset = llvm::cast<DatasetDecl>(decl);
    Scope scope(&file);
    resolveType(dataset.type, scope);
    needTensors(dataset.type, "`" + dataset.name.text + "`");
    resolve(dataset.value, scope);
    break;
  }
  case Decl::Kind::Iterator: {
    Scope scope(&file);
    resolve(llvm::cast<IteratorDecl>(decl).value, scope);
    break;
  }
  case Decl::Kind::Import:
  case Decl::Kind::Train:
    break;
  }
  currentDecl = nullptr;
}

/// An option is a flag of the trainer beside those that all have.
void Analysis::checkFlagName(const Identifier &option) {
  static constexpr llvm::StringLiteral flags[] = {
#define DPL_FLAG(name) name,
#include "dpl/flags.def"
  };
  std::string flag = option.text.str();
  llvm::replace(flag, '_', '-');
  if (llvm::is_contained(flags, StringRef(flag)))
    diags.report(diag::option_is_flag, option.range, option.text, flag)
        .hint(diag::rename_option);
}

void Analysis::resolveSetting(const SettingDecl &decl, FileScope &file) {
  const Symbol *symbol = declSymbols[&decl];
  if (!started.insert(&decl).second)
    return;
  const Decl *outer = currentDecl;
  currentDecl = &decl;
  Scope scope(&file);
  if (decl.isOption)
    checkFlagName(decl.name);
  resolveType(decl.type, scope, decl.name.text);
  auto *set = llvm::dyn_cast_or_null<NamedType>(decl.type);
  auto *name = llvm::dyn_cast<NameExpr>(decl.value);
  Value value;
  if (set && set->isClosedSet() && name) {
    resolveSetMember(*set, name, scope);
    value = {Type::Member};
  } else {
    value = resolve(decl.value, scope);
    checkFits(decl.type, decl.name.text, decl.name.range, decl.value, value);
  }
  if (decl.type)
    value = valueOf(decl.type);
  bool isRuntime = value.type >= Type::Tensor || value.type == Type::List;
  if (decl.isOption && isRuntime)
    diags.report(diag::option_type, decl.value->range, decl.name.text,
                 describe(value.type));
  symbolValues[symbol] = value;
  currentDecl = outer;
}

void Analysis::declareParameters(ParameterList list, Symbol::Kind kind,
                                 Scope &scope) {
  for (const Parameter &parameter : list) {
    Symbol *symbol = newSymbol(kind, parameter.name);
    symbol->index = &parameter - list.begin();
    symbol->owner = scope.function;
    symbol->parameter = &parameter;
    Value value = valueOf(parameter.type);
    if (!parameter.type && kind == Symbol::Kind::Data)
      value = {Type::Tensor};
    symbolValues[symbol] = value;
    declareLocal(scope, symbol, parameter.name);
  }
}

void Analysis::resolveParameters(ParameterList list, Scope &scope) {
  for (const Parameter &parameter : list) {
    resolveType(parameter.type, scope, parameter.name.text);
    if (parameter.defaultValue)
      resolveArgument(parameter, parameter.defaultValue, scope);
  }
}

/// Models map tensors to tensors; readers yield them, transforms change them.
void Analysis::checkTensorTypes(const FunctionDecl &fn) {
  bool isModel = fn.functionKind == FunctionKind::Model;
  bool isReader = fn.functionKind == FunctionKind::Reader;
  if (isModel || (isReader && fn.twoLists))
    for (const Parameter &input : fn.data)
      needTensor(input.type, "the input `" + input.name.text + "`");
  bool isStage = fn.twoLists || llvm::isa_and_nonnull<RecordType>(fn.result);
  if (isModel || (isReader && isStage))
    needTensors(fn.result, "the result of `" + fn.name.text + "`");
}

void Analysis::resolveFunction(const FunctionDecl &fn, FileScope &file) {
  Scope scope(&file, &fn);
  declareParameters(fn.settings, Symbol::Kind::Setting, scope);
  declareParameters(fn.data, Symbol::Kind::Data, scope);
  for (const Parameter &parameter : fn.data)
    bindSizes(parameter.type, scope);
  resolveParameters(fn.settings, scope);
  resolveParameters(fn.data, scope);
  resolveType(fn.result, scope);
  checkTensorTypes(fn);
  if (fn.body)
    resolveBlock(*fn.body, scope, /*wantsResult=*/true);
}

/// The names of a block end with it. Its value is that of its last expression.
Value Analysis::resolveBlock(const Block &block, Scope &parent,
                             bool wantsResult) {
  Scope scope(&parent);
  const Expr *result = block.result();
  for (const Stmt *stmt : block.statements)
    if (!result || stmt != block.statements.back())
      resolveStmt(*stmt, scope);
  if (!wantsResult) {
    auto *conditional = llvm::dyn_cast_or_null<IfExpr>(result);
    if (conditional)
      resolveStmt(*block.statements.back(), scope);
    else if (result)
      diags.report(diag::unused_result, result->range);
    return {};
  }
  if (result)
    return resolve(result, scope);
  Range end{block.range.end.advanced(block.braces ? -1 : 0), block.range.end};
  diags.report(diag::block_without_result, end);
  return {};
}

void Analysis::resolveStmt(const Stmt &stmt, Scope &scope) {
  switch (stmt.kind) {
  case Stmt::Kind::Let:
    return resolveLet(llvm::cast<LetStmt>(stmt), scope);
  case Stmt::Kind::Param:
    return resolveParam(llvm::cast<ParamStmt>(stmt), scope);
  case Stmt::Kind::For:
    return resolveFor(llvm::cast<ForStmt>(stmt), scope);
  case Stmt::Kind::Assign:
    return resolveAssign(llvm::cast<AssignStmt>(stmt), scope);
  case Stmt::Kind::Expr:
    break;
  }
  // Not the last statement, so the parser has seen that it is an `if`.
  auto *expr = llvm::cast<ExprStmt>(stmt).expr;
  if (auto *conditional = llvm::dyn_cast<IfExpr>(expr)) {
    resolveCondition(conditional->condition, scope);
    resolveBlock(*conditional->thenBlock, scope, false);
    if (conditional->elseBlock)
      resolveBlock(*conditional->elseBlock, scope, false);
  }
}

void Analysis::resolveLet(const LetStmt &let, Scope &scope) {
  Value value = resolve(let.value, scope);
  resolveType(let.type, scope, let.names.front().text);
  if (let.type)
    value = valueOf(let.type);
  bool isTuple = let.names.size() > 1;
  if (isTuple && value.type == Type::List)
    value = {value.element};
  for (const Identifier &name : let.names) {
    Symbol *symbol =
        newSymbol(let.isVar ? Symbol::Kind::Var : Symbol::Kind::Let, name);
    symbol->index = &name - let.names.begin();
    symbol->stmt = &let;
    symbolValues[symbol] = value;
    declareLocal(scope, symbol, name);
  }
}

void Analysis::resolveParam(const ParamStmt &param, Scope &scope) {
  static constexpr llvm::StringLiteral roles[] = {"bias", "norm", "embedding"};
  resolveType(param.type, scope);
  needTensor(param.type, "`" + param.name.text + "`");
  Value init = resolve(param.init, scope);
  if (init.type != Type::Callable && init.type != Type::Unknown)
    diags.report(diag::not_an_initializer, param.init->range, param.name.text,
                 describe(init.type));
  if (param.role && !llvm::is_contained(roles, param.role.text))
    suggest(diags.report(diag::unknown_role, param.role.range, param.role.text),
            param.role.range, param.role.text, {"bias", "norm", "embedding"});
  Symbol *symbol = newSymbol(
      param.isState ? Symbol::Kind::State : Symbol::Kind::Param, param.name);
  symbol->stmt = &param;
  symbolValues[symbol] = {Type::Tensor};
  declareLocal(scope, symbol, param.name);
}

void Analysis::declareVariable(const Identifier &name, Value value,
                               const Stmt *stmt, const Expr *expr,
                               unsigned index, Symbol::Kind kind,
                               Scope &scope) {
  Symbol *symbol = newSymbol(kind, name);
  symbol->stmt = stmt;
  symbol->expr = expr;
  symbol->index = index;
  symbolValues[symbol] = value;
  declareLocal(scope, symbol, name);
}

/// The value of one element of a sequence.
static Value elementOf(Value sequence) {
  if (sequence.type == Type::List)
    return {sequence.element};
  return {sequence.type == Type::Tensor ? Type::Tensor : Type::Unknown};
}

void Analysis::resolveFor(const ForStmt &loop, Scope &scope) {
  Value sequence = resolve(loop.sequence, scope);
  structuralUses.push_back({loop.sequence, scope.function});
  Scope inner(&scope);
  declareVariable(loop.variable, elementOf(sequence), &loop, nullptr, 0,
                  Symbol::Kind::Variable, inner);
  resolveBlock(*loop.body, inner, /*wantsResult=*/false);
}

Value Analysis::resolveComprehension(const ComprehensionExpr *list,
                                     Scope &scope) {
  Value sequence = resolve(list->sequence, scope);
  structuralUses.push_back({list->sequence, scope.function});
  Scope inner(&scope);
  declareVariable(list->variable, elementOf(sequence), nullptr, list, 0,
                  Symbol::Kind::Variable, inner);
  if (list->condition)
    resolveCondition(list->condition, inner);
  Value element = resolve(list->element, inner);
  if (element.type == Type::Callable)
    return {Type::Callable};
  return {Type::List, nullptr, nullptr, element.type};
}

Value Analysis::resolveScan(const ScanExpr *scan, Scope &scope) {
  resolve(scan->sequence, scope);
  for (const Carry &carry : scan->carries)
    resolve(carry.start, scope);
  Scope inner(&scope);
  for (const Carry &carry : scan->carries)
    declareVariable(carry.name, {Type::Tensor}, nullptr, scan,
                    &carry - scan->carries.begin(), Symbol::Kind::Carry, inner);
  declareVariable(scan->variable, {Type::Tensor}, nullptr, scan,
                  scan->carries.size(), Symbol::Kind::Variable, inner);
  resolveBlock(*scan->body, inner, /*wantsResult=*/true);
  return {Type::Tensor};
}

void Analysis::resolveAssign(const AssignStmt &assign, Scope &scope) {
  resolve(assign.value, scope);
  const Symbol *symbol = find(scope, assign.name.text);
  auto isVariable = [](const Symbol &s) {
    return s.kind == Symbol::Kind::Var || s.kind == Symbol::Kind::State ||
           s.kind == Symbol::Kind::Carry;
  };
  if (!symbol) {
    suggest(
        diags.report(diag::unknown_name, assign.name.range, assign.name.text),
        assign.name.range, assign.name.text, visible(scope, isVariable));
    return;
  }
  if (!isVariable(*symbol)) {
    noteDeclared(diags.report(diag::assigned_constant, assign.name.range,
                              assign.name.text, describe(*symbol)),
                 *symbol);
    return;
  }
  program.symbols[&assign] = symbol;
  if (symbol->kind != Symbol::Kind::Var)
    ++useCounts[symbol];
}
