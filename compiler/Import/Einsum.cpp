//===- Einsum.cpp - sums of products over labelled axes -------------------===//
//
// One factor is a reduction and a transposition, two are a dpl.contract, more
// are a chain from the left that keeps the labels that are still needed.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Tensors.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

namespace {
/// A factor with a number for each of its axes.
struct Labelled {
  Tensor tensor;
  Shape labels;
};

class Einsum {
public:
  Einsum(Evaluator &evaluator, const EinsumExpr *expr)
      : evaluator(evaluator), context(evaluator.context), expr(expr),
        tensors(context, expr->range) {}

  FailureOr<Value> run();

private:
  FailureOr<Labelled> factor(const EinsumFactor &from);
  FailureOr<Shape> number(llvm::ArrayRef<Dim> dims, int64_t rank, Range at);
  FailureOr<Tensor> single(const Labelled &factor, const Shape &result);

  Evaluator &evaluator;
  Context &context;
  const EinsumExpr *expr;
  Tensors tensors;
  llvm::StringMap<int64_t> names;
  Shape restLabels; ///< of `..`, once a factor has one
  bool hasRest = false;
  int64_t next = 0;
};
} // namespace

/// Numbers for the dims of one list. `rank` is -1 for the result.
FailureOr<Shape> Einsum::number(llvm::ArrayRef<Dim> dims, int64_t rank,
                                Range at) {
  Shape labels;
  int64_t rest = rank - (static_cast<int64_t>(dims.size()) - 1);
  for (const Dim &dim : dims) {
    if (!dim.isRest()) {
      auto *name = llvm::cast<NameExpr>(dim.expr);
      auto [it, fresh] = names.try_emplace(name->name, next);
      next += fresh;
      labels.push_back(it->second);
      continue;
    }
    if (!hasRest && rank >= 0 && rest >= 0) {
      hasRest = true;
      for (int64_t i = 0; i < rest; ++i)
        restLabels.push_back(next++);
    }
    if (rank >= 0 && rest != static_cast<int64_t>(restLabels.size()))
      return context.report(diag::einsum_rest, at, restLabels.size(), rest);
    llvm::append_range(labels, restLabels);
  }
  return labels;
}

FailureOr<Labelled> Einsum::factor(const EinsumFactor &from) {
  FailureOr<Value> value = evaluator.eval(from.operand);
  if (failed(value))
    return failure();
  auto *tensor = value->as<Tensor>();
  if (!tensor)
    return context.report(diag::not_a_tensor, from.operand->range,
                          value->text());
  if (!isFloat(tensor->type.element))
    return context.report(diag::needs_float, from.operand->range, "einsum",
                          tensor->type.text());
  FailureOr<Shape> labels =
      number(from.labels, tensor->type.rank(), from.range);
  if (failed(labels))
    return failure();
  if (static_cast<int64_t>(labels->size()) != tensor->type.rank()) {
    context.reportShape("einsum_rank",
                        tensor->type.text() + " with " +
                            llvm::Twine(labels->size()) + " labels",
                        from.range);
    return failure();
  }
  return Labelled{*tensor, *labels};
}

/// Sums the labels that the result lacks and puts the others in its order.
FailureOr<Tensor> Einsum::single(const Labelled &factor, const Shape &result) {
  // The rule of a contraction checks the labels of one operand, too.
  if (failed(inferContractShape(factor.tensor.type.shape, {}, factor.labels, {},
                                result, context.shapeError(expr->range))))
    return failure();
  Shape summed, kept, permutation;
  for (auto [axis, label] : llvm::enumerate(factor.labels)) {
    if (llvm::is_contained(result, label))
      kept.push_back(label);
    else
      summed.push_back(axis);
  }
  FailureOr<Tensor> reduced =
      tensors.reduce(ReduceKind::sum, factor.tensor, summed, /*keep=*/false);
  if (failed(reduced))
    return failure();
  for (int64_t label : result)
    permutation.push_back(llvm::find(kept, label) - kept.begin());
  return tensors.transpose(*reduced, permutation);
}

FailureOr<Value> Einsum::run() {
  llvm::SmallVector<Labelled> factors;
  for (const EinsumFactor &from : expr->factors) {
    FailureOr<Labelled> f = factor(from);
    if (failed(f))
      return failure();
    factors.push_back(*f);
  }
  FailureOr<Shape> result = number(expr->result, -1, expr->range);
  if (failed(result))
    return failure();
  Labelled sum = factors[0];
  if (factors.size() == 1) {
    FailureOr<Tensor> tensor = single(sum, *result);
    return failed(tensor) ? FailureOr<Value>(failure()) : Value(*tensor);
  }
  for (size_t i = 1; i < factors.size(); ++i) {
    Shape wanted = *result;
    if (i + 1 < factors.size()) {
      // Labels of the partial product that a later factor or the result needs.
      wanted.clear();
      for (const Shape &labels : {sum.labels, factors[i].labels})
        for (int64_t label : labels) {
          bool needed = llvm::is_contained(*result, label);
          for (const Labelled &later :
               llvm::ArrayRef(factors).drop_front(i + 1))
            needed |= llvm::is_contained(later.labels, label);
          if (needed && !llvm::is_contained(wanted, label))
            wanted.push_back(label);
        }
    }
    FailureOr<Tensor> product = tensors.contract(
        sum.tensor, factors[i].tensor, sum.labels, factors[i].labels, wanted);
    if (failed(product))
      return failure();
    sum = {*product, wanted};
  }
  return Value(sum.tensor);
}

FailureOr<Value> Evaluator::evalEinsum(const EinsumExpr *expr) {
  return Einsum(*this, expr).run();
}
