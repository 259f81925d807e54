//===- SettingValues.cpp - consts with their overrides, options -----------===//

#include "compiler/Import/Evaluator.h"

#include "llvm/ADT/StringExtras.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::StringRef;

/// The value that a text means where a value like `usual` stands; none if it
/// is no such value.
static Value parseLike(const Value &usual, StringRef text) {
  if (usual.as<int64_t>()) {
    int64_t n;
    std::string digits = text.str();
    llvm::erase(digits, '_');
    return StringRef(digits).getAsInteger(10, n) ? Value() : Value(n);
  }
  if (usual.as<double>()) {
    double n;
    return text.getAsDouble(n) ? Value() : Value(n);
  }
  if (usual.as<bool>())
    return text == "true"    ? Value(true)
           : text == "false" ? Value(false)
                             : Value();
  if (usual.as<std::string>())
    return Value(text.str());
  if (usual.as<Member>())
    return Value(Member{text.str()});
  if (!usual.as<Duration>())
    return Value();
  auto [count, word] = text.split(' ');
  double n;
  if (count.getAsDouble(n))
    return Value();
  for (auto [unit, scale, to] :
       {std::tuple(Unit::Epoch, 1, Unit::Epoch),
        std::tuple(Unit::Iteration, 1, Unit::Iteration),
        std::tuple(Unit::Second, 1, Unit::Second),
        std::tuple(Unit::Minute, 60, Unit::Second),
        std::tuple(Unit::Hour, 3600, Unit::Second)})
    if (word.trim() == unitName(unit) ||
        word.trim() == (unitName(unit) + "s").str())
      return Value(Duration{n * scale, to});
  return Value();
}

FailureOr<Value> Evaluator::overridden(const SettingDecl *decl,
                                       const Value &usual, StringRef text) {
  Value value = parseLike(usual, text);
  if (!value.isNone())
    return value;
  return context
      .report(diag::override_value, Range(), decl->name.text, text,
              usual.text())
      .note(diag::declared_here, decl->name.range, decl->name.text);
}

FailureOr<Value> Evaluator::constant(const SettingDecl *decl) {
  if (auto it = constants.find(decl); it != constants.end())
    return it->second;
  Frame frame;
  Context::Entered entered(context, frame);
  // Nothing of a function can be named here.
  mlir::OpBuilder::InsertionGuard guard(context.builder);
  context.builder.clearInsertionPoint();
  FailureOr<Value> value = eval(decl->value);
  if (failed(value))
    return failure();
  if (HostScalarPtr scalar = value->asScalar())
    return reportStructural(context, *scalar, decl->value->range);
  std::string who = ("`" + decl->name.text + "`").str();
  value = coerce(*value, decl->type, decl->value->range, who);
  if (failed(value))
    return failure();
  if (auto it = context.options.overrides.find(decl->name.text);
      it != context.options.overrides.end()) {
    value = overridden(decl, *value, it->second);
    if (succeeded(value))
      value = coerce(*value, decl->type, decl->name.range, who);
    if (failed(value))
      return failure();
  }
  constants[decl] = *value;
  return value;
}

FailureOr<OptionInfo> Evaluator::option(const SettingDecl *decl) {
  if (auto it = options.find(decl); it != options.end())
    return it->second;
  Frame frame;
  Context::Entered entered(context, frame);
  mlir::OpBuilder::InsertionGuard guard(context.builder);
  context.builder.clearInsertionPoint();
  FailureOr<Value> value = eval(decl->value);
  if (failed(value))
    return failure();
  value = coerce(*value, decl->type, decl->value->range,
                 "`" + decl->name.text + "`");
  if (failed(value))
    return failure();
  OptionInfo info{OptionType::Float, *value, {}};
  if (auto *type = llvm::dyn_cast_if_present<NamedType>(decl->type))
    info.range = *rangeOf(type);
  if (value->as<int64_t>())
    info.type = OptionType::Int;
  else if (value->as<bool>())
    info.type = OptionType::Bool;
  else if (value->as<std::string>())
    info.type = OptionType::String;
  else if (value->as<Duration>())
    info.type = OptionType::Duration;
  else if (!value->as<double>())
    return context.report(diag::option_value_type, decl->value->range,
                          decl->name.text, value->text());
  options[decl] = info;
  return info;
}
