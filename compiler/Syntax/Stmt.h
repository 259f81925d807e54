//===- Stmt.h - statements and types of the syntax tree ---------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_STMT_H
#define DPL_COMPILER_SYNTAX_STMT_H

#include "compiler/Syntax/Expr.h"

namespace dpl {

/// One `name: type` of a record type.
struct RecordField {
  Identifier name;
  TypeNode *type;
};

/// A type as written.
struct TypeNode {
  enum class Kind { Named, Record };
  const Kind kind;
  Range range;

protected:
  TypeNode(Kind kind, Range range) : kind(kind), range(range) {}
};

/// `f32[c, ..]`, `class(n)?[t]`, `int[2]`, `train | test`, `schedule`.
struct NamedType : TypeNode {
  Identifier name;
  Expr *argument;                          ///< `n` of `class(n)`, or null
  llvm::ArrayRef<Identifier> alternatives; ///< the members behind the first
  bool optional;                           ///< `?`: class or ignored
  bool hasDims;                            ///< `f32[]` differs from `f32`
  llvm::ArrayRef<Dim> dims;

  NamedType(Range range, Identifier name, Expr *argument,
            llvm::ArrayRef<Identifier> alternatives, bool optional,
            bool hasDims, llvm::ArrayRef<Dim> dims)
      : TypeNode(Kind::Named, range), name(name), argument(argument),
        alternatives(alternatives), optional(optional), hasDims(hasDims),
        dims(dims) {}

  bool isClosedSet() const { return !alternatives.empty(); }
  static bool classof(const TypeNode *t) { return t->kind == Kind::Named; }
};

/// `(x: f32[8], y: f32)`.
struct RecordType : TypeNode {
  llvm::ArrayRef<RecordField> fields;

  RecordType(Range range, llvm::ArrayRef<RecordField> fields)
      : TypeNode(Kind::Record, range), fields(fields) {}
  static bool classof(const TypeNode *t) { return t->kind == Kind::Record; }
};

struct Stmt {
  enum class Kind { Let, Param, For, Assign, Expr };
  const Kind kind;
  Range range;

protected:
  Stmt(Kind kind, Range range) : kind(kind), range(range) {}
};

/// Statements in braces. Its value is its last statement if that is an
/// ExprStmt. A body `= expr` is a block with one statement and no braces.
struct Block {
  Range range;
  llvm::ArrayRef<Stmt *> statements;
  bool braces = true;

  /// The expression that gives the block its value, or null.
  Expr *result() const;
};

/// `let a, b: type = value`, and `var`.
struct LetStmt : Stmt {
  bool isVar;
  llvm::ArrayRef<Identifier> names; ///< several: the value is a list
  TypeNode *type;                   ///< or null
  Expr *value;

  LetStmt(Range range, bool isVar, llvm::ArrayRef<Identifier> names,
          TypeNode *type, Expr *value)
      : Stmt(Kind::Let, range), isVar(isVar), names(names), type(type),
        value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Let; }
};

/// `param name: type = init as role`, and `state`.
struct ParamStmt : Stmt {
  bool isState;
  Identifier name;
  TypeNode *type;
  Expr *init;
  Identifier role; ///< empty if there is none
  llvm::StringRef doc;

  ParamStmt(Range range, bool isState, Identifier name, TypeNode *type,
            Expr *init, Identifier role, llvm::StringRef doc)
      : Stmt(Kind::Param, range), isState(isState), name(name), type(type),
        init(init), role(role), doc(doc) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Param; }
};

/// `for variable in sequence { .. }`.
struct ForStmt : Stmt {
  Identifier variable;
  Expr *sequence;
  Block *body;

  ForStmt(Range range, Identifier variable, Expr *sequence, Block *body)
      : Stmt(Kind::For, range), variable(variable), sequence(sequence),
        body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::For; }
};

/// `name = value`, for a `var`, a `state` or a carry.
struct AssignStmt : Stmt {
  Identifier name;
  Expr *value;

  AssignStmt(Range range, Identifier name, Expr *value)
      : Stmt(Kind::Assign, range), name(name), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assign; }
};

/// The result of a block, or an `if` anywhere in it.
struct ExprStmt : Stmt {
  Expr *expr;

  ExprStmt(Range range, Expr *expr) : Stmt(Kind::Expr, range), expr(expr) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Expr; }
};

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_STMT_H
