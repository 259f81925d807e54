//===- Primitives.h - what `extern fn` of the prelude does ------*- C++ -*-===//

#ifndef DPL_COMPILER_IMPORT_PRIMITIVES_H
#define DPL_COMPILER_IMPORT_PRIMITIVES_H

#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Tensors.h"

namespace dpl::importer {

/// A call of a primitive: its arguments in the order of its declaration,
/// converted to the declared types.
struct PrimitiveCall {
  Evaluator &evaluator;
  const FunctionDecl *function;
  List values;
  Range at;
  Tensors tensors;
  std::vector<const Expr *> exprs = {}; ///< of `values`; null for defaults

  /// The tensor; a number becomes a scalar of f32.
  llvm::FailureOr<Tensor> tensor(unsigned i);
  /// As `tensor`, but an error for elements that are not floating point.
  llvm::FailureOr<Tensor> floatTensor(unsigned i);
  Shape ints(unsigned i) const;
  /// One entry for each of `count` axes; a single one counts for all. What the
  /// call gives otherwise, is returned as it is.
  Shape entries(unsigned i, size_t count) const;
  /// A list of sizes; an error for one below 1.
  llvm::FailureOr<Shape> sizes(unsigned i);
  int64_t integer(unsigned i) const { return *values[i].as<int64_t>(); }
  bool flag(unsigned i) const { return *values[i].as<bool>(); }
  llvm::StringRef member(unsigned i) const {
    return values[i].as<Member>()->name;
  }
  /// Axes counted from the end where negative, in ascending order; an error
  /// for one outside of the rank.
  llvm::FailureOr<Shape> axes(unsigned i, int64_t rank);
  llvm::FailureOr<int64_t> axis(unsigned i, int64_t rank);

  template <typename... Args> auto report(Args &&...args) {
    return tensors.context.report(std::forward<Args>(args)...);
  }
};

struct Primitive {
  llvm::StringLiteral name;
  llvm::FailureOr<Value> (*run)(PrimitiveCall &call);
};

/// The primitive of that name, or null.
const Primitive *findPrimitive(llvm::StringRef name);

/// The primitives of each file; together they are all.
llvm::ArrayRef<Primitive> mathPrimitives();
llvm::ArrayRef<Primitive> shapePrimitives();
llvm::ArrayRef<Primitive> indexPrimitives();
llvm::ArrayRef<Primitive> windowPrimitives();
llvm::ArrayRef<Primitive> randomPrimitives();

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_PRIMITIVES_H
