//===- Step.cpp - training and evaluation steps ---------------------------===//

#include "compiler/Import/ModuleBuilder.h"
#include "compiler/Import/Tensors.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

LogicalResult ModuleBuilder::writeStep(const Training &training,
                                       const Iterator &iterator,
                                       bool isTraining, llvm::StringRef name) {
  mlir::OpBuilder &b = context.builder;
  mlir::OpBuilder::InsertionGuard guard(b);
  llvm::SmallVector<mlir::Type> types;
  std::vector<Field> fields = fieldsOf[iterator.dataset];
  for (Field &field : fields) {
    field.type.perSample = true;
    types.push_back(irType(context.mlir(), field.type));
  }
  mlir::OwningOpRef<mlir::func::FuncOp> function =
      mlir::func::FuncOp::create(context.loc(training.decl->models[0].range),
                                 name, b.getFunctionType(types, {}));
  (*function)->setAttr(DplDialect::kStepAttr,
                       b.getStringAttr(isTraining ? "train" : "eval"));
  (*function)->setAttr(DplDialect::kIteratorAttr,
                       b.getStringAttr(iterator.decl->name.text));
  mlir::Block *entry = function->addEntryBlock();
  b.setInsertionPointToStart(entry);

  Frame frame;
  Scope scope;
  frame.scope = &scope;
  for (auto [field, argument] : llvm::zip(fields, entry->getArguments()))
    frame.fields[field.name] = Tensor{argument, field.type};
  context.training = isTraining;
  context.draws.clear();
  context.model = training.models[0]->name.text.str();
  Context::Entered entered(context, frame);
  if (failed(stepBody(training, iterator, isTraining)))
    return failure();
  mlir::func::ReturnOp::create(b, context.loc(training.decl->models[0].range));
  Context::eraseUnused(*function);

  for (int64_t i = fields.size() - 1; i >= 0; --i) {
    if (!entry->getArgument(i).use_empty()) {
      function->setArgAttr(i, DplDialect::kFieldAttr,
                           b.getStringAttr(fields[i].name));
      continue;
    }
    if (failed(function->eraseArgument(i)))
      llvm_unreachable("an argument of a function with a body");
  }
  context.module->push_back(function.release());
  return success();
}

LogicalResult ModuleBuilder::stepBody(const Training &training,
                                      const Iterator &iterator,
                                      bool isTraining) {
  const FunctionDecl *model = training.models[0];
  FailureOr<Arguments> inputs = modelInputs(model, iterator);
  if (failed(inputs))
    return failure();
  FailureOr<Value> output =
      runModel(model, std::move(*inputs), training.decl->models[0].range);
  if (failed(output))
    return failure();
  context.frame().output = *output;
  FailureOr<mlir::Value> loss = writeTerms(training);
  if (failed(loss))
    return failure();
  return isTraining ? update(training, *loss) : success();
}

/// A function as a term runs on the model's result and the field `y`.
FailureOr<Value> ModuleBuilder::applyTerm(const Term &term) {
  FailureOr<Value> value = evaluator.eval(term.value);
  if (failed(value) || !term.isFunction)
    return value;
  CallablePtr callable = value->asCallable();
  Frame &step = context.frame();
  if (!callable)
    return context.report(diag::cannot_apply, term.value->range, value->text());
  auto field = step.fields.find("y");
  assert(field != step.fields.end() && "a loss without its field");
  if (callable->function->data.size() != 2)
    return context
        .report(diag::term_function, term.value->range,
                callable->function->name.text, callable->function->data.size())
        .hint(diag::term_expression);
  Arguments arguments{{step.output, field->second}, {nullptr, nullptr}};
  return evaluator.applyCallable(callable, std::move(arguments),
                                 term.value->range);
}

/// The term's sum and count over the global batch; both uniform.
FailureOr<Ratio> ModuleBuilder::termValue(const Term &term) {
  FailureOr<Value> value = applyTerm(term);
  if (failed(value))
    return failure();
  Range at = term.value->range;
  mlir::OpBuilder &b = context.builder;
  mlir::Location loc = context.loc(at);
  const Ratio *ratio = value->asRatio();
  auto *bare = value->as<Tensor>();
  const Tensor *sum = ratio ? &ratio->sum : bare;
  if (!sum || sum->type.rank() != 0 || sum->type.element != Element::F32)
    return context.report(diag::term_scalar, at, value->text())
        .hint(diag::term_reduce);
  TensorType scalar;
  Tensors tensors(context, at);
  Ratio result;
  result.sum = {BatchSumOp::create(b, loc, sum->value), scalar};
  std::optional<double> each = 1;
  if (ratio)
    each = splatNumber(ratio->count);
  if (each) {
    Tensor samples{BatchCountOp::create(b, loc, irType(context.mlir(), scalar)),
                   scalar};
    FailureOr<Value> count =
        tensors.binary(BinaryOp::Mul, samples, Value(*each));
    if (failed(count))
      return failure();
    result.count = *count->as<Tensor>();
    return result;
  }
  mlir::Value count = StopGradientOp::create(b, loc, ratio->count.value);
  result.count = {BatchSumOp::create(b, loc, count), scalar};
  return result;
}

/// sum / count; 0 / 0 is 0, with a gradient of zero.
static FailureOr<Value> quotient(Tensors &tensors, const Ratio &ratio) {
  bool neverZero = ratio.count.value.getDefiningOp<BatchCountOp>() != nullptr;
  if (neverZero)
    return tensors.binary(BinaryOp::Div, ratio.sum, ratio.count);
  FailureOr<Value> empty =
      tensors.binary(BinaryOp::Eq, ratio.count, Value(0.0));
  if (failed(empty))
    return failure();
  FailureOr<Value> count = tensors.where(*empty, Value(1.0), ratio.count);
  if (failed(count))
    return failure();
  return tensors.binary(BinaryOp::Div, ratio.sum, *count);
}

FailureOr<mlir::Value> ModuleBuilder::writeTerms(const Training &training) {
  mlir::OpBuilder &b = context.builder;
  auto report = [&](llvm::StringRef name, const Ratio &ratio, Range at) {
    ReportOp::create(b, context.loc(at), name, ratio.sum.value,
                     ratio.count.value);
  };
  bool single = training.losses.size() == 1;
  Value loss;
  std::vector<std::pair<const Term *, Ratio>> losses;
  for (const Term &term : training.losses) {
    FailureOr<Ratio> ratio = termValue(term);
    if (failed(ratio))
      return failure();
    losses.push_back({&term, *ratio});
    if (!context.training && single)
      continue;
    Tensors tensors(context, term.value->range);
    FailureOr<Value> value = quotient(tensors, *ratio);
    if (succeeded(value) && !loss.isNone())
      value = tensors.binary(BinaryOp::Add, loss, *value);
    if (failed(value))
      return failure();
    loss = *value;
  }
  if (single) {
    report("loss", losses[0].second, losses[0].first->range);
  } else {
    // The terms have counts of their own; their total counts for each sample.
    Range at = losses[0].first->range;
    Tensors tensors(context, at);
    TensorType scalar;
    Tensor samples{BatchCountOp::create(b, context.loc(at),
                                        irType(context.mlir(), scalar)),
                   scalar};
    FailureOr<Value> total = tensors.binary(BinaryOp::Mul, loss, samples);
    if (failed(total))
      return failure();
    report("loss", {*total->as<Tensor>(), samples}, at);
  }
  for (const auto &[term, ratio] : losses)
    if (!term->name.empty())
      report(term->name, ratio, term->range);
  for (const Term &term : training.metrics) {
    FailureOr<Ratio> ratio = termValue(term);
    if (failed(ratio))
      return failure();
    report(term.name, *ratio, term.range);
  }
  auto *scalar = loss.as<Tensor>();
  return scalar ? scalar->value : mlir::Value();
}
