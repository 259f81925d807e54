//===- Structural.cpp - options where only a const can stand --------------===//
//
// What decides a shape, a loop or a branch must be known at compile time. A
// parameter is structural if its function uses it so, or passes it to a
// structural parameter. An option that reaches such a place is reported where
// it is passed, with a note at the use.
//
//===----------------------------------------------------------------------===//

#include "compiler/Sema/Analysis.h"
#include "compiler/Sema/Walk.h"

using namespace dpl;

namespace {

/// Follows names to the options and parameters that an expression depends on.
class Dependences {
public:
  explicit Dependences(const Program &program) : program(program) {}

  llvm::SmallVector<std::pair<const NameExpr *, const Symbol *>> found;

  void add(const Expr *expr) {
    walkNames(
        expr, [&](const Expr *e) { return !asksForShape(e); },
        [&](const NameExpr *name) { add(name); });
  }

private:
  /// A primitive that gives integers, such as `shape(x)`: they depend on the
  /// shape of what it is given, not on its value.
  bool asksForShape(const Expr *expr) const {
    const Call *call = program.call(expr);
    const FunctionDecl *fn = call ? call->function : nullptr;
    auto *result = fn ? llvm::dyn_cast_or_null<NamedType>(fn->result) : nullptr;
    return fn && fn->isExtern && result && result->name.text == "int";
  }

  void add(const NameExpr *name) {
    const Symbol *symbol = program.symbol(name);
    if (!symbol || !seen.insert(symbol).second)
      return;
    switch (symbol->kind) {
    case Symbol::Kind::Option:
    case Symbol::Kind::Setting:
    case Symbol::Kind::Data:
      found.push_back({name, symbol});
      return;
    case Symbol::Kind::Let:
      return add(llvm::cast<LetStmt>(symbol->stmt)->value);
    default:
      return;
    }
  }

  const Program &program;
  llvm::DenseSet<const Symbol *> seen;
};

} // namespace

/// Whether a parameter of a declaration without a body decides structure:
/// counts, axes, switches; and all that an iterator is made of.
static bool isStructuralExtern(const FunctionDecl &fn, Value value,
                               const Parameter &parameter) {
  if (fn.functionKind == FunctionKind::Reader) {
    auto *result = llvm::dyn_cast_or_null<NamedType>(fn.result);
    return result && result->name.text == "iterator";
  }
  switch (value.type) {
  case Type::Int:
  case Type::Bool:
  case Type::Member:
    return true;
  case Type::List:
    return value.element == Type::Int;
  default:
    return false;
  }
}

void Analysis::checkStructural() {
  llvm::DenseMap<const Parameter *, Range> structural;
  auto depends = [&](const Expr *expr, Range use, bool isOption) {
    bool changed = false;
    Dependences dependences(program);
    dependences.add(expr);
    for (auto [name, symbol] : dependences.found) {
      // What is a tensor has no value at compile time anyway.
      if (valueOf(*symbol).type == Type::Tensor)
        continue;
      if (symbol->kind != Symbol::Kind::Option)
        changed |= structural.try_emplace(symbol->parameter, use).second;
      else if (isOption && !diags.hasErrorIn(name->range))
        diags.report(diag::option_structural, name->range, name->name)
            .note(diag::structural_use, use)
            .note(diag::declared_here, symbol->range, name->name)
            .hint(diag::make_const, name->name);
    }
    return changed;
  };

  for (const Symbol *symbol : locals) {
    bool isParameter = symbol->parameter && symbol->owner;
    if (isParameter && symbol->owner->isExtern &&
        isStructuralExtern(*symbol->owner, valueOf(*symbol),
                           *symbol->parameter))
      structural.try_emplace(symbol->parameter, symbol->range);
  }
  for (const StructuralUse &use : structuralUses)
    depends(use.expr, use.expr->range, false);

  // Passing a parameter on makes it structural, too, until nothing changes.
  auto visitCalls = [&](bool isOption) {
    bool changed = false;
    for (const Call *call : allCalls)
      for (auto list : {call->settings, call->data})
        for (const BoundArgument &arg : list) {
          auto use = structural.find(arg.parameter);
          if (!arg.value || use == structural.end())
            continue;
          Range place = use->second;
          changed |= depends(arg.value, place, isOption);
        }
    return changed;
  };
  while (visitCalls(false))
    ;
  for (const StructuralUse &use : structuralUses)
    depends(use.expr, use.expr->range, true);
  visitCalls(true);

  for (const SettingDecl *decl : program.allSettings) {
    if (decl->isOption)
      continue;
    Dependences dependences(program);
    dependences.add(decl->value);
    for (auto [name, symbol] : dependences.found)
      if (symbol->kind == Symbol::Kind::Option)
        diags
            .report(diag::option_in_const, name->range, name->name,
                    decl->name.text)
            .note(diag::declared_here, symbol->range, name->name);
  }
}
