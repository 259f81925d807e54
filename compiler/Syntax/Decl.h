//===- Decl.h - declarations of the syntax tree -----------------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_DECL_H
#define DPL_COMPILER_SYNTAX_DECL_H

#include "compiler/Syntax/Stmt.h"

#include <optional>

namespace dpl {

struct Decl {
  enum class Kind { Import, Setting, Dataset, Iterator, Function, Train };
  const Kind kind;
  Range range;
  llvm::StringRef doc; ///< the text of the `///` lines, joined by newlines

protected:
  Decl(Kind kind, Range range, llvm::StringRef doc)
      : kind(kind), range(range), doc(doc) {}
};

/// `import "file.dpl"`.
struct ImportDecl : Decl {
  StringExpr *path;

  ImportDecl(Range range, llvm::StringRef doc, StringExpr *path)
      : Decl(Kind::Import, range, doc), path(path) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Import; }
};

/// `const name: type = value "help"`, and `option`.
struct SettingDecl : Decl {
  bool isOption;
  Identifier name;
  TypeNode *type; ///< or null
  Expr *value;
  StringExpr *help; ///< or null

  SettingDecl(Range range, llvm::StringRef doc, bool isOption, Identifier name,
              TypeNode *type, Expr *value, StringExpr *help)
      : Decl(Kind::Setting, range, doc), isOption(isOption), name(name),
        type(type), value(value), help(help) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Setting; }
};

/// `dataset name: (x: f32[8], y: f32) = value`.
struct DatasetDecl : Decl {
  Identifier name;
  RecordType *type; ///< or null
  Expr *value;

  DatasetDecl(Range range, llvm::StringRef doc, Identifier name,
              RecordType *type, Expr *value)
      : Decl(Kind::Dataset, range, doc), name(name), type(type), value(value) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Dataset; }
};

/// `iterator name = value`.
struct IteratorDecl : Decl {
  Identifier name;
  Expr *value;

  IteratorDecl(Range range, llvm::StringRef doc, Identifier name, Expr *value)
      : Decl(Kind::Iterator, range, doc), name(name), value(value) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Iterator; }
};

/// One parameter of a function's list.
struct Parameter {
  Identifier name;
  TypeNode *type;     ///< or null
  Expr *defaultValue; ///< or null
  llvm::StringRef doc;

  Range range() const; ///< from the name to the end of the default
};

using ParameterList = llvm::ArrayRef<Parameter>;

enum class FunctionKind { Layer, Fn, Optimizer, Reader, Model };

/// The word that declares the kind.
llvm::StringRef keyword(FunctionKind kind);

/// `layer name(settings)(data) -> type { .. }` and the other kinds. With one
/// list, `data` holds it: a `model` and a one-list `fn` have data only.
struct FunctionDecl : Decl {
  FunctionKind functionKind;
  bool isExtern; ///< has no body
  Identifier name;
  bool twoLists;
  ParameterList settings; ///< the first of two lists, or empty
  ParameterList data;     ///< the last list
  TypeNode *result;       ///< or null
  Block *body;            ///< null exactly if extern

  FunctionDecl(Range range, llvm::StringRef doc, FunctionKind functionKind,
               bool isExtern, Identifier name, bool twoLists,
               ParameterList settings, ParameterList data, TypeNode *result,
               Block *body)
      : Decl(Kind::Function, range, doc), functionKind(functionKind),
        isExtern(isExtern), name(name), twoLists(twoLists), settings(settings),
        data(data), result(result), body(body) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Function; }
};

/// An entry of a `train` or of one of its steps.
struct Entry {
  enum class Kind { Key, Step, Every };
  const Kind kind;
  Range range;

protected:
  Entry(Kind kind, Range range) : kind(kind), range(range) {}
};

/// The words that continue an entry.
enum class ClauseWord { On, From, Except };

llvm::StringRef keyword(ClauseWord word);

/// `on norm, bias`.
struct Clause {
  ClauseWord word;
  Range wordRange;
  llvm::ArrayRef<Argument> arguments;
};

/// `optimizer sgd(lr: 0.1) on norm`: a key, arguments or a block, clauses.
struct KeyEntry : Entry {
  Identifier key;
  llvm::ArrayRef<Argument> arguments;
  Block *block; ///< instead of arguments, or null
  llvm::ArrayRef<Clause> clauses;

  KeyEntry(Range range, Identifier key, llvm::ArrayRef<Argument> arguments,
           Block *block, llvm::ArrayRef<Clause> clauses)
      : Entry(Kind::Key, range), key(key), arguments(arguments), block(block),
        clauses(clauses) {}
  static bool classof(const Entry *e) { return e->kind == Kind::Key; }
};

/// `step d { .. }`.
struct StepEntry : Entry {
  Identifier name;
  llvm::ArrayRef<Entry *> entries;

  StepEntry(Range range, Identifier name, llvm::ArrayRef<Entry *> entries)
      : Entry(Kind::Step, range), name(name), entries(entries) {}
  static bool classof(const Entry *e) { return e->kind == Kind::Step; }
};

/// `every 1 epoch { log; snapshot(keep: 3) }`; an action is a name or a call.
struct EveryEntry : Entry {
  Expr *interval;
  llvm::ArrayRef<Expr *> actions;

  EveryEntry(Range range, Expr *interval, llvm::ArrayRef<Expr *> actions)
      : Entry(Kind::Every, range), interval(interval), actions(actions) {}
  static bool classof(const Entry *e) { return e->kind == Kind::Every; }
};

/// `train G, D { .. }`.
struct TrainDecl : Decl {
  llvm::ArrayRef<Identifier> models;
  llvm::ArrayRef<Entry *> entries;

  TrainDecl(Range range, llvm::StringRef doc, llvm::ArrayRef<Identifier> models,
            llvm::ArrayRef<Entry *> entries)
      : Decl(Kind::Train, range, doc), models(models), entries(entries) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Train; }
};

/// The name that a declaration gives; empty for `import` and `train`.
Identifier nameOf(const Decl &decl);

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_DECL_H
