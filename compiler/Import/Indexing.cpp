//===- Indexing.cpp - `value[i, 1..3, ..]` --------------------------------===//

#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Tensors.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

/// The elements of an axis that one index names.
namespace {
struct Selected {
  int64_t start, size;
  bool removesAxis;
};
} // namespace

static FailureOr<Selected> select(Evaluator &evaluator, const Expr *index,
                                  int64_t length) {
  Context &context = evaluator.context;
  FailureOr<Value> value = evaluator.eval(index);
  if (failed(value))
    return failure();
  auto outside = [&](int64_t i) {
    return context.report(diag::index_range, index->range, i, length,
                          length - 1);
  };
  if (HostScalarPtr scalar = value->asScalar())
    return reportStructural(context, *scalar, index->range);
  if (auto *i = value->as<int64_t>()) {
    int64_t at = *i < 0 ? *i + length : *i;
    if (at < 0 || at >= length)
      return outside(*i);
    return Selected{at, 1, true};
  }
  auto *range = llvm::dyn_cast<BinaryExpr>(index);
  const List *list = value->asList();
  if (!list || !range || range->op != BinaryOp::Range)
    return context.report(diag::needs_int, index->range, value->text());
  if (list->empty())
    return context.report(diag::index_empty, index->range,
                          context.sources.text(index->range));
  int64_t first = *list->front().as<int64_t>();
  int64_t last = *list->back().as<int64_t>();
  if (first < 0)
    return outside(first);
  if (last >= length)
    return outside(last);
  return Selected{first, static_cast<int64_t>(list->size()), false};
}

static bool isWholeAxis(const Dim &dim) {
  auto *name = llvm::dyn_cast_if_present<NameExpr>(dim.expr);
  return dim.isRest() || (name && name->name == "_");
}

static std::string indexCount(size_t count) {
  return std::to_string(count) + (count == 1 ? " index" : " indices");
}

static FailureOr<Value> indexTensor(Evaluator &evaluator, const IndexExpr *expr,
                                    const Tensor &x) {
  Context &context = evaluator.context;
  int64_t rank = x.type.rank();
  int64_t given =
      llvm::count_if(expr->indices, [](const Dim &d) { return !d.isRest(); });
  bool hasRest = given != static_cast<int64_t>(expr->indices.size());
  if (given > rank || (!hasRest && given != rank))
    return context
        .report(diag::index_count, expr->range, indexCount(given),
                "the axes of " + x.type.text())
        .hint(diag::index_rest);
  Shape start, size, step(rank, 1), shape;
  for (const Dim &dim : expr->indices) {
    int64_t repeat = dim.isRest() ? rank - given : 1;
    for (int64_t i = 0; i < repeat; ++i) {
      int64_t length = x.type.shape[start.size()];
      FailureOr<Selected> part = Selected{0, length, false};
      if (!isWholeAxis(dim))
        part = select(evaluator, dim.expr, length);
      if (failed(part))
        return failure();
      start.push_back(part->start);
      size.push_back(part->size);
      if (!part->removesAxis)
        shape.push_back(part->size);
    }
  }
  Tensors tensors(context, expr->range);
  FailureOr<Tensor> slice = tensors.slice(x, start, size, step);
  if (failed(slice))
    return failure();
  FailureOr<Tensor> result = tensors.reshape(*slice, shape);
  return failed(result) ? FailureOr<Value>(failure()) : Value(*result);
}

FailureOr<Value> Evaluator::evalIndex(const IndexExpr *expr) {
  FailureOr<Value> base = eval(expr->base);
  if (failed(base))
    return failure();
  if (auto *tensor = base->as<Tensor>())
    return indexTensor(*this, expr, *tensor);
  const List *list = base->asList();
  if (!list)
    return context.report(diag::cannot_index, expr->range, base->text());
  if (expr->indices.size() != 1 || isWholeAxis(expr->indices[0]))
    return context.report(diag::index_count, expr->range,
                          indexCount(expr->indices.size()), "a list");
  FailureOr<Selected> part = select(*this, expr->indices[0].expr, list->size());
  if (failed(part))
    return failure();
  if (part->removesAxis)
    return (*list)[part->start];
  return Value::list(List(list->begin() + part->start,
                          list->begin() + part->start + part->size));
}
