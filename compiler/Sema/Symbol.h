//===- Symbol.h - what a name stands for ------------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SEMA_SYMBOL_H
#define DPL_COMPILER_SEMA_SYMBOL_H

#include "compiler/Syntax/AST.h"

#include "llvm/Support/Casting.h"

namespace dpl {

/// One thing that names refer to. Symbols are unique: two names mean the same
/// exactly if their symbols have the same address.
struct Symbol {
  enum class Kind {
    // Declarations of a file.
    Const,
    Option,
    Dataset,
    Iterator,
    Function, ///< every FunctionDecl: layer, fn, optimizer, reader, model
    // Names of a function.
    Setting, ///< a parameter of the first of two lists
    Data,    ///< a parameter of the last list
    Size,    ///< a name in the types of the data list: `n` of `f32[.., n]`
    // Names of a block.
    Let,
    Var,
    Param,
    State,
    Carry,    ///< of a scan
    Variable, ///< of a `for`, a comprehension or a scan
    // Names with a meaning of their own.
    Builtin, ///< `training`, `batch`, `inf`, `pi`
    Member,  ///< of a closed set: `train` in `split: train`
    Field,   ///< of the batch that a training reads; of a data set
    Output,  ///< `out` in a training
  };
  Kind kind;
  llvm::StringRef name;
  Range range;        ///< where it is declared; invalid for Builtin and Output
  unsigned index = 0; ///< of a parameter, a let name, a carry in its list

  // The node that declares it; the one of its kind is set.
  const Decl *decl = nullptr;           ///< of Const .. Function
  const FunctionDecl *owner = nullptr;  ///< of Setting, Data and Size
  const Parameter *parameter = nullptr; ///< of Setting and Data
  const Stmt *stmt = nullptr;           ///< of Let .. State, and `for`
  const Expr *expr = nullptr; ///< ScanExpr or ComprehensionExpr of Carry and
                              ///< Variable

  const FunctionDecl *function() const {
    return kind == Kind::Function ? llvm::cast<FunctionDecl>(decl) : nullptr;
  }
};

/// The words for a symbol's kind in a message: "const", "data set", ..
llvm::StringRef describe(const Symbol &symbol);

} // namespace dpl

#endif // DPL_COMPILER_SEMA_SYMBOL_H
