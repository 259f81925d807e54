//===- Pipelines.cpp - data sets and iterators ----------------------------===//

#include "compiler/Sema/Analysis.h"

#include "llvm/ADT/StringExtras.h"

using namespace dpl;
using llvm::dyn_cast;
using llvm::StringRef;

const FunctionDecl *DataStage::function() const { return call->function; }

/// The fields that a reader declares as its result.
static std::vector<DataField> fieldsOf(const TypeNode *type) {
  std::vector<DataField> fields;
  if (auto *record = llvm::dyn_cast_or_null<RecordType>(type))
    for (const RecordField &field : record->fields)
      fields.push_back({field.name, field.type});
  return fields;
}

/// Adds a reader or transform, and checks the field that a transform names.
void Analysis::addStage(const Expr *expr, const Call &call, Dataset &set) {
  const FunctionDecl &fn = *call.function;
  set.stages.push_back({expr, &call});
  if (!fn.twoLists) {
    set.fields = fieldsOf(fn.result);
    return;
  }
  for (const BoundArgument &arg : call.settings) {
    auto *type = llvm::dyn_cast_or_null<NamedType>(arg.parameter->type);
    bool isField = type && type->name.text == "field";
    const Expr *value = arg.value ? arg.value : arg.parameter->defaultValue;
    auto *name = llvm::dyn_cast_or_null<NameExpr>(value);
    if (isField && name && !set.fields.empty())
      needField(fn.name.text, arg.value ? name->range : expr->range, name->name,
                set);
  }
}

/// The declaration of the data set that an expression names, or null.
const DatasetDecl *Analysis::declaredDataset(const Expr *expr) const {
  auto *name = dyn_cast<NameExpr>(expr);
  const Symbol *symbol = name ? program.symbol(name) : nullptr;
  return symbol ? llvm::dyn_cast_or_null<DatasetDecl>(symbol->decl) : nullptr;
}

/// Adds the stages of an expression in the order in which data pass them.
/// False after a report.
bool Analysis::addStages(const Expr *expr, Dataset &set) {
  if (const DatasetDecl *decl = declaredDataset(expr)) {
    const Dataset *source = buildDataset(*decl);
    if (!source)
      return false;
    set.stages = source->stages;
    set.fields = source->fields;
    return true;
  }
  auto *pipe = dyn_cast<PipeExpr>(expr);
  const Call *call = program.call(expr);
  bool isStage = call && call->kind == Call::Kind::Run &&
                 call->function->functionKind == FunctionKind::Reader;
  if (isStage && !call->function->twoLists) {
    addStage(expr, *call, set);
    return true;
  }
  if (isStage && (pipe || !call->data.empty())) {
    const Expr *source = pipe ? pipe->value : call->data.front().value;
    if (!source || !addStages(source, set))
      return false;
    addStage(pipe ? pipe->stage : expr, *call, set);
    return true;
  }
  // An unknown name has its report.
  Value value = values.lookup(expr);
  bool isKnown = call && call->kind != Call::Kind::Apply;
  if (value.type != Type::Unknown || isKnown)
    diags.report(diag::not_a_dataset, pipe ? pipe->stage->range : expr->range,
                 sources.text(pipe ? pipe->stage->range : expr->range));
  return false;
}

const Dataset *Analysis::buildDataset(const Expr *expr, StringRef name) {
  Dataset set{nullptr, name, expr->range, {}, {}};
  if (!addStages(expr, set))
    return nullptr;
  program.ownDatasets.push_back(std::move(set));
  return &program.ownDatasets.back();
}

const Dataset *Analysis::buildDataset(const DatasetDecl &decl) {
  auto known = datasetOf.find(&decl);
  if (known != datasetOf.end())
    return known->second;
  // A data set that is made from itself has been reported as a cycle.
  datasetOf[&decl] = nullptr;
  Dataset set{&decl, decl.name.text, decl.name.range, {}, {}};
  if (!addStages(decl.value, set))
    return nullptr;
  if (decl.type)
    set.fields = fieldsOf(decl.type);
  program.ownDatasets.push_back(std::move(set));
  return datasetOf[&decl] = &program.ownDatasets.back();
}

const Iterator *Analysis::buildIterator(const IteratorDecl &decl) {
  const Call *call = program.call(decl.value);
  Value value = values.lookup(decl.value);
  if (!call || value.type != Type::Iterator) {
    if (value.type != Type::Unknown)
      diags.report(diag::not_an_iterator, decl.value->range,
                   sources.text(decl.value->range), describe(value.type));
    return nullptr;
  }
  for (const BoundArgument &arg : call->data) {
    bool isSource = valueOf(arg.parameter->type).type == Type::Dataset;
    if (!isSource || !arg.value)
      continue;
    const DatasetDecl *source = declaredDataset(arg.value);
    const Dataset *set = source ? buildDataset(*source)
                                : buildDataset(arg.value, decl.name.text);
    if (!set)
      return nullptr;
    program.ownIterators.push_back({&decl, call, set});
    return iteratorOf[&decl] = &program.ownIterators.back();
  }
  return nullptr;
}

void Analysis::buildPipelines(FileScope &user) {
  for (const Decl *decl : user.file.decls) {
    if (auto *dataset = dyn_cast<DatasetDecl>(decl)) {
      if (const Dataset *built = buildDataset(*dataset))
        program.allDatasets.push_back(built);
    } else if (auto *iterator = dyn_cast<IteratorDecl>(decl)) {
      const Iterator *built = buildIterator(*iterator);
      if (!built)
        continue;
      program.allIterators.push_back(built);
      if (!built->dataset->decl)
        program.allDatasets.push_back(built->dataset);
    }
  }
}

/// Reports a field that a data set does not have.
void Analysis::needField(StringRef who, Range place, StringRef field,
                         const Dataset &set) {
  NameList known;
  for (const DataField &f : set.fields)
    known.push_back(f.name.text);
  if (llvm::is_contained(known, field))
    return;
  auto report = diags.report(diag::missing_field, place, who, field, set.name,
                             llvm::join(known, ", "));
  suggest(report, place, field, known)
      .note(diag::declared_here, set.range, set.name);
}
