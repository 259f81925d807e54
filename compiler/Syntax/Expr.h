//===- Expr.h - expressions of the syntax tree ------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_EXPR_H
#define DPL_COMPILER_SYNTAX_EXPR_H

#include "compiler/Support/Source.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace dpl {

struct Block;
struct Expr;
struct TypeNode;

/// A name at its place. An empty text means that there is none.
struct Identifier {
  llvm::StringRef text;
  Range range;

  explicit operator bool() const { return !text.empty(); }
};

/// `value` or `name: value` in a call, and in an entry of `train`.
struct Argument {
  Identifier name; ///< empty if positional
  Expr *value;

  Range range() const; ///< with the name
};

/// One of `[ .. ]`: `..` (expr is null) or an expression. `_` is a NameExpr.
struct Dim {
  Range range;
  Expr *expr;

  bool isRest() const { return !expr; }
};

/// What an identifier may be written as when it is followed by a number.
enum class Unit { Epoch, Iteration, Second, Minute, Hour };

/// The unit's name in the singular.
llvm::StringRef unitName(Unit unit);

struct Expr {
  enum class Kind {
    Number,
    Quantity,
    String,
    Bool,
    Name,
    List,
    Comprehension,
    Record,
    Einsum,
    Call,
    Index,
    Member,
    Unary,
    Binary,
    Pipe,
    If,
    Scan,
    Error,
  };
  const Kind kind;
  /// In round brackets in the source; they are part of the range.
  bool parenthesized = false;
  Range range;

protected:
  Expr(Kind kind, Range range) : kind(kind), range(range) {}
};

/// `28`, `50_304`, `0.1`, `1e-3`.
struct NumberExpr : Expr {
  llvm::StringRef spelling;
  bool isInteger;
  int64_t integer; ///< meaningful for integers
  double real;     ///< always meaningful

  NumberExpr(Range range, llvm::StringRef spelling, int64_t integer)
      : Expr(Kind::Number, range), spelling(spelling), isInteger(true),
        integer(integer), real(static_cast<double>(integer)) {}
  NumberExpr(Range range, llvm::StringRef spelling, double real)
      : Expr(Kind::Number, range), spelling(spelling), isInteger(false),
        integer(0), real(real) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Number; }
};

/// `10 epochs`.
struct QuantityExpr : Expr {
  NumberExpr *number;
  Unit unit;

  QuantityExpr(Range range, NumberExpr *number, Unit unit)
      : Expr(Kind::Quantity, range), number(number), unit(unit) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Quantity; }
};

/// A string with its escapes replaced.
struct StringExpr : Expr {
  llvm::StringRef value;

  StringExpr(Range range, llvm::StringRef value)
      : Expr(Kind::String, range), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::String; }
};

struct BoolExpr : Expr {
  bool value;

  BoolExpr(Range range, bool value) : Expr(Kind::Bool, range), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Bool; }
};

/// A use of a name; `_` too.
struct NameExpr : Expr {
  llvm::StringRef name;

  NameExpr(Range range, llvm::StringRef name)
      : Expr(Kind::Name, range), name(name) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Name; }
};

/// `[a, b]`.
struct ListExpr : Expr {
  llvm::ArrayRef<Expr *> elements;

  ListExpr(Range range, llvm::ArrayRef<Expr *> elements)
      : Expr(Kind::List, range), elements(elements) {}
  static bool classof(const Expr *e) { return e->kind == Kind::List; }
};

/// `[element for variable in sequence if condition]`.
struct ComprehensionExpr : Expr {
  Expr *element;
  Identifier variable;
  Expr *sequence;
  Expr *condition; ///< null if there is none

  ComprehensionExpr(Range range, Expr *element, Identifier variable,
                    Expr *sequence, Expr *condition)
      : Expr(Kind::Comprehension, range), element(element), variable(variable),
        sequence(sequence), condition(condition) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Comprehension; }
};

/// `(a: x, b: y)`; each argument has a name.
struct RecordExpr : Expr {
  llvm::ArrayRef<Argument> fields;

  RecordExpr(Range range, llvm::ArrayRef<Argument> fields)
      : Expr(Kind::Record, range), fields(fields) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Record; }
};

/// One factor of an einsum: an operand and the labels of its axes.
struct EinsumFactor {
  Expr *operand;
  llvm::ArrayRef<Dim> labels;
  Range range;
};

/// `einsum(a[i, k] * b[k, j] -> [i, j])`.
struct EinsumExpr : Expr {
  llvm::ArrayRef<EinsumFactor> factors;
  llvm::ArrayRef<Dim> result;

  EinsumExpr(Range range, llvm::ArrayRef<EinsumFactor> factors,
             llvm::ArrayRef<Dim> result)
      : Expr(Kind::Einsum, range), factors(factors), result(result) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Einsum; }
};

/// `callee(arguments)`.
struct CallExpr : Expr {
  Expr *callee;
  llvm::ArrayRef<Argument> arguments;

  CallExpr(Range range, Expr *callee, llvm::ArrayRef<Argument> arguments)
      : Expr(Kind::Call, range), callee(callee), arguments(arguments) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Call; }
};

/// `base[i, .., _]`.
struct IndexExpr : Expr {
  Expr *base;
  llvm::ArrayRef<Dim> indices;

  IndexExpr(Range range, Expr *base, llvm::ArrayRef<Dim> indices)
      : Expr(Kind::Index, range), base(base), indices(indices) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Index; }
};

/// `base.member`.
struct MemberExpr : Expr {
  Expr *base;
  Identifier member;

  MemberExpr(Range range, Expr *base, Identifier member)
      : Expr(Kind::Member, range), base(base), member(member) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Member; }
};

enum class UnaryOp { Negate, Not };

struct UnaryExpr : Expr {
  UnaryOp op;
  Expr *operand;

  UnaryExpr(Range range, UnaryOp op, Expr *operand)
      : Expr(Kind::Unary, range), op(op), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Unary; }
};

/// `Range` is the half-open `lo..hi`; all comparisons lie from Eq to Ge.
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Pow,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Range,
};

/// The operator as it is written.
llvm::StringRef spelling(BinaryOp op);

struct BinaryExpr : Expr {
  BinaryOp op;
  Range opRange;
  Expr *lhs;
  Expr *rhs;

  BinaryExpr(Range range, BinaryOp op, Range opRange, Expr *lhs, Expr *rhs)
      : Expr(Kind::Binary, range), op(op), opRange(opRange), lhs(lhs),
        rhs(rhs) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Binary; }
};

/// `value |> stage`. A chain leans to the left.
struct PipeExpr : Expr {
  Expr *value;
  Expr *stage; ///< a postfix expression: a name, a call, a member, ..

  PipeExpr(Range range, Expr *value, Expr *stage)
      : Expr(Kind::Pipe, range), value(value), stage(stage) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Pipe; }
};

/// `if c { .. } else { .. }`. An `else if` is a block with one IfExpr.
struct IfExpr : Expr {
  Expr *condition;
  Block *thenBlock;
  Block *elseBlock; ///< null if there is none

  IfExpr(Range range, Expr *condition, Block *thenBlock, Block *elseBlock)
      : Expr(Kind::If, range), condition(condition), thenBlock(thenBlock),
        elseBlock(elseBlock) {}
  static bool classof(const Expr *e) { return e->kind == Kind::If; }
};

/// One `name = start` of a `scan`'s carries.
struct Carry {
  Identifier name;
  Expr *start;
};

/// `scan variable in sequence carry h = a, c = b { .. }`.
struct ScanExpr : Expr {
  Identifier variable;
  Expr *sequence;
  llvm::ArrayRef<Carry> carries;
  Block *body;

  ScanExpr(Range range, Identifier variable, Expr *sequence,
           llvm::ArrayRef<Carry> carries, Block *body)
      : Expr(Kind::Scan, range), variable(variable), sequence(sequence),
        carries(carries), body(body) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Scan; }
};

/// Stands where a syntax error was reported; no file with one reaches Import.
struct ErrorExpr : Expr {
  explicit ErrorExpr(Range range) : Expr(Kind::Error, range) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Error; }
};

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_EXPR_H
