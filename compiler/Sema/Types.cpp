//===- Types.cpp - written types, sizes of data parameters ----------------===//

#include "compiler/Sema/Analysis.h"
#include "compiler/Sema/NumberRange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace dpl;
using llvm::StringRef;

static constexpr llvm::StringLiteral tensorTypes[] = {
    "f32", "f16", "bf16", "f64", "i32", "i64", "u8", "mask", "class"};

static constexpr llvm::StringLiteral otherTypes[] = {
    "int",    "float", "bool",        "string",   "duration", "ratio",
    "layer",  "fn",    "initializer", "schedule", "dataset",  "iterator",
    "action", "field", "log_key",     "file_name"};

StringRef dpl::describe(Type type) {
  static constexpr llvm::StringLiteral names[] = {
      "a value",  "an integer",          "a number",   "true or false",
      "a string", "a duration",          "a list",     "a member of a set",
      "a tensor", "a layer or function", "a data set", "an iterator",
      "an action"};
  return names[static_cast<size_t>(type)];
}

Value Analysis::valueOf(const TypeNode *type) const {
  if (!type)
    return {};
  if (auto *record = llvm::dyn_cast<RecordType>(type))
    return {Type::Tensor, nullptr, record};
  auto &named = *llvm::cast<NamedType>(type);
  if (named.isClosedSet())
    return {Type::Member};
  if (llvm::is_contained(tensorTypes, named.name.text))
    return {Type::Tensor};
  Type element = llvm::StringSwitch<Type>(named.name.text)
                     .Case("int", Type::Int)
                     // A schedule is a number in the function that takes it.
                     .Cases({"float", "schedule"}, Type::Float)
                     .Case("bool", Type::Bool)
                     .Cases({"string", "log_key", "file_name"}, Type::String)
                     .Case("duration", Type::Duration)
                     .Case("ratio", Type::Tensor)
                     .Cases({"layer", "fn", "initializer"}, Type::Callable)
                     .Case("dataset", Type::Dataset)
                     .Case("iterator", Type::Iterator)
                     .Case("action", Type::Action)
                     .Default(Type::Unknown);
  if (!named.hasDims)
    return {element};
  return {Type::List, nullptr, nullptr, element};
}

void Analysis::resolveDims(llvm::ArrayRef<Dim> dims, Scope &scope) {
  for (const Dim &dim : dims) {
    if (dim.isRest())
      continue;
    auto *name = llvm::dyn_cast<NameExpr>(dim.expr);
    if (name && (name->name == "_" || program.symbols.count(name)))
      continue;
    resolve(dim.expr, scope);
    structuralUses.push_back({dim.expr, scope.function});
  }
}

/// The element that stands in a tensor for a type of compile-time values.
static StringRef elementFor(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("float", "f32")
      .Case("int", "i32")
      .Case("bool", "mask")
      .Default("");
}

/// Reports a type that is known and no type of a tensor.
void Analysis::needTensor(const TypeNode *type, const llvm::Twine &what) {
  if (!type || diags.hasErrorIn(type->range))
    return;
  auto *named = llvm::dyn_cast<NamedType>(type);
  StringRef name = named ? named->name.text : "";
  if (llvm::is_contained(tensorTypes, name) && !named->isClosedSet())
    return;
  auto report =
      diags.report(diag::not_a_tensor_type, type->range, what, typeText(type));
  if (StringRef element = elementFor(name); !element.empty())
    report.fix(diag::did_you_mean, named->name.range, element, element);
}

/// The same for each field of a record.
void Analysis::needTensors(const TypeNode *type, const llvm::Twine &what) {
  auto *record = llvm::dyn_cast_or_null<RecordType>(type);
  if (!record)
    return needTensor(type, what);
  for (const RecordField &field : record->fields)
    needTensor(field.type, "`" + field.name.text + "` of " + what);
}

void Analysis::resolveNamedType(const NamedType &type, Scope &scope,
                                StringRef subject) {
  StringRef name = type.name.text;
  bool isClass = name == "class";
  bool takesCondition = hasRange(&type) && !type.isClosedSet();
  if (!type.isClosedSet() && !llvm::is_contained(tensorTypes, name) &&
      !llvm::is_contained(otherTypes, name)) {
    NameList known(std::begin(tensorTypes), std::end(tensorTypes));
    known.append(std::begin(otherTypes), std::end(otherTypes));
    suggest(diags.report(diag::unknown_type, type.name.range, name),
            type.name.range, name, known);
  } else if (takesCondition) {
    if (type.argument && (subject.empty() || !rangeOf(&type, subject)))
      diags.report(diag::range_form, type.argument->range,
                   subject.empty() ? "n" : subject, name);
  } else if (isClass != (type.argument != nullptr)) {
    if (isClass)
      diags.report(diag::class_without_count, type.name.range);
    else
      diags.report(diag::type_argument, type.argument->range, name);
  }
  if (type.optional && !isClass)
    diags.report(diag::optional_type, type.name.range, name);
  if (type.argument && !takesCondition) {
    Dim argument{type.argument->range, type.argument};
    resolveDims(argument, scope);
  }
  resolveDims(type.dims, scope);
}

void Analysis::resolveType(const TypeNode *type, Scope &scope,
                           StringRef subject) {
  if (!type)
    return;
  if (auto *record = llvm::dyn_cast<RecordType>(type)) {
    for (const RecordField &field : record->fields)
      resolveType(field.type, scope);
    return;
  }
  resolveNamedType(*llvm::cast<NamedType>(type), scope, subject);
}

/// Whether a symbol that a dim's name finds is a number known elsewhere;
/// otherwise the name is free, whatever else is called so.
static bool isKnownSize(const Symbol *symbol) {
  if (!symbol)
    return false;
  switch (symbol->kind) {
  case Symbol::Kind::Const:
  case Symbol::Kind::Option:
  case Symbol::Kind::Setting:
  case Symbol::Kind::Data:
    return true;
  default:
    return false;
  }
}

void Analysis::bindSize(const Expr *expr, Scope &scope) {
  auto *name = llvm::dyn_cast_or_null<NameExpr>(expr);
  if (!name || name->name == "_" || name->name == "batch")
    return;
  const Symbol *symbol = find(scope, name->name);
  bool isSize = symbol && symbol->kind == Symbol::Kind::Size;
  if (isKnownSize(symbol))
    return;
  if (!isSize) {
    Symbol size{Symbol::Kind::Size, name->name, name->range};
    size.owner = scope.function;
    Symbol *created = context.make<Symbol>(size);
    scope.names[name->name] = created;
    owners[created] = scope.file;
    locals.push_back(created);
    symbolValues[created] = {Type::Int};
    symbol = created;
  }
  bind(name, symbol, nullptr);
}

/// Binds the free names in the type of a data parameter.
void Analysis::bindSizes(const TypeNode *type, Scope &scope) {
  if (!type)
    return;
  if (auto *record = llvm::dyn_cast<RecordType>(type)) {
    for (const RecordField &field : record->fields)
      bindSizes(field.type, scope);
    return;
  }
  auto &named = *llvm::cast<NamedType>(type);
  bindSize(named.argument, scope);
  for (const Dim &dim : named.dims)
    bindSize(dim.expr, scope);
}
