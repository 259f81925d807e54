//===- Data.cpp - options, data sets, iterators ---------------------------===//

#include "compiler/Import/Attributes.h"
#include "compiler/Import/ModuleBuilder.h"
#include "compiler/Support/Nearest.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::cast;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

LogicalResult ModuleBuilder::checkOverrides() {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringMap<const SettingDecl *> known;
  for (const SettingDecl *decl : context.program.settings()) {
    known[decl->name.text] = decl;
    if (!decl->isOption)
      names.push_back(decl->name.text);
  }
  for (const auto &entry : context.options.overrides) {
    const SettingDecl *decl = known.lookup(entry.first());
    if (!decl) {
      auto builder =
          context.report(diag::override_unknown, Range(), entry.first());
      if (llvm::StringRef near = nearest(entry.first(), names); !near.empty())
        builder.hint(diag::did_you_mean, near);
      return builder;
    }
    if (decl->isOption)
      return context.report(diag::override_option, Range(), entry.first())
          .note(diag::declared_here, decl->name.range, entry.first());
  }
  // Consts that nothing reads are evaluated, too: each is checked.
  for (const SettingDecl *decl : context.program.settings())
    if (!decl->isOption && failed(evaluator.constant(decl)))
      return failure();
  return success();
}

LogicalResult ModuleBuilder::writeOption(const SettingDecl *decl) {
  FailureOr<OptionInfo> info = evaluator.option(decl);
  if (failed(info))
    return failure();
  static constexpr llvm::StringLiteral types[] = {"float", "int", "bool",
                                                  "string", "duration"};
  FailureOr<mlir::Attribute> value =
      toAttribute(context, info->value, decl->value->range);
  if (failed(value))
    return failure();
  mlir::OpBuilder b = context.declarations();
  OptionOp::create(b, context.loc(decl->name.range),
                   b.getStringAttr(decl->name.text),
                   b.getStringAttr(types[static_cast<int>(info->type)]), *value,
                   b.getStringAttr(decl->help ? decl->help->value : ""),
                   mlir::DictionaryAttr());
  return success();
}

/// What all uses of an option together allow.
static mlir::DictionaryAttr rangeAttribute(mlir::Builder b,
                                           const NumberRange &range) {
  mlir::NamedAttrList entries;
  if (!std::isinf(range.least))
    entries.set(range.isOpenBelow ? "above" : "at_least",
                b.getF64FloatAttr(range.least));
  if (!std::isinf(range.most))
    entries.set(range.isOpenAbove ? "below" : "at_most",
                b.getF64FloatAttr(range.most));
  return entries.getDictionary(b.getContext());
}

void ModuleBuilder::writeOptionRanges() {
  for (const SettingDecl *decl : context.program.settings()) {
    if (!decl->isOption)
      continue;
    FailureOr<OptionInfo> info = evaluator.option(decl);
    if (succeeded(info) && !info->range.isEverything())
      mlir::cast<OptionOp>(context.module->lookupSymbol(decl->name.text))
          .setRangeAttr(
              rangeAttribute(mlir::Builder(context.mlir()), info->range));
  }
}

static llvm::StringRef typeName(const Parameter &parameter) {
  auto *named = llvm::dyn_cast_if_present<NamedType>(parameter.type);
  return named ? named->name.text : llvm::StringRef();
}

/// The arguments that go to the runtime; what names a field, a data set or an
/// iterator is left out. Binds all others in `frame`.
FailureOr<mlir::DictionaryAttr>
ModuleBuilder::argumentsOf(const FunctionDecl *function,
                           llvm::ArrayRef<BoundArgument> bound, Range at,
                           Frame &frame) {
  mlir::NamedAttrList entries;
  for (const BoundArgument &argument : bound) {
    const Parameter &parameter = *argument.parameter;
    llvm::StringRef type = typeName(parameter);
    bool isVariadic = !argument.variadic.empty();
    if (isVariadic || type == "field" || type == "dataset" ||
        type == "iterator")
      continue;
    FailureOr<Value> value = Value();
    if (argument.value)
      value = evaluator.eval(argument.value);
    Context::Entered entered(context, frame);
    if (!argument.value && parameter.defaultValue)
      value = evaluator.eval(parameter.defaultValue);
    if (failed(value))
      return failure();
    if (value->isNone())
      continue;
    Range place = argument.value ? argument.value->range : at;
    value = evaluator.coerce(*value, parameter.type, place,
                             "`" + parameter.name.text + "` of `" +
                                 function->name.text + "`");
    if (failed(value))
      return failure();
    frame.values[{&parameter, 0}] = *value;
    FailureOr<mlir::Attribute> attribute = toAttribute(context, *value, place);
    if (failed(attribute))
      return failure();
    entries.set(parameter.name.text, *attribute);
  }
  return entries.getDictionary(context.mlir());
}

/// The name that an argument of type `field` gives.
static llvm::StringRef fieldNamed(llvm::ArrayRef<BoundArgument> bound) {
  for (const BoundArgument &argument : bound) {
    if (typeName(*argument.parameter) != "field")
      continue;
    const Expr *value =
        argument.value ? argument.value : argument.parameter->defaultValue;
    if (auto *name = llvm::dyn_cast_if_present<NameExpr>(value))
      return name->name;
  }
  return "x";
}

LogicalResult ModuleBuilder::transform(const DataStage &stage,
                                       std::vector<Field> &fields,
                                       mlir::NamedAttrList &entry) {
  const FunctionDecl *function = stage.call->function;
  Range at = stage.expr->range;
  Frame frame;
  frame.function = function;
  llvm::StringRef name = fieldNamed(stage.call->settings);
  auto field =
      llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
  if (field == fields.end()) {
    std::string known;
    for (const Field &f : fields)
      known += (known.empty() ? "" : ", ") + f.name;
    return context.report(diag::value_field, at, name, known);
  }
  frame.call = at;
  frame.inputs = name.str() + ": " + field->type.text();
  // Sizes of the field may be counts of settings.
  const Parameter &data = function->data[0];
  if (auto *type = llvm::dyn_cast_if_present<NamedType>(data.type)) {
    Context::Entered entered(context, frame);
    if (failed(evaluator.bind(type, field->type, at,
                              "the field of `" + function->name.text + "`",
                              type->range)))
      return failure();
  }
  FailureOr<mlir::DictionaryAttr> args =
      argumentsOf(function, stage.call->settings, at, frame);
  if (failed(args))
    return failure();
  if (auto *type = llvm::dyn_cast_if_present<NamedType>(function->result)) {
    Context::Entered entered(context, frame);
    FailureOr<TensorType> result = evaluator.tensorType(type);
    if (failed(result))
      return failure();
    field->type = *result;
  }
  mlir::Builder b(context.mlir());
  entry.set("name", b.getStringAttr(function->name.text));
  entry.set("field", b.getStringAttr(name));
  entry.set("args", *args);
  return success();
}

std::string ModuleBuilder::datasetName(const Dataset &dataset) const {
  return dataset.decl ? dataset.name.str() : (dataset.name + ".data").str();
}

LogicalResult ModuleBuilder::writeDataset(const Dataset &dataset) {
  const DataStage &reader = dataset.stages[0];
  const FunctionDecl *function = reader.call->function;
  Frame frame;
  frame.function = function;
  FailureOr<mlir::DictionaryAttr> args =
      argumentsOf(function, reader.call->data, reader.expr->range, frame);
  if (failed(args))
    return failure();

  mlir::Builder b(context.mlir());
  std::vector<Field> fields;
  llvm::SmallVector<mlir::Attribute> stored, transforms, left;
  for (const DataField &field : dataset.fields) {
    Context::Entered entered(context, frame);
    FailureOr<TensorType> type =
        evaluator.tensorType(cast<NamedType>(field.type));
    if (failed(type))
      return failure();
    fields.push_back({field.name.text.str(), *type});
    stored.push_back(fieldAttribute(b, field.name.text, *type));
  }
  for (const DataStage &stage : llvm::ArrayRef(dataset.stages).drop_front()) {
    mlir::NamedAttrList entry;
    if (failed(transform(stage, fields, entry)))
      return failure();
    transforms.push_back(entry.getDictionary(context.mlir()));
  }
  for (const Field &field : fields)
    left.push_back(fieldAttribute(b, field.name, field.type));
  fieldsOf[&dataset] = fields;
  std::string name = datasetName(dataset);
  context.reserveSymbol(name);
  mlir::OpBuilder at = context.declarations();
  DatasetOp::create(at, context.loc(dataset.range), at.getStringAttr(name),
                    at.getStringAttr(function->name.text), *args,
                    at.getArrayAttr(transforms), at.getArrayAttr(stored),
                    at.getArrayAttr(left));
  return success();
}

LogicalResult ModuleBuilder::writeIterator(const Iterator &iterator) {
  const FunctionDecl *kind = iterator.call->function;
  if (!fieldsOf.count(iterator.dataset) &&
      failed(writeDataset(*iterator.dataset)))
    return failure();
  Frame frame;
  frame.function = kind;
  Range at = iterator.decl->value->range;
  FailureOr<mlir::DictionaryAttr> args =
      argumentsOf(kind, iterator.call->data, at, frame);
  if (failed(args))
    return failure();
  mlir::NamedAttrList rest(*args);
  auto batch = mlir::dyn_cast_or_null<mlir::IntegerAttr>(rest.erase("batch"));
  assert(batch && batch.getInt() >= 1 && "the prelude states it");
  mlir::OpBuilder b = context.declarations();
  IteratorOp::create(b, context.loc(iterator.decl->name.range),
                     b.getStringAttr(iterator.decl->name.text),
                     b.getStringAttr(kind->name.text),
                     mlir::FlatSymbolRefAttr::get(
                         context.mlir(), datasetName(*iterator.dataset)),
                     batch, rest.getDictionary(context.mlir()));
  return success();
}
