//===- Parameters.cpp - param and state -----------------------------------===//

#include "compiler/Import/Evaluator.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

namespace {
using Numbers = llvm::ArrayRef<std::pair<llvm::StringRef, double>>;
} // namespace

static mlir::DictionaryAttr initDict(mlir::Builder b, llvm::StringRef kind,
                                     Numbers numbers) {
  llvm::SmallVector<mlir::NamedAttribute> entries{
      b.getNamedAttr("kind", b.getStringAttr(kind))};
  for (auto [name, value] : numbers)
    entries.push_back(b.getNamedAttr(
        name, name == "fan_in" ? mlir::Attribute(b.getI64IntegerAttr(value))
                               : b.getF64FloatAttr(value)));
  return b.getDictionaryAttr(entries);
}

namespace {
/// An initializer whose variance is `factor` divided by a fan of the parameter.
struct FanRule {
  llvm::StringLiteral name;
  double factor;
  bool bothFans; ///< the mean of fan-in and fan-out, not the fan-in
  bool isUniform;
};
} // namespace

static constexpr FanRule fanRules[] = {
    {"he_uniform", 2, false, true},    {"he_normal", 2, false, false},
    {"lecun_uniform", 1, false, true}, {"lecun_normal", 1, false, false},
    {"xavier_uniform", 1, true, true}, {"xavier_normal", 1, true, false},
};

/// The fan-in is the number of elements without the first axis, the fan-out
/// that without the second.
static mlir::DictionaryAttr fanInit(mlir::Builder b, const FanRule &rule,
                                    const TensorType &type, double gain) {
  auto elements = static_cast<double>(type.elements());
  double fanIn = elements / static_cast<double>(type.shape[0]);
  double fanOut = elements / static_cast<double>(type.shape[1]);
  if (rule.name == "he_uniform")
    return initDict(b, rule.name, {{"fan_in", fanIn}});
  double fan = rule.bothFans ? (fanIn + fanOut) / 2 : fanIn;
  if (!rule.isUniform)
    return initDict(
        b, "normal",
        {{"mean", 0}, {"std", gain * std::sqrt(rule.factor / fan)}});
  double bound = gain * std::sqrt(3 * rule.factor / fan);
  return initDict(b, "uniform", {{"low", -bound}, {"high", bound}});
}

FailureOr<mlir::DictionaryAttr> Evaluator::initializer(const Value &value,
                                                       const TensorType &type,
                                                       const ParamStmt *stmt) {
  mlir::Builder b(context.mlir());
  if (std::optional<double> number = value.asNumber())
    return initDict(b, "constant", {{"value", *number}});
  CallablePtr callable = value.asCallable();
  if (!callable || !callable->function->isExtern)
    return context.report(diag::initializer_value, stmt->init->range,
                          value.text());
  llvm::StringRef name = callable->function->name.text;
  llvm::SmallVector<double, 4> numbers;
  for (const Value &setting : callable->settings) {
    if (HostScalarPtr scalar = setting.asScalar())
      return reportStructural(context, *scalar, stmt->init->range);
    numbers.push_back(setting.asNumber().value_or(0));
  }
  if (name == "zeros" || name == "ones")
    return initDict(b, name, {});
  // These have the settings of their declaration as numbers of their own.
  static constexpr llvm::StringLiteral plain[] = {
      "constant", "normal", "uniform", "truncated_normal"};
  if (llvm::is_contained(plain, name)) {
    llvm::SmallVector<std::pair<llvm::StringRef, double>> entries;
    for (auto [parameter, number] :
         llvm::zip(callable->function->settings, numbers))
      entries.push_back({parameter.name.text, number});
    return initDict(b, name, entries);
  }
  const FanRule *rule =
      llvm::find_if(fanRules, [&](const FanRule &r) { return r.name == name; });
  if (rule == std::end(fanRules))
    return context.report(diag::initializer_value, stmt->init->range,
                          value.text());
  if (type.rank() < 2)
    return context.report(diag::init_fan, stmt->range, name, stmt->name.text,
                          type.text());
  return fanInit(b, *rule, type, numbers.empty() ? 1.0 : numbers[0]);
}

LogicalResult Evaluator::execParam(const ParamStmt *stmt) {
  Frame &frame = context.frame();
  bool isLayer =
      frame.function && (frame.function->functionKind == FunctionKind::Layer ||
                         frame.function->functionKind == FunctionKind::Model);
  if (!isLayer && !(frame.isOptimizer && stmt->isState))
    return context.report(diag::param_place, stmt->range,
                          stmt->isState ? "state" : "param");
  FailureOr<TensorType> type = tensorType(llvm::cast<NamedType>(stmt->type));
  if (failed(type))
    return failure();
  if (type->element != Element::F32)
    return context.report(diag::param_element, stmt->type->range,
                          stmt->name.text, type->text());
  FailureOr<Value> value = eval(stmt->init);
  if (failed(value))
    return failure();
  FailureOr<mlir::DictionaryAttr> init = initializer(*value, *type, stmt);
  if (failed(init))
    return failure();
  return stmt->isState ? execState(stmt, *type, *init)
                       : execParameter(stmt, *type, *init);
}

static std::string nameIn(const Frame &frame, llvm::StringRef name) {
  std::string result = name.str();
  for (int64_t i : frame.loop)
    result += "." + std::to_string(i);
  return result;
}

LogicalResult Evaluator::declareTensor(const ParamStmt *stmt,
                                       const TensorType &type,
                                       std::string &path, bool &fresh) {
  Frame &frame = context.frame();
  std::string name = nameIn(frame, stmt->name.text);
  if (failed(claimName(name, stmt->name.range)))
    return failure();
  path = context.parameterPrefix + frame.scope->child(name);
  auto [it, isNew] = parameters.try_emplace(path, type, stmt->name.range);
  fresh = isNew;
  if (isNew && !context.reserveSymbol(path))
    return context.report(diag::name_taken, stmt->name.range, path);
  const TensorType &first = it->second.first;
  if (!isNew && first.shape != type.shape)
    return context.report(diag::param_shape, stmt->name.range, path,
                          type.text(), first.text());
  return success();
}

LogicalResult Evaluator::execParameter(const ParamStmt *stmt,
                                       const TensorType &type,
                                       mlir::DictionaryAttr init) {
  std::string path;
  bool fresh = false;
  if (failed(declareTensor(stmt, type, path, fresh)))
    return failure();
  mlir::RankedTensorType ir = irType(context.mlir(), type);
  mlir::Location loc = context.loc(stmt->name.range);
  if (fresh) {
    mlir::OpBuilder b = context.declarations();
    llvm::StringRef role = stmt->role ? stmt->role.text : "weight";
    ParameterOp::create(b, loc, b.getStringAttr(path), mlir::TypeAttr::get(ir),
                        init, b.getStringAttr(role));
  }
  Frame &frame = context.frame();
  frame.parameters.push_back(path);
  mlir::Value value = ReadOp::create(context.builder, loc, ir, path);
  frame.values[{stmt, 0}] = Tensor{value, type};
  return success();
}

LogicalResult Evaluator::execState(const ParamStmt *stmt,
                                   const TensorType &type,
                                   mlir::DictionaryAttr init) {
  Frame &frame = context.frame();
  mlir::RankedTensorType ir = irType(context.mlir(), type);
  mlir::Location loc = context.loc(stmt->name.range);
  StateSlot slot{stmt, stmt->name.text.str(), {}, type, init};
  if (frame.isOptimizer) {
    mlir::Block &entry =
        context.builder.getInsertionBlock()->getParent()->front();
    slot.value = {entry.addArgument(ir, loc), type};
  } else {
    bool fresh = false;
    if (failed(declareTensor(stmt, type, slot.symbol, fresh)))
      return failure();
    if (fresh) {
      mlir::OpBuilder b = context.declarations();
      StateOp::create(b, loc, b.getStringAttr(slot.symbol),
                      mlir::TypeAttr::get(ir), init, mlir::FlatSymbolRefAttr());
    }
    slot.value = {ReadOp::create(context.builder, loc, ir, slot.symbol), type};
  }
  frame.values[{stmt, 0}] = slot.value;
  frame.states.push_back(std::move(slot));
  return success();
}

LogicalResult Evaluator::writeStates(Frame &frame) {
  if (frame.isOptimizer)
    return success();
  for (const StateSlot &slot : frame.states) {
    if (!slot.written)
      continue;
    WriteOp::create(context.builder, context.loc(slot.stmt->range), slot.symbol,
                    slot.value.value);
    frame.writtenStates.push_back(slot.symbol);
  }
  return success();
}

FailureOr<Value> Evaluator::layerParameter(const Callable &layer,
                                           const Identifier &member) {
  if (layer.letSite)
    sites[layer.letSite].used = true;
  std::string path =
      context.parameterPrefix + layer.path + "." + member.text.str();
  auto it = parameters.find(path);
  if (!layer.hasPath || it == parameters.end())
    return context.report(diag::layer_parameter, member.range, member.text,
                          layer.function->name.text);
  const TensorType &type = it->second.first;
  mlir::Value value = ReadOp::create(context.builder, context.loc(member.range),
                                     irType(context.mlir(), type), path);
  return Value(Tensor{value, type});
}
