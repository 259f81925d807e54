//===- Program.cpp - what Sema knows about a program ----------------------===//

#include "compiler/Sema/Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace dpl;
using llvm::StringRef;

StringRef dpl::describe(const Symbol &symbol) {
  switch (symbol.kind) {
  case Symbol::Kind::Const:
    return "const";
  case Symbol::Kind::Option:
    return "option";
  case Symbol::Kind::Dataset:
    return "data set";
  case Symbol::Kind::Iterator:
    return "iterator";
  case Symbol::Kind::Function:
    return keyword(symbol.function()->functionKind);
  case Symbol::Kind::Setting:
  case Symbol::Kind::Data:
    return "parameter";
  case Symbol::Kind::Size:
    return "size";
  case Symbol::Kind::Let:
    return "let";
  case Symbol::Kind::Var:
    return "var";
  case Symbol::Kind::Param:
    return "param";
  case Symbol::Kind::State:
    return "state";
  case Symbol::Kind::Carry:
    return "carry";
  case Symbol::Kind::Variable:
    return "loop variable";
  case Symbol::Kind::Builtin:
    return "predefined name";
  case Symbol::Kind::Member:
    return "member of a set";
  case Symbol::Kind::Field:
    return "field";
  case Symbol::Kind::Output:
    return "model's result";
  }
  return "";
}

const Decl *Program::lookup(StringRef name) const {
  return byName.lookup(name);
}

const Symbol *Program::symbol(const NameExpr *name) const {
  return symbols.lookup(name);
}

const Symbol *Program::symbol(const AssignStmt *stmt) const {
  return symbols.lookup(stmt);
}

const Symbol *Program::symbol(const Identifier &declared) const {
  return symbols.lookup(&declared);
}

const Call *Program::call(const Expr *expr) const { return calls.lookup(expr); }

const Dataset *Program::dataset(const DatasetDecl *decl) const {
  auto it = llvm::find_if(
      allDatasets, [&](const Dataset *set) { return set->decl == decl; });
  return it == allDatasets.end() ? nullptr : *it;
}

const Iterator *Program::iterator(const IteratorDecl *decl) const {
  auto it = llvm::find_if(allIterators,
                          [&](const Iterator *i) { return i->decl == decl; });
  return it == allIterators.end() ? nullptr : *it;
}
