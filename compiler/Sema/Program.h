//===- Program.h - what Sema knows about a program --------------*- C++ -*-===//
//
// The syntax trees stay as they are; a Program says for each name what it
// stands for, for each call what is called with which arguments, and what the
// pipeline and the training are made of. Later phases look up no name again.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SEMA_PROGRAM_H
#define DPL_COMPILER_SEMA_PROGRAM_H

#include "compiler/Sema/Pipeline.h"
#include "compiler/Sema/Symbol.h"
#include "compiler/Syntax/AST.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <memory>
#include <vector>

namespace dpl {

/// One parameter of a call with what the call gives it.
struct BoundArgument {
  const Parameter *parameter; ///< null if the callee's list is not known
  const Expr *value;          ///< null: the parameter's default
  /// The values of a variadic parameter (`keys: log_key[..]`); `value` is null.
  llvm::ArrayRef<const Expr *> variadic;
};

/// What a CallExpr, a PipeExpr or the bare name of a maker does.
struct Call {
  enum class Kind {
    /// `function` runs on `settings` and `data`: `relu(x)`, `linear(10)(x)`,
    /// `x |> linear(10)`, `x |> batch_norm`. A layer gets a new instance.
    Run,
    /// A two-list function with its settings only; the result is a value that
    /// waits for its data: `linear(10)`, or `batch_norm` in a list of layers.
    Make,
    /// The value of `callee` (a layer, a function, a list of layers) runs on
    /// `data`: `conv1(x)`, `x |> blocks`. `function` may still be known.
    Apply,
  };
  Kind kind;
  const FunctionDecl *function;           ///< null only if Apply
  const Expr *callee;                     ///< null unless Apply
  llvm::ArrayRef<BoundArgument> settings; ///< in the order of the first list
  llvm::ArrayRef<BoundArgument> data;     ///< in the order of the last list
};

/// The result of Sema. Owned trees, symbols and calls live as long as it.
class Program {
public:
  Program() : context(std::make_unique<ASTContext>()) {}
  Program(const Program &) = delete;

  /// The declarations of the prelude, of imported files and of the user's
  /// file, in this order. Of imported files only what `import` brings.
  llvm::ArrayRef<const Decl *> decls() const { return allDecls; }

  /// A declaration of the prelude or of the user by its name, or null. For
  /// primitives that a later phase needs by itself.
  const Decl *lookup(llvm::StringRef name) const;

  /// What a use of a name stands for. Null only for `_` and einsum labels.
  const Symbol *symbol(const NameExpr *name) const;
  /// The variable, state or carry that a statement assigns to.
  const Symbol *symbol(const AssignStmt *stmt) const;
  /// The symbol that a name in its declaring node introduces: `decl->name`,
  /// `parameter.name`, `let->names[i]`, `loop->variable`, `carry.name`, ..
  /// Null for `_`.
  const Symbol *symbol(const Identifier &declared) const;

  /// What a CallExpr or a PipeExpr does. For a NameExpr: the Make of a
  /// two-list function whose settings are dropped, or null. Null, too, for the
  /// CallExpr that is the stage of a pipe or the callee of a call and has been
  /// taken into that pipe's or call's own entry.
  const Call *call(const Expr *expr) const;

  /// Data sets, iterators and trainings of the user's file, in its order.
  llvm::ArrayRef<const Dataset *> datasets() const { return allDatasets; }
  llvm::ArrayRef<const Iterator *> iterators() const { return allIterators; }
  llvm::ArrayRef<const Training *> trainings() const { return allTrainings; }
  const Dataset *dataset(const DatasetDecl *decl) const;
  const Iterator *iterator(const IteratorDecl *decl) const;

  /// Options and consts that the user's file or its imports declare.
  llvm::ArrayRef<const SettingDecl *> settings() const { return allSettings; }

private:
  friend class Analysis;

  std::unique_ptr<ASTContext> context;
  std::vector<const Decl *> allDecls;
  std::vector<const SettingDecl *> allSettings;
  std::deque<Dataset> ownDatasets;
  std::deque<Iterator> ownIterators;
  std::deque<Training> ownTrainings;
  std::vector<const Dataset *> allDatasets;
  std::vector<const Iterator *> allIterators;
  std::vector<const Training *> allTrainings;
  llvm::DenseMap<const void *, const Symbol *> symbols;
  llvm::DenseMap<const Expr *, const Call *> calls;
  llvm::StringMap<const Decl *> byName;
};

} // namespace dpl

#endif // DPL_COMPILER_SEMA_PROGRAM_H
