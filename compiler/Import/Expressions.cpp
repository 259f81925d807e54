//===- Expressions.cpp - values of expressions ----------------------------===//

#include "compiler/Import/Arithmetic.h"
#include "compiler/Import/Evaluator.h"
#include "compiler/Import/Tensors.h"
#include "compiler/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numbers>

using namespace dpl;
using namespace dpl::importer;
using llvm::cast;
using llvm::failure;
using llvm::FailureOr;

static Value durationOf(const QuantityExpr *expr) {
  double count = expr->number->real;
  switch (expr->unit) {
  case Unit::Minute:
    return Duration{count * 60, Unit::Second};
  case Unit::Hour:
    return Duration{count * 3600, Unit::Second};
  default:
    return Duration{count, expr->unit};
  }
}

FailureOr<Value> Evaluator::eval(const Expr *expr) {
  if (failed(context.countSteps(1, expr->range)))
    return failure();
  switch (expr->kind) {
  case Expr::Kind::Number: {
    auto *number = cast<NumberExpr>(expr);
    return number->isInteger ? Value(number->integer) : Value(number->real);
  }
  case Expr::Kind::Quantity:
    return durationOf(cast<QuantityExpr>(expr));
  case Expr::Kind::String:
    return Value(cast<StringExpr>(expr)->value.str());
  case Expr::Kind::Bool:
    return Value(cast<BoolExpr>(expr)->value);
  case Expr::Kind::Name:
    return evalName(cast<NameExpr>(expr));
  case Expr::Kind::List:
    return evalList(cast<ListExpr>(expr));
  case Expr::Kind::Comprehension:
    return evalComprehension(cast<ComprehensionExpr>(expr));
  case Expr::Kind::Record:
    return evalRecord(cast<RecordExpr>(expr));
  case Expr::Kind::Einsum:
    return evalEinsum(cast<EinsumExpr>(expr));
  case Expr::Kind::Call:
  case Expr::Kind::Pipe:
    return evalCall(expr);
  case Expr::Kind::Index:
    return evalIndex(cast<IndexExpr>(expr));
  case Expr::Kind::Member:
    return evalMember(cast<MemberExpr>(expr));
  case Expr::Kind::Unary:
    return evalUnary(cast<UnaryExpr>(expr));
  case Expr::Kind::Binary:
    return evalBinary(cast<BinaryExpr>(expr));
  case Expr::Kind::If:
    return evalIf(cast<IfExpr>(expr));
  case Expr::Kind::Scan:
    return context.report(diag::not_available, expr->range, "scan");
  case Expr::Kind::Error:
    break;
  }
  llvm_unreachable("a syntax error in a checked program");
}

FailureOr<int64_t> Evaluator::evalInt(const Expr *expr) {
  FailureOr<Value> value = eval(expr);
  if (failed(value))
    return failure();
  if (auto *n = value->as<int64_t>())
    return *n;
  if (HostScalarPtr scalar = value->asScalar())
    return reportStructural(context, *scalar, expr->range);
  return context.report(diag::needs_int, expr->range, value->text());
}

FailureOr<Value> Evaluator::evalName(const NameExpr *expr) {
  const Symbol *symbol = context.program.symbol(expr);
  assert(symbol && "a name without a meaning in a checked program");
  Frame &frame = context.frame();
  using Kind = Symbol::Kind;
  std::pair<const void *, unsigned> key;
  switch (symbol->kind) {
  case Kind::Const:
    return constant(cast<SettingDecl>(symbol->decl));
  case Kind::Option: {
    auto *decl = cast<SettingDecl>(symbol->decl);
    FailureOr<OptionInfo> info = option(decl);
    if (failed(info))
      return failure();
    HostScalar scalar;
    scalar.op = HostScalar::Op::Option;
    scalar.option = decl;
    scalar.type = info->type;
    scalar.mention = expr->range;
    return Value(std::make_shared<const HostScalar>(std::move(scalar)));
  }
  case Kind::Function:
    return evalFunction(expr, symbol->function());
  case Kind::Setting:
  case Kind::Data:
    key = {symbol->parameter, 0};
    break;
  case Kind::Size:
    if (auto it = frame.sizes.find(symbol->name); it != frame.sizes.end())
      return Value(it->second.size);
    return context.report(diag::size_unknown, expr->range, expr->name);
  case Kind::Let:
  case Kind::Var:
  case Kind::Param:
  case Kind::State:
    key = {symbol->stmt, symbol->index};
    break;
  case Kind::Variable:
    key = symbol->stmt ? std::pair<const void *, unsigned>{symbol->stmt, 0}
                       : std::pair<const void *, unsigned>{symbol->expr, 0};
    break;
  case Kind::Builtin:
    return evalBuiltin(expr);
  case Kind::Member:
    return Value(Member{symbol->name.str()});
  case Kind::Field:
    if (auto it = frame.fields.find(symbol->name); it != frame.fields.end())
      return Value(it->second);
    return Value(Member{symbol->name.str()});
  case Kind::Output:
    return frame.output;
  case Kind::Dataset:
  case Kind::Iterator:
  case Kind::Carry:
    return context.report(diag::not_available, expr->range, expr->name);
  }
  auto it = frame.values.find(key);
  assert(it != frame.values.end() && "a use before its declaration");
  return it->second;
}

FailureOr<Value> Evaluator::evalBuiltin(const NameExpr *expr) {
  if (expr->name == "inf")
    return Value(std::numeric_limits<double>::infinity());
  if (expr->name == "pi")
    return Value(std::numbers::pi);
  if (expr->name == "training") {
    context.frame().usesTraining = true;
    return Value(context.training);
  }
  return context.report(diag::not_available, expr->range, expr->name);
}

FailureOr<Value> Evaluator::evalFunction(const NameExpr *expr,
                                         const FunctionDecl *function) {
  llvm::ArrayRef<BoundArgument> settings;
  if (const Call *call = context.program.call(expr))
    settings = call->settings;
  FailureOr<CallablePtr> callable = make(function, settings, expr);
  if (failed(callable))
    return failure();
  return Value(*callable);
}

FailureOr<Value> Evaluator::evalList(const ListExpr *expr) {
  List result;
  for (const Expr *element : expr->elements) {
    FailureOr<Value> value = eval(element);
    if (failed(value))
      return failure();
    result.push_back(*value);
  }
  return Value::list(std::move(result));
}

FailureOr<List> Evaluator::evalSequence(const Expr *expr) {
  FailureOr<Value> value = eval(expr);
  if (failed(value))
    return failure();
  if (const List *list = value->asList())
    return *list;
  if (HostScalarPtr scalar = value->asScalar())
    return reportStructural(context, *scalar, expr->range);
  return context.report(diag::needs_list, expr->range, value->text());
}

FailureOr<bool> Evaluator::evalCondition(const Expr *expr) {
  FailureOr<Value> value = eval(expr);
  if (failed(value))
    return failure();
  if (auto *flag = value->as<bool>())
    return *flag;
  if (HostScalarPtr scalar = value->asScalar())
    return reportStructural(context, *scalar, expr->range);
  auto builder = context.report(diag::needs_bool, expr->range, value->text());
  if (value->as<Tensor>())
    builder.hint(diag::use_where);
  return builder;
}

FailureOr<Value> Evaluator::evalComprehension(const ComprehensionExpr *expr) {
  FailureOr<List> sequence = evalSequence(expr->sequence);
  if (failed(sequence))
    return failure();
  List result;
  for (const Value &element : *sequence) {
    context.frame().values[{expr, 0}] = element;
    if (expr->condition) {
      FailureOr<bool> wanted = evalCondition(expr->condition);
      if (failed(wanted))
        return failure();
      if (!*wanted)
        continue;
    }
    context.frame().loop.push_back(result.size());
    FailureOr<Value> value = eval(expr->element);
    context.frame().loop.pop_back();
    if (failed(value))
      return failure();
    result.push_back(*value);
  }
  return Value::list(std::move(result));
}

FailureOr<Value> Evaluator::evalRecord(const RecordExpr *expr) {
  Record record;
  for (const Argument &field : expr->fields) {
    FailureOr<Value> value = eval(field.value);
    if (failed(value))
      return failure();
    record.names.push_back(field.name.text.str());
    record.values.push_back(*value);
  }
  return Value::record(std::move(record));
}

FailureOr<Value> Evaluator::evalMember(const MemberExpr *expr) {
  FailureOr<Value> base = eval(expr->base);
  if (failed(base))
    return failure();
  if (const Record *record = base->asRecord()) {
    if (const Value *value = record->find(expr->member.text))
      return *value;
    auto report =
        context.report(diag::value_field, expr->member.range, expr->member.text,
                       llvm::join(record->names, ", "));
    llvm::SmallVector<llvm::StringRef> names(record->names.begin(),
                                             record->names.end());
    if (llvm::StringRef near = nearest(expr->member.text, names); !near.empty())
      report.fix(diag::did_you_mean, expr->member.range, near, near);
    return report;
  }
  if (CallablePtr layer = base->asCallable(); layer && layer->isLayer())
    return layerParameter(*layer, expr->member);
  return context.report(diag::no_members, expr->member.range, expr->member.text,
                        base->text());
}

FailureOr<Value> Evaluator::evalUnary(const UnaryExpr *expr) {
  FailureOr<Value> value = eval(expr->operand);
  if (failed(value))
    return failure();
  Tensors tensors(context, expr->range);
  if (expr->op == UnaryOp::Not) {
    if (auto *flag = value->as<bool>())
      return Value(!*flag);
    if (auto *tensor = value->as<Tensor>())
      return tensors.logicalNot(*tensor);
    if (HostScalarPtr scalar = value->asScalar())
      return reportStructural(context, *scalar, expr->range);
    return context.report(diag::needs_bool, expr->operand->range,
                          value->text());
  }
  if (auto *n = value->as<int64_t>()) {
    if (*n == INT64_MIN)
      return context.report(diag::integer_overflow, expr->range, 0, "-", *n);
    return Value(-*n);
  }
  if (auto *n = value->as<double>())
    return Value(-*n);
  if (HostScalarPtr scalar = asHostScalar(*value))
    return Value(
        HostScalar::make(HostScalar::Op::Sub, HostScalar::number(0), scalar));
  if (auto *tensor = value->as<Tensor>())
    return tensors.negate(*tensor);
  return context.report(diag::operator_operand, expr->range, "-",
                        value->text());
}

FailureOr<Value> Evaluator::evalLogic(const BinaryExpr *expr) {
  FailureOr<Value> lhs = eval(expr->lhs);
  if (failed(lhs))
    return failure();
  bool isAnd = expr->op == BinaryOp::And;
  // The right side is not evaluated where the left one decides.
  if (auto *flag = lhs->as<bool>(); flag && *flag != isAnd)
    return *lhs;
  FailureOr<Value> rhs = eval(expr->rhs);
  if (failed(rhs))
    return failure();
  for (auto [side, value] :
       {std::pair(expr->lhs, &*lhs), std::pair(expr->rhs, &*rhs)}) {
    auto *tensor = value->as<Tensor>();
    if (HostScalarPtr scalar = value->asScalar())
      return reportStructural(context, *scalar, expr->range);
    if (!value->as<bool>() &&
        !(tensor && tensor->type.element == Element::Mask))
      return context.report(diag::needs_bool, side->range, value->text());
  }
  if (lhs->as<bool>())
    return *rhs;
  if (auto *flag = rhs->as<bool>())
    return *flag == isAnd ? *lhs : *rhs;
  Tensors tensors(context, expr->range);
  return isAnd ? tensors.where(*lhs, *rhs,
                               tensors.constant(0, rhs->as<Tensor>()->type))
               : tensors.where(
                     *lhs, tensors.constant(1, rhs->as<Tensor>()->type), *rhs);
}

FailureOr<Value> Evaluator::evalBinary(const BinaryExpr *expr) {
  if (expr->op == BinaryOp::And || expr->op == BinaryOp::Or)
    return evalLogic(expr);
  FailureOr<Value> lhs = eval(expr->lhs);
  if (failed(lhs))
    return failure();
  FailureOr<Value> rhs = eval(expr->rhs);
  if (failed(rhs))
    return failure();
  if (expr->op == BinaryOp::Range) {
    List result;
    for (auto [side, value] :
         {std::pair(expr->lhs, &*lhs), std::pair(expr->rhs, &*rhs)}) {
      if (HostScalarPtr scalar = value->asScalar())
        return reportStructural(context, *scalar, side->range);
      if (!value->as<int64_t>())
        return context.report(diag::needs_int, side->range, value->text());
    }
    int64_t begin = *lhs->as<int64_t>(), end = *rhs->as<int64_t>(), length;
    if (llvm::SubOverflow(end, begin, length))
      length = end < begin ? 0 : INT64_MAX;
    if (failed(context.checkLength(length, expr->range)))
      return failure();
    for (int64_t i = begin; i < end; ++i)
      result.push_back(i);
    return Value::list(std::move(result));
  }
  bool hasTensor = lhs->as<Tensor>() || rhs->as<Tensor>();
  if (!hasTensor)
    return evaluateBinary(context, expr, *lhs, *rhs);
  return Tensors(context, expr->range).binary(expr->op, *lhs, *rhs);
}

FailureOr<Value> Evaluator::evalIf(const IfExpr *expr) {
  FailureOr<bool> condition = evalCondition(expr->condition);
  if (failed(condition))
    return failure();
  if (*condition)
    return eval(expr->thenBlock);
  return expr->elseBlock ? eval(expr->elseBlock) : Value();
}
