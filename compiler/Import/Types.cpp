//===- Types.cpp - values against the types that are written --------------===//

#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Tensors.h"

#include "llvm/ADT/StringSwitch.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;
using llvm::Twine;

bool Evaluator::isTensorType(const TypeNode *type) {
  auto *named = llvm::dyn_cast_if_present<NamedType>(type);
  return named && !named->isClosedSet() &&
         (parseElement(named->name.text) || named->name.text == "class");
}

/// May a program name a file in the folder of a run so? The log and snapshots
/// are the trainer's own.
static bool isFileName(llvm::StringRef text) {
  return !text.empty() && text.front() != '.' && !text.contains('/') &&
         text != "log" && !text.starts_with("snapshot_");
}

static bool isAnonymous(const Expr *expr) {
  auto *name = llvm::dyn_cast_if_present<NameExpr>(expr);
  return name && name->name == "_";
}

LogicalResult dpl::importer::reportStructural(Context &context,
                                              const HostScalar &scalar,
                                              Range use) {
  const HostScalar *option = scalar.firstOption();
  if (!option)
    return context.report(diag::option_structural, use, "a setting");
  const SettingDecl *decl = option->option;
  Range word{decl->range.begin, decl->range.begin.advanced(6)};
  auto builder = context.report(
      diag::option_structural,
      option->mention.isValid() ? option->mention : use, decl->name.text);
  if (context.sources.text(word) == "option")
    builder.fix(diag::make_const, word, "const", decl->name.text);
  else
    builder.hint(diag::make_const, decl->name.text);
  return builder.note(diag::structural_use, use);
}

FailureOr<TensorType> Evaluator::tensorType(const NamedType *type) {
  TensorType result;
  result.ignorable = type->optional;
  if (std::optional<Element> element = parseElement(type->name.text)) {
    result.element = *element;
  } else if (type->name.text == "class" && type->argument) {
    result.element = Element::Class;
    FailureOr<int64_t> classes = evalInt(type->argument);
    if (failed(classes))
      return failure();
    result.classes = *classes;
  } else {
    llvm_unreachable("a tensor of no tensor type in a checked program");
  }
  for (const Dim &dim : type->dims) {
    if (dim.isRest() && context.frame().rest) {
      llvm::append_range(result.shape, *context.frame().rest);
      continue;
    }
    if (dim.isRest() || isAnonymous(dim.expr))
      return context.report(diag::size_unknown, dim.range,
                            context.sources.text(dim.range));
    FailureOr<int64_t> size = evalInt(dim.expr);
    if (failed(size))
      return failure();
    if (*size < 1)
      return context.report(diag::size_positive, dim.range,
                            context.sources.text(dim.range), *size);
    result.shape.push_back(*size);
  }
  if (!checkTensorSize(result.shape, context.shapeError(type->range)))
    return failure();
  return result;
}

/// Binds `..` or checks that it stands for the same dims again.
static bool bindRest(Frame &frame, llvm::ArrayRef<int64_t> sizes) {
  if (!frame.rest)
    frame.rest = Shape(sizes);
  return llvm::ArrayRef<int64_t>(*frame.rest) == sizes;
}

/// Whether the size of a dim agrees; binds a name at its first sight. Sets
/// `expected` to the size that it should have, and where that comes from.
static FailureOr<bool> bindDim(Evaluator &evaluator, const Expr *expr,
                               const BoundSize &actual, BoundSize &expected) {
  if (isAnonymous(expr))
    return true;
  Context &context = evaluator.context;
  if (auto *name = llvm::dyn_cast<NameExpr>(expr)) {
    const Symbol *symbol = context.program.symbol(name);
    if (symbol && symbol->kind == Symbol::Kind::Size) {
      auto [it, fresh] = context.frame().sizes.try_emplace(name->name, actual);
      expected = it->second;
      return expected.size == actual.size;
    }
  }
  FailureOr<int64_t> size = evaluator.evalInt(expr);
  if (failed(size))
    return failure();
  expected.size = *size;
  return expected.size == actual.size;
}

/// The size that a dim should have: `28`, or "`n`, which is 28".
static std::string expectedSize(Context &context, const Dim &dim,
                                int64_t size) {
  std::string number = std::to_string(size);
  llvm::StringRef text = context.sources.text(dim.range);
  return text == number ? number : ("`" + text + "`, which is " + number).str();
}

LogicalResult Evaluator::bind(const NamedType *type, const TensorType &actual,
                              Range at, const Twine &who, Range declared) {
  auto wrong = [&](auto id) {
    return context.report(id, at, who, typeText(type), actual.text());
  };
  std::string origin = (who + " is " + actual.text()).str();
  BoundSize expected;
  auto noteOrigin = [&](DiagnosticEngine::Builder builder,
                        llvm::StringRef name) {
    if (!expected.origin.empty() && !context.isPrelude(expected.at))
      builder.note(diag::size_bound, expected.at, name, expected.size,
                   expected.origin);
    return builder;
  };
  auto note = [&](DiagnosticEngine::Builder builder) -> LogicalResult {
    if (declared.isValid() && !context.isPrelude(declared))
      builder.note(diag::parameter_here, declared);
    return builder;
  };
  std::optional<Element> element = parseElement(type->name.text);
  bool isClass = type->name.text == "class";
  if ((element && *element != actual.element) ||
      (isClass && actual.element != Element::Class))
    return note(wrong(diag::type_element));

  size_t rank = type->dims.size();
  auto restAt =
      llvm::find_if(type->dims, [](const Dim &d) { return d.isRest(); });
  bool hasRest = restAt != type->dims.end();
  size_t before = restAt - type->dims.begin();
  size_t covered = hasRest ? rank - 1 : rank;
  if (hasRest ? actual.shape.size() < covered : actual.shape.size() != covered)
    return note(wrong(diag::type_rank));

  llvm::ArrayRef<int64_t> shape = actual.shape;
  size_t restCount = shape.size() - covered;
  for (auto [i, dim] : llvm::enumerate(type->dims)) {
    if (dim.isRest())
      continue;
    size_t axis = hasRest && i > before ? i - 1 + restCount : i;
    expected = {};
    FailureOr<bool> fits =
        bindDim(*this, dim.expr, {shape[axis], origin, at}, expected);
    if (failed(fits))
      return failure();
    if (!*fits)
      return note(
          noteOrigin(context.report(diag::type_size, at, who, typeText(type),
                                    actual.text(), axis, shape[axis],
                                    expectedSize(context, dim, expected.size)),
                     context.sources.text(dim.range)));
  }
  if (hasRest && !bindRest(context.frame(), shape.slice(before, restCount)))
    return note(context.report(diag::type_rest, at, who, typeText(type),
                               actual.text(),
                               describeShape(*context.frame().rest)));
  if (isClass && type->argument) {
    expected = {};
    FailureOr<bool> fits =
        bindDim(*this, type->argument, {actual.classes, origin, at}, expected);
    if (failed(fits))
      return failure();
    if (!*fits)
      return note(noteOrigin(context.report(diag::class_count, at, who,
                                            expected.size, actual.classes),
                             context.sources.text(type->argument->range)));
  }
  if (isClass && actual.ignorable && !type->optional)
    return note(wrong(diag::type_element));
  return success();
}

LogicalResult Evaluator::mismatch(const Value &value, const TypeNode *type,
                                  Range at, const Twine &who) {
  return context.report(diag::type_kind, at, who, typeText(type), value.text());
}

/// The number itself, or the default of an option, whose flag takes only such
/// numbers from now on. A formula of options is not followed.
LogicalResult Evaluator::checkRange(const Value &value, const NamedType *type,
                                    Range at, const Twine &who) {
  NumberRange range = *rangeOf(type);
  std::optional<double> number = value.asNumber();
  HostScalarPtr scalar = value.asScalar();
  bool isOption = scalar && scalar->op == HostScalar::Op::Option;
  if (isOption) {
    OptionInfo &info = options[scalar->option];
    info.range = info.range & range;
    number = info.value.asNumber();
  }
  if (!number || range.contains(*number))
    return success();
  auto report = context.report(diag::out_of_range, at, who,
                               isOption ? options[scalar->option].value.text()
                                        : value.text(),
                               range.text());
  if (isOption)
    report.note(diag::declared_here, scalar->option->name.range,
                scalar->option->name.text);
  return report;
}

/// A name in the folder of the run; what leaves it could overwrite anything.
LogicalResult Evaluator::checkFileName(const Value &value, Range at,
                                       const Twine &who) {
  auto *text = value.as<std::string>();
  if (!text || isFileName(*text))
    return success();
  return context.report(diag::file_outside, at, who, *text);
}

FailureOr<Value> Evaluator::coerceScalar(const Value &value,
                                         const NamedType *type, Range at,
                                         const Twine &who) {
  llvm::StringRef name = type->name.text;
  if (type->isClosedSet()) {
    auto *member = value.as<Member>();
    bool known = member && (member->name == name ||
                            llvm::any_of(type->alternatives, [&](auto &a) {
                              return a.text == member->name;
                            }));
    if (!known)
      return mismatch(value, type, at, who);
    return value;
  }
  HostScalarPtr scalar = value.asScalar();
  OptionType optionType = scalar && scalar->op == HostScalar::Op::Option
                              ? scalar->type
                              : OptionType::Float;
  bool numeric = scalar && scalar->isNumeric();
  bool fits = false;
  if (name == "int")
    fits = value.as<int64_t>();
  else if (name == "float")
    fits = value.asNumber() || numeric;
  else if (name == "bool")
    fits = value.as<bool>();
  else if (name == "string" || name == "log_key" || name == "file_name")
    fits =
        value.as<std::string>() || (scalar && optionType == OptionType::String);
  else if (name == "duration")
    fits =
        value.as<Duration>() || (scalar && optionType == OptionType::Duration);
  else if (name == "schedule")
    fits = value.asNumber() || numeric;
  else if (name == "layer" || name == "fn" || name == "initializer")
    fits = value.asCallable() || (name == "layer" && value.asList());
  else
    fits = value.as<Member>() != nullptr;
  if (!fits && scalar && (name == "int" || name == "bool"))
    return reportStructural(context, *scalar, type->range);
  if (!fits && name == "schedule" && value.asCallable())
    return context.report(diag::schedule_function, at, who);
  if (!fits)
    return mismatch(value, type, at, who);
  if (failed(checkRange(value, type, at, who)) ||
      (name == "file_name" && failed(checkFileName(value, at, who))))
    return failure();
  if (name == "float" && value.as<int64_t>())
    return Value(*value.asNumber());
  return value;
}

FailureOr<Value> Evaluator::coerceList(const Value &value,
                                       const NamedType *type, Range at,
                                       const Twine &who) {
  NamedType element = *type;
  element.hasDims = false;
  element.dims = {};
  int64_t count = -1;
  if (type->dims.size() == 1 && !type->dims[0].isRest()) {
    FailureOr<int64_t> size = evalInt(type->dims[0].expr);
    if (failed(size))
      return failure();
    count = *size;
    if (failed(context.checkLength(count, type->dims[0].range)))
      return failure();
  }
  const List *list = value.asList();
  List given = list ? *list : List(count < 0 ? 1 : count, value);
  if (count >= 0 && static_cast<int64_t>(given.size()) != count)
    return context.report(diag::type_count, at, who, typeText(type), count,
                          given.size());
  List result;
  for (const Value &v : given) {
    FailureOr<Value> converted = coerceScalar(v, &element, at, who);
    if (failed(converted))
      return failure();
    result.push_back(*converted);
  }
  return Value::list(std::move(result));
}

FailureOr<Value> Evaluator::coerceTensor(const Value &value,
                                         const NamedType *type, Range at,
                                         const Twine &who, Range declared) {
  if (auto *tensor = value.as<Tensor>()) {
    if (failed(bind(type, tensor->type, at, who, declared)))
      return failure();
    return value;
  }
  bool numeric =
      value.asNumber() || (value.asScalar() && value.asScalar()->isNumeric());
  if (!numeric)
    return mismatch(value, type, at, who);
  // A number is a tensor of whatever sizes are known by now.
  Frame &frame = context.frame();
  bool known = llvm::all_of(type->dims, [&](const Dim &d) {
    return d.isRest() ? frame.rest.has_value() : !isAnonymous(d.expr);
  });
  if (!known &&
      llvm::any_of(type->dims, [](const Dim &d) { return !d.isRest(); }))
    return mismatch(value, type, at, who);
  if (!known)
    frame.rest = Shape();
  FailureOr<TensorType> wanted = tensorType(type);
  if (failed(wanted))
    return failure();
  FailureOr<Tensor> tensor = Tensors(context, at).splat(value, *wanted);
  if (failed(tensor))
    return failure();
  return Value(*tensor);
}

FailureOr<Value> Evaluator::coerce(const Value &value, const TypeNode *type,
                                   Range at, const Twine &who) {
  if (!type)
    return value;
  if (auto *record = llvm::dyn_cast<RecordType>(type)) {
    const Record *fields = value.asRecord();
    if (!fields || fields->names.size() != record->fields.size())
      return mismatch(value, type, at, who);
    Record result{fields->names, {}};
    for (auto [i, field] : llvm::enumerate(record->fields)) {
      if (fields->names[i] != field.name.text)
        return mismatch(value, type, at, who);
      FailureOr<Value> converted =
          coerce(fields->values[i], field.type, at,
                 "`" + field.name.text + "` of " + who);
      if (failed(converted))
        return failure();
      result.values.push_back(*converted);
    }
    return Value::record(std::move(result));
  }
  auto *named = llvm::cast<NamedType>(type);
  if (named->name.text == "ratio" && !named->isClosedSet()) {
    if (!value.asRatio())
      return mismatch(value, type, at, who);
    return value;
  }
  if (isTensorType(type))
    return coerceTensor(value, named, at, who, named->range);
  return named->hasDims ? coerceList(value, named, at, who)
                        : coerceScalar(value, named, at, who);
}
