//===- AST.cpp - small facts about the syntax tree ------------------------===//

#include "compiler/Syntax/AST.h"

#include "llvm/Support/Casting.h"

using namespace dpl;
using llvm::StringRef;

StringRef dpl::unitName(Unit unit) {
  switch (unit) {
  case Unit::Epoch:
    return "epoch";
  case Unit::Iteration:
    return "iteration";
  case Unit::Second:
    return "second";
  case Unit::Minute:
    return "minute";
  case Unit::Hour:
    return "hour";
  }
  return "";
}

StringRef dpl::spelling(BinaryOp op) {
  static constexpr llvm::StringLiteral spellings[] = {
      "+", "-",  "*", "/",  "%",   "**", "==", "!=",
      "<", "<=", ">", ">=", "and", "or", ".."};
  return spellings[static_cast<size_t>(op)];
}

StringRef dpl::keyword(FunctionKind kind) {
  static constexpr llvm::StringLiteral words[] = {"layer", "fn", "optimizer",
                                                  "reader", "model"};
  return words[static_cast<size_t>(kind)];
}

StringRef dpl::keyword(ClauseWord word) {
  static constexpr llvm::StringLiteral words[] = {"on", "from", "except"};
  return words[static_cast<size_t>(word)];
}

Range Argument::range() const { return Range::join(name.range, value->range); }

Range Parameter::range() const {
  Range range = name.range;
  if (type)
    range = Range::join(range, type->range);
  return defaultValue ? Range::join(range, defaultValue->range) : range;
}

Expr *Block::result() const {
  if (statements.empty())
    return nullptr;
  auto *last = llvm::dyn_cast<ExprStmt>(statements.back());
  return last ? last->expr : nullptr;
}

Identifier dpl::nameOf(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::Setting:
    return llvm::cast<SettingDecl>(decl).name;
  case Decl::Kind::Dataset:
    return llvm::cast<DatasetDecl>(decl).name;
  case Decl::Kind::Iterator:
    return llvm::cast<IteratorDecl>(decl).name;
  case Decl::Kind::Function:
    return llvm::cast<FunctionDecl>(decl).name;
  case Decl::Kind::Import:
  case Decl::Kind::Train:
    break;
  }
  return {};
}
