//===- Pipeline.h - data sets, iterators and trainings ----------*- C++ -*-===//

#ifndef DPL_COMPILER_SEMA_PIPELINE_H
#define DPL_COMPILER_SEMA_PIPELINE_H

#include "compiler/Syntax/AST.h"

#include <vector>

namespace dpl {

struct Call;

/// A reader or a transform in the order in which data pass it. `call->settings`
/// holds the arguments of a transform (two lists), `call->data` those of a
/// reader (one list).
struct DataStage {
  const Expr *expr; ///< the place for messages
  const Call *call; ///< a Run
  const FunctionDecl *function() const;
};

/// One field of a data set's samples, with the type at the reader (or as
/// annotated), before the transforms.
struct DataField {
  Identifier name;
  const TypeNode *type;
};

/// What a `dataset` declares, or an expression in the place of one. The stages
/// of data sets that it is made from stand first, so stage 0 is the reader.
struct Dataset {
  const DatasetDecl *decl; ///< null if written in place
  llvm::StringRef name;    ///< of the decl, or of the iterator that reads it
  Range range;
  std::vector<DataStage> stages;
  std::vector<DataField> fields;
};

struct Iterator {
  const IteratorDecl *decl;
  const Call *call; ///< `serial(set, batch: 64)`: data in parameter order
  const Dataset *dataset;
};

/// A loss term or a metric.
struct Term {
  llvm::StringRef name; ///< its log key behind `main/`; empty: a nameless loss
  Range range;
  const Expr *value;
  /// The value is a function, to be applied to `out` and the field `y`;
  /// otherwise an expression over fields, `out` and models.
  bool isFunction;
};

/// `evaluate(test_iter, name: "val")` and the other actions of `every`.
struct Action {
  const Expr *expr;
  const Call *call; ///< a Run of an action of the prelude
  const FunctionDecl *function() const;
};

/// `every 1 epoch { .. }`. The interval is a QuantityExpr or an option of one.
struct Trigger {
  const EveryEntry *entry;
  const Expr *interval;
  std::vector<Action> actions;
};

/// `optimizer sgd(lr: 0.1)`; its `call` is a Make.
struct OptimizerUse {
  Range range;
  const Expr *expr;
  const Call *call;
};

/// A `train` of this version: one model, one iterator, one optimizer.
struct Training {
  const TrainDecl *decl;
  std::vector<const FunctionDecl *> models;
  const Iterator *data = nullptr;
  std::vector<Term> losses;
  std::vector<Term> metrics;
  OptimizerUse optimizer{};
  std::vector<const StringExpr *> devices; ///< empty: none written
  const Expr *stop = nullptr;              ///< a quantity, or null
  const StringExpr *out = nullptr;         ///< or null
  std::vector<Trigger> every;
  /// The iterators of its `evaluate` actions with their names, in order.
  struct Evaluation {
    llvm::StringRef name;
    const Iterator *iterator;
    Range range;
  };
  std::vector<Evaluation> evaluations;
};

} // namespace dpl

#endif // DPL_COMPILER_SEMA_PIPELINE_H
