//===- Expressions.cpp - names and operators ------------------------------===//

#include "compiler/Sema/Analysis.h"

#include "llvm/ADT/StringSwitch.h"

using namespace dpl;
using llvm::cast;
using llvm::StringRef;

Value Analysis::resolve(const Expr *expr, Scope &scope) {
  auto known = values.find(expr);
  if (known != values.end())
    return known->second;
  Value value = resolveNew(expr, scope);
  values[expr] = value;
  return value;
}

Value Analysis::resolveNew(const Expr *expr, Scope &scope) {
  switch (expr->kind) {
  case Expr::Kind::Number:
    return {cast<NumberExpr>(expr)->isInteger ? Type::Int : Type::Float};
  case Expr::Kind::Quantity:
    return {Type::Duration};
  case Expr::Kind::String:
    return {Type::String};
  case Expr::Kind::Bool:
    return {Type::Bool};
  case Expr::Kind::Name:
    return resolveName(cast<NameExpr>(expr), scope);
  case Expr::Kind::List:
    return resolveList(cast<ListExpr>(expr), scope);
  case Expr::Kind::Comprehension:
    return resolveComprehension(cast<ComprehensionExpr>(expr), scope);
  case Expr::Kind::Record:
    for (const Argument &field : cast<RecordExpr>(expr)->fields)
      resolve(field.value, scope);
    return {};
  case Expr::Kind::Einsum:
    return resolveEinsum(cast<EinsumExpr>(expr), scope);
  case Expr::Kind::Call:
    return resolveCall(cast<CallExpr>(expr), scope);
  case Expr::Kind::Index:
    return resolveIndex(cast<IndexExpr>(expr), scope);
  case Expr::Kind::Member:
    return resolveMember(cast<MemberExpr>(expr), scope);
  case Expr::Kind::Unary: {
    Value operand = resolve(cast<UnaryExpr>(expr)->operand, scope);
    return {operand.type};
  }
  case Expr::Kind::Binary:
    return resolveBinary(cast<BinaryExpr>(expr), scope);
  case Expr::Kind::Pipe:
    return resolvePipe(cast<PipeExpr>(expr), scope);
  case Expr::Kind::If:
    return resolveIf(cast<IfExpr>(expr), scope);
  case Expr::Kind::Scan:
    return resolveScan(cast<ScanExpr>(expr), scope);
  case Expr::Kind::Error:
    break;
  }
  return {};
}

static Type builtinType(StringRef name) {
  return llvm::StringSwitch<Type>(name)
      .Case("training", Type::Bool)
      .Case("batch", Type::Int)
      .Cases({"inf", "pi"}, Type::Float)
      .Default(Type::Unknown);
}

/// What a name stands for, or null after a report.
const Symbol *Analysis::lookup(const NameExpr *name, Scope &scope) {
  if (auto known = program.symbols.find(name); known != program.symbols.end())
    return known->second;
  if (name->name == "_") {
    diags.report(diag::blank_value, name->range);
    return nullptr;
  }
  const Symbol *symbol = find(scope, name->name);
  if (!symbol && builtinType(name->name) != Type::Unknown) {
    Symbol builtin{Symbol::Kind::Builtin, name->name, Range()};
    symbol = context.make<Symbol>(builtin);
    symbolValues[symbol] = {builtinType(name->name)};
    preludeNames[name->name] = symbol;
  }
  if (symbol) {
    bind(name, symbol, name);
    return symbol;
  }
  auto report = diags.report(diag::unknown_name, name->range, name->name);
  suggest(report, name->range, name->name,
          visible(scope, [](const Symbol &) { return true; }));
  // The same unknown name again in one declaration has the same cause.
  if (currentDecl)
    report.cause(name->name + " " +
                 llvm::Twine(currentDecl->range.begin.offset));
  return nullptr;
}

Value Analysis::valueOf(const Symbol &symbol) {
  switch (symbol.kind) {
  case Symbol::Kind::Const:
  case Symbol::Kind::Option:
    resolveSetting(*cast<SettingDecl>(symbol.decl), *owners[&symbol]);
    break;
  case Symbol::Kind::Function:
    return {Type::Callable, symbol.function()};
  case Symbol::Kind::Dataset:
    return {Type::Dataset};
  case Symbol::Kind::Iterator:
    return {Type::Iterator};
  default:
    break;
  }
  return symbolValues.lookup(&symbol);
}

/// A function as a value. Each mention of a maker makes.
Value Analysis::mention(const NameExpr *name, const FunctionDecl &fn,
                        Scope &scope) {
  if (!fn.twoLists)
    return {Type::Callable, &fn};
  return make(name, fn, name->range, {}, scope);
}

Value Analysis::resolveName(const NameExpr *name, Scope &scope) {
  const Symbol *symbol = lookup(name, scope);
  if (!symbol)
    return {};
  if (const FunctionDecl *fn = symbol->function())
    return mention(name, *fn, scope);
  return valueOf(*symbol);
}

Value Analysis::resolveList(const ListExpr *list, Scope &scope) {
  Type element = Type::Unknown;
  for (const Expr *expr : list->elements) {
    Type type = resolve(expr, scope).type;
    bool widens = element == Type::Int && type == Type::Float;
    if (element == Type::Unknown || widens || type == Type::Callable)
      element = type;
  }
  if (element == Type::Callable)
    return {Type::Callable};
  return {Type::List, nullptr, nullptr, element};
}

Value Analysis::resolveIndex(const IndexExpr *index, Scope &scope) {
  Value base = resolve(index->base, scope);
  for (const Dim &dim : index->indices) {
    auto *name = llvm::dyn_cast_or_null<NameExpr>(dim.expr);
    bool isWholeAxis = name && name->name == "_";
    if (!dim.isRest() && !isWholeAxis)
      resolve(dim.expr, scope);
  }
  switch (base.type) {
  case Type::List:
    return {base.element};
  case Type::Tensor:
  case Type::Callable:
    return {base.type};
  case Type::Unknown:
    return {};
  default:
    diags.report(diag::not_indexable, index->range, describe(base.type));
    return {};
  }
}

/// The statement of a layer that a member names, however deep.
static const Stmt *findMember(const Block &block, StringRef name) {
  for (const Stmt *stmt : block.statements) {
    if (auto *param = llvm::dyn_cast<ParamStmt>(stmt))
      if (param->name.text == name)
        return stmt;
    if (auto *let = llvm::dyn_cast<LetStmt>(stmt))
      for (const Identifier &id : let->names)
        if (id.text == name)
          return stmt;
    auto *value = llvm::dyn_cast<ExprStmt>(stmt);
    auto *conditional = value ? llvm::dyn_cast<IfExpr>(value->expr) : nullptr;
    if (!conditional)
      continue;
    if (const Stmt *found = findMember(*conditional->thenBlock, name))
      return found;
    if (conditional->elseBlock)
      if (const Stmt *found = findMember(*conditional->elseBlock, name))
        return found;
  }
  return nullptr;
}

Value Analysis::resolveMember(const MemberExpr *member, Scope &scope) {
  Value base = resolve(member->base, scope);
  StringRef name = member->member.text;
  if (base.record) {
    NameList known;
    for (const RecordField &field : base.record->fields) {
      if (field.name.text == name)
        return valueOf(field.type);
      known.push_back(field.name.text);
    }
    suggest(diags.report(diag::unknown_member, member->member.range,
                         sources.text(member->base->range), name),
            member->member.range, name, known);
    return {};
  }
  if (base.type == Type::Callable && base.function && base.function->body) {
    const Stmt *found = findMember(*base.function->body, name);
    if (!found)
      diags
          .report(diag::unknown_member, member->member.range,
                  sources.text(member->base->range), name)
          .note(diag::declared_here, base.function->name.range,
                base.function->name.text);
    bool isTensor = found && llvm::isa<ParamStmt>(found);
    return {isTensor ? Type::Tensor : Type::Unknown};
  }
  bool mayHaveMembers = base.type == Type::Unknown ||
                        base.type == Type::Tensor ||
                        base.type == Type::Callable;
  if (!mayHaveMembers)
    diags.report(diag::unknown_member, member->member.range,
                 sources.text(member->base->range), name);
  return {};
}

static bool isArithmetic(BinaryOp op) {
  switch (op) {
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::And:
  case BinaryOp::Or:
    return false;
  default:
    return true;
  }
}

static bool isNumeric(Type type) {
  switch (type) {
  case Type::Unknown:
  case Type::Int:
  case Type::Float:
  case Type::Duration:
  case Type::Tensor:
    return true;
  default:
    return false;
  }
}

Value Analysis::resolveBinary(const BinaryExpr *binary, Scope &scope) {
  Value lhs = resolve(binary->lhs, scope);
  Value rhs = resolve(binary->rhs, scope);
  if (isArithmetic(binary->op))
    for (auto [expr, value] :
         {std::pair(binary->lhs, lhs), std::pair(binary->rhs, rhs)})
      if (!isNumeric(value.type)) {
        diags.report(diag::wrong_operand, expr->range, spelling(binary->op),
                     describe(value.type));
        return {};
      }
  auto either = [&](Type type) { return lhs.type == type || rhs.type == type; };
  if (binary->op == BinaryOp::Range)
    return {Type::List, nullptr, nullptr, Type::Int};
  if (either(Type::Tensor))
    return {Type::Tensor};
  if (binary->op >= BinaryOp::Eq && binary->op <= BinaryOp::Or)
    return {Type::Bool};
  if (either(Type::Unknown))
    return {};
  // A quotient of durations is a number; anything else of one is one.
  if (either(Type::Duration))
    return {lhs.type == rhs.type && binary->op == BinaryOp::Div
                ? Type::Float
                : Type::Duration};
  return {either(Type::Float) ? Type::Float : Type::Int};
}

void Analysis::resolveCondition(const Expr *condition, Scope &scope) {
  Value value = resolve(condition, scope);
  structuralUses.push_back({condition, scope.function});
  if (value.type == Type::Tensor)
    diags.report(diag::if_on_tensor, condition->range).hint(diag::use_where);
}

Value Analysis::resolveIf(const IfExpr *conditional, Scope &scope) {
  resolveCondition(conditional->condition, scope);
  Value then = resolveBlock(*conditional->thenBlock, scope, true);
  if (!conditional->elseBlock) {
    diags.report(diag::if_without_else, {conditional->range.begin,
                                         conditional->range.begin.advanced(2)});
    return {};
  }
  Value otherwise = resolveBlock(*conditional->elseBlock, scope, true);
  if (then.type == otherwise.type)
    return {then.type,
            then.function == otherwise.function ? then.function : nullptr};
  bool anyTensor = then.type == Type::Tensor || otherwise.type == Type::Tensor;
  return {anyTensor ? Type::Tensor : Type::Unknown};
}

/// Labels are names of their own; only operands are resolved.
Value Analysis::resolveEinsum(const EinsumExpr *einsum, Scope &scope) {
  NameList labels;
  bool hasRest = false;
  for (const EinsumFactor &factor : einsum->factors) {
    resolve(factor.operand, scope);
    for (const Dim &label : factor.labels) {
      auto *name = llvm::dyn_cast_or_null<NameExpr>(label.expr);
      if (name)
        labels.push_back(name->name);
      else if (!label.isRest())
        diags.report(diag::einsum_label, label.range);
      hasRest |= label.isRest();
    }
  }
  for (const Dim &label : einsum->result) {
    auto *name = llvm::dyn_cast_or_null<NameExpr>(label.expr);
    bool isKnown = label.isRest()
                       ? hasRest
                       : name && llvm::is_contained(labels, name->name);
    if (!label.isRest() && !name)
      diags.report(diag::einsum_label, label.range);
    else if (!isKnown)
      diags.report(diag::einsum_unknown_label, label.range,
                   sources.text(label.range));
  }
  return {Type::Tensor};
}
