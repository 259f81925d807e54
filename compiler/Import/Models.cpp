//===- Models.cpp - models and their tables -------------------------------===//

#include "compiler/Import/Attributes.h"
#include "compiler/Import/ModuleBuilder.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::cast;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

FailureOr<Arguments> ModuleBuilder::modelInputs(const FunctionDecl *model,
                                                const Iterator &iterator) {
  Frame &step = context.frame();
  Frame frame;
  frame.function = model;
  Arguments inputs;
  for (const Parameter &parameter : model->data) {
    auto field = step.fields.find(parameter.name.text);
    assert(field != step.fields.end() && "an input without a field");
    const Tensor &tensor = field->second;
    DiagnosticContext source(context.diags, diag::reads_field,
                             iterator.dataset->range, parameter.name.text,
                             iterator.dataset->name);
    if (tensor.type.element == Element::U8)
      return context
          .report(diag::input_u8, parameter.name.range, parameter.name.text,
                  tensor.type.text())
          .hint(diag::use_to_float);
    auto *type = llvm::dyn_cast_if_present<NamedType>(parameter.type);
    Context::Entered entered(context, frame);
    if (type && failed(evaluator.bind(type, tensor.type, parameter.name.range,
                                      "`" + parameter.name.text + "` of `" +
                                          model->name.text + "`",
                                      Range())))
      return failure();
    inputs.values.push_back(tensor);
    inputs.exprs.push_back(nullptr);
  }
  return inputs;
}

/// The tensors of a model's result as fields; a single one is called `out`.
static FailureOr<std::vector<Field>>
outputFields(Context &context, const FunctionDecl *model, const Value &result) {
  std::vector<Field> fields;
  auto add = [&](llvm::StringRef name, const Value &value) {
    auto *tensor = value.as<Tensor>();
    if (tensor)
      fields.push_back({name.str(), tensor->type});
    return tensor != nullptr;
  };
  bool ok = true;
  if (const Record *record = result.asRecord())
    for (auto [name, value] : llvm::zip(record->names, record->values))
      ok &= add(name, value);
  else
    ok = add("out", result);
  if (!ok)
    return context.report(diag::model_result, model->name.range,
                          model->name.text, result.text());
  return fields;
}

FailureOr<Value> ModuleBuilder::runModel(const FunctionDecl *model,
                                         Arguments inputs, Range at) {
  FailureOr<CallablePtr> callable = evaluator.make(model, {}, nullptr);
  if (failed(callable))
    return failure();
  (*callable)->hasPath = true;
  context.parameterPrefix = severalModels ? (model->name.text + ".").str() : "";
  Model entry;
  for (auto [parameter, value] : llvm::zip(model->data, inputs.values))
    entry.inputs.push_back(
        {parameter.name.text.str(), value.as<Tensor>()->type});
  FailureOr<const Elaborated *> elaborated =
      evaluator.elaborate(*callable, inputs, at);
  if (failed(elaborated))
    return failure();
  FailureOr<std::vector<Field>> outputs =
      outputFields(context, model, (*elaborated)->result);
  if (failed(outputs))
    return failure();
  mlir::func::FuncOp function = (*elaborated)->function;
  entry.function = function.getName().str();
  entry.outputs = *outputs;
  entry.rows = (*elaborated)->rows;
  models[model] = std::move(entry);
  return evaluator.callElaborated(**elaborated, **callable, inputs, at);
}

static mlir::ArrayAttr shapesAttribute(mlir::Builder b,
                                       llvm::ArrayRef<Shape> shapes) {
  llvm::SmallVector<mlir::Attribute> result;
  for (const Shape &shape : shapes)
    result.push_back(shapeAttribute(b, shape));
  return b.getArrayAttr(result);
}

/// One row for each path; a shared layer's flops are added up.
static mlir::ArrayAttr rowsAttribute(mlir::Builder b,
                                     llvm::ArrayRef<LayerRow> rows) {
  llvm::MapVector<llvm::StringRef, LayerRow> merged;
  for (const LayerRow &row : rows) {
    auto [it, fresh] = merged.insert({row.path, row});
    if (!fresh)
      it->second.flops += row.flops;
  }
  llvm::SmallVector<mlir::Attribute> result;
  for (const auto &[path, row] : merged) {
    llvm::SmallVector<llvm::StringRef> parameters(row.parameters.begin(),
                                                  row.parameters.end());
    result.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("path", b.getStringAttr(path)),
         b.getNamedAttr("layer", b.getStringAttr(row.layer)),
         b.getNamedAttr("input", shapesAttribute(b, row.inputs)),
         b.getNamedAttr("output", shapesAttribute(b, row.outputs)),
         b.getNamedAttr("parameters", b.getStrArrayAttr(parameters)),
         b.getNamedAttr("flops", b.getI64IntegerAttr(row.flops))}));
  }
  return b.getArrayAttr(result);
}

LogicalResult ModuleBuilder::writeModel(const FunctionDecl *model) {
  const Model &known = models[model];
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(context.module->getBody());
  auto fields = [&](llvm::ArrayRef<Field> list) {
    llvm::SmallVector<mlir::Attribute> result;
    for (const Field &field : list)
      result.push_back(fieldAttribute(b, field.name, field.type));
    return b.getArrayAttr(result);
  };
  ModelOp::create(b, context.loc(model->name.range),
                  b.getStringAttr(model->name.text),
                  mlir::FlatSymbolRefAttr::get(context.mlir(), known.function),
                  fields(known.inputs), fields(known.outputs),
                  rowsAttribute(b, known.rows));
  return success();
}

LogicalResult ModuleBuilder::writeUntrained(const FunctionDecl *model) {
  Frame frame;
  Scope scope;
  frame.scope = &scope;
  Context::Entered entered(context, frame);
  llvm::SmallVector<TensorType> types;
  llvm::SmallVector<mlir::Type> irTypes;
  for (const Parameter &parameter : model->data) {
    if (!parameter.type)
      return context
          .report(diag::input_without_type, parameter.name.range,
                  parameter.name.text, model->name.text)
          .hint(diag::write_type, parameter.name.text);
    FailureOr<TensorType> type =
        evaluator.tensorType(cast<NamedType>(parameter.type));
    if (failed(type))
      return failure();
    type->perSample = true;
    types.push_back(*type);
    irTypes.push_back(irType(context.mlir(), *type));
  }
  // The call needs a place; only the function that it calls is kept.
  mlir::OpBuilder::InsertionGuard guard(context.builder);
  mlir::OwningOpRef<mlir::func::FuncOp> place =
      mlir::func::FuncOp::create(context.loc(model->name.range), "",
                                 context.builder.getFunctionType(irTypes, {}));
  mlir::Block *entry = place->addEntryBlock();
  for (bool training : {true, false}) {
    context.training = training;
    frame.writtenStates.clear();
    context.builder.setInsertionPointToEnd(entry);
    Arguments inputs;
    for (auto [type, argument] : llvm::zip(types, entry->getArguments())) {
      inputs.values.push_back(Tensor{argument, type});
      inputs.exprs.push_back(nullptr);
    }
    if (failed(runModel(model, std::move(inputs), model->name.range)))
      return failure();
  }
  return writeModel(model);
}
