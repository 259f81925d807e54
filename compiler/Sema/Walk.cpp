//===- Walk.cpp - the names in an expression ------------------------------===//

#include "compiler/Sema/Walk.h"

using namespace dpl;
using llvm::cast;

void dpl::walkNames(const Expr *expr,
                    llvm::function_ref<bool(const Expr *)> enters,
                    llvm::function_ref<void(const NameExpr *)> visit) {
  if (!expr || !enters(expr))
    return;
  auto walk = [&](const Expr *inner) { walkNames(inner, enters, visit); };
  switch (expr->kind) {
  case Expr::Kind::Name:
    return visit(cast<NameExpr>(expr));
  case Expr::Kind::List:
    for (const Expr *element : cast<ListExpr>(expr)->elements)
      walk(element);
    return;
  case Expr::Kind::Comprehension:
    walk(cast<ComprehensionExpr>(expr)->element);
    walk(cast<ComprehensionExpr>(expr)->sequence);
    return walk(cast<ComprehensionExpr>(expr)->condition);
  case Expr::Kind::Record:
    for (const Argument &field : cast<RecordExpr>(expr)->fields)
      walk(field.value);
    return;
  case Expr::Kind::Einsum:
    for (const EinsumFactor &factor : cast<EinsumExpr>(expr)->factors)
      walk(factor.operand);
    return;
  case Expr::Kind::Call:
    walk(cast<CallExpr>(expr)->callee);
    for (const Argument &arg : cast<CallExpr>(expr)->arguments)
      walk(arg.value);
    return;
  case Expr::Kind::Index:
    walk(cast<IndexExpr>(expr)->base);
    for (const Dim &dim : cast<IndexExpr>(expr)->indices)
      walk(dim.expr);
    return;
  case Expr::Kind::Member:
    return walk(cast<MemberExpr>(expr)->base);
  case Expr::Kind::Unary:
    return walk(cast<UnaryExpr>(expr)->operand);
  case Expr::Kind::Binary:
    walk(cast<BinaryExpr>(expr)->lhs);
    return walk(cast<BinaryExpr>(expr)->rhs);
  case Expr::Kind::Pipe:
    walk(cast<PipeExpr>(expr)->value);
    return walk(cast<PipeExpr>(expr)->stage);
  case Expr::Kind::If:
    return walk(cast<IfExpr>(expr)->condition);
  case Expr::Kind::Scan:
    return walk(cast<ScanExpr>(expr)->sequence);
  case Expr::Kind::Number:
  case Expr::Kind::Quantity:
  case Expr::Kind::String:
  case Expr::Kind::Bool:
  case Expr::Kind::Error:
    return;
  }
}
