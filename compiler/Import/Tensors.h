//===- Tensors.h - operations on tensors ------------------------*- C++ -*-===//
//
// The language's view of the primitives: broadcasting is implicit here and
// explicit in what is written; literals take the type of what they meet. Every
// shape is checked by ShapeRules.h before an operation is made.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_TENSORS_H
#define DPL_COMPILER_IMPORT_TENSORS_H

#include "compiler/Import/Context.h"

namespace dpl::importer {

/// Makes operations at the builder's place; `at` is the source of them and the
/// place of errors.
class Tensors {
public:
  Tensors(Context &context, Range at)
      : context(context), at(at), b(context.builder), loc(context.loc(at)) {}

  /// A constant of one number, or an option's value, of the whole shape.
  llvm::FailureOr<Tensor> splat(const Value &number, const TensorType &type);
  /// A uniform constant of the type.
  Tensor constant(double number, const TensorType &type);

  /// `+ - * / **` and comparisons of tensors and numbers.
  llvm::FailureOr<Value> binary(BinaryOp op, const Value &lhs,
                                const Value &rhs);
  llvm::FailureOr<Value> maximum(const Value &lhs, const Value &rhs);
  llvm::FailureOr<Value> where(const Value &condition, const Value &yes,
                               const Value &no);
  llvm::FailureOr<Value> negate(const Tensor &x);
  llvm::FailureOr<Value> logicalNot(const Tensor &x);

  Tensor cast(const Tensor &x, Element to);
  llvm::FailureOr<Tensor> reshape(const Tensor &x, Shape shape);
  llvm::FailureOr<Tensor> broadcast(const Tensor &x, Shape shape, Shape axes);
  llvm::FailureOr<Tensor> transpose(const Tensor &x, Shape permutation);
  llvm::FailureOr<Tensor> slice(const Tensor &x, Shape start, Shape size,
                                Shape step);
  llvm::FailureOr<Tensor> pad(const Tensor &x, Shape low, Shape high,
                              Shape interior, double value);
  /// Axes must be ascending.
  llvm::FailureOr<Tensor> reverse(const Tensor &x, Shape axes);
  /// Axes must be ascending.
  llvm::FailureOr<Tensor> reduce(ReduceKind kind, const Tensor &x, Shape axes,
                                 bool keep);
  llvm::FailureOr<Tensor> mean(const Tensor &x, Shape axes, bool keep);
  /// `x` spread to `shape` by the language's rule; the shapes are known to fit.
  Tensor expand(const Tensor &x, llvm::ArrayRef<int64_t> shape);
  /// Labels are numbers; see dpl.contract.
  llvm::FailureOr<Tensor> contract(const Tensor &lhs, const Tensor &rhs,
                                   Shape lhsLabels, Shape rhsLabels,
                                   Shape resultLabels);

  /// An operation's result with the language's type for it.
  Tensor wrap(mlir::Value value, TensorType type) {
    type.perSample = isPerSample(value.getType());
    return {value, std::move(type)};
  }
  /// An error unless there is a function to put operations into.
  llvm::LogicalResult requireFunction();

  Context &context;
  Range at;
  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  /// Both sides as tensors of one shape and element.
  struct Pair {
    Tensor lhs, rhs;
    TensorType type;
  };
  /// `x` behind an `Op` with attributes `args`, in the shape that its rule
  /// gave.
  template <typename Op, typename... Args>
  llvm::FailureOr<Tensor> reshapedBy(const Tensor &x,
                                     llvm::FailureOr<Shape> shape,
                                     const Args &...args);
  llvm::FailureOr<Pair> unify(const Value &lhs, const Value &rhs);
  llvm::FailureOr<TensorType> commonType(const Value &lhs, const Value &rhs);
  llvm::FailureOr<Tensor> operand(const Value &value, const TensorType &type);
  llvm::FailureOr<Value> identity(BinaryOp op, const Value &lhs,
                                  const Value &rhs);
  llvm::FailureOr<Value> power(const Tensor &base, const Value &exponent);
};

/// The number of a constant with one value for all elements.
std::optional<double> splatNumber(const Tensor &tensor);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_TENSORS_H
