//===- AST.h - the syntax tree of a .dpl file -------------------*- C++ -*-===//
//
// The tree as the grammar of docs/language.md gives it: no name is resolved.
// Nodes are plain structs in the arena of an ASTContext; they hold no memory
// of their own and are never destroyed one by one. Every node has the range of
// its text. `llvm::isa/cast/dyn_cast` work on each of the four hierarchies
// (Expr, TypeNode, Stmt, Decl and the entries of a `train`).
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SYNTAX_AST_H
#define DPL_COMPILER_SYNTAX_AST_H

#include "compiler/Support/Source.h"
#include "compiler/Syntax/Decl.h"
#include "compiler/Syntax/Expr.h"
#include "compiler/Syntax/Stmt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/StringSaver.h"

#include <type_traits>

namespace dpl {

/// The arena of one or more syntax trees. Equal strings share one text.
class ASTContext {
public:
  ASTContext() : strings(allocator) {}
  ASTContext(const ASTContext &) = delete;

  /// A node in the arena, initialised as an aggregate or by its constructor.
  template <typename T, typename... Args> T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocator.Allocate<T>()) T{std::forward<Args>(args)...};
  }

  /// A copy of a list in the arena.
  template <typename T> llvm::ArrayRef<T> list(llvm::ArrayRef<T> from) {
    static_assert(std::is_trivially_destructible_v<T>);
    T *to = allocator.Allocate<T>(from.size());
    std::uninitialized_copy(from.begin(), from.end(), to);
    return {to, from.size()};
  }

  llvm::StringRef string(llvm::StringRef text) { return strings.save(text); }

private:
  llvm::BumpPtrAllocator allocator;
  llvm::UniqueStringSaver strings;
};

/// A `//` comment; the printer puts it back.
struct Comment {
  Range range;
  llvm::StringRef text; ///< with the slashes, without the line's end
  bool ownLine;         ///< nothing but blanks before it on its line
};

/// A parsed buffer.
struct SourceFile {
  const SourceBuffer *buffer;
  llvm::ArrayRef<Decl *> decls;
  llvm::ArrayRef<Comment> comments;
};

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_AST_H
