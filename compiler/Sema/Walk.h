//===- Walk.h - the names in an expression ----------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SEMA_WALK_H
#define DPL_COMPILER_SEMA_WALK_H

#include "compiler/Syntax/AST.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace dpl {

/// Calls `visit` for every name in an expression, in the source's order; not
/// for einsum labels, not inside of blocks, and not inside of expressions that
/// `enters` refuses.
void walkNames(const Expr *expr, llvm::function_ref<bool(const Expr *)> enters,
               llvm::function_ref<void(const NameExpr *)> visit);

} // namespace dpl

#endif // DPL_COMPILER_SEMA_WALK_H
