//===- Arithmetic.cpp - operators on compile-time values ------------------===//

#include "compiler/Import/Arithmetic.h"

#include "compiler/Import/Evaluator.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::FailureOr;

HostScalarPtr importer::asHostScalar(const Value &value) {
  if (std::optional<double> n = value.asNumber())
    return HostScalar::number(*n);
  HostScalarPtr scalar = value.asScalar();
  return scalar && scalar->isNumeric() ? scalar : nullptr;
}

const NumberFunction *importer::numberFunction(llvm::StringRef name) {
  using Op = HostScalar::Op;
  static const std::pair<llvm::StringLiteral, NumberFunction> table[] = {
      {"exp", {[](double a) { return std::exp(a); }, Op::Exp}},
      {"log", {[](double a) { return std::log(a); }, Op::Log}},
      {"sqrt", {[](double a) { return std::sqrt(a); }, Op::Sqrt}},
      {"tanh", {[](double a) { return std::tanh(a); }, Op::Tanh}},
      {"erf", {[](double a) { return std::erf(a); }, Op::Erf}},
      {"sin", {[](double a) { return std::sin(a); }, Op::Sin}},
      {"abs", {[](double a) { return std::fabs(a); }, Op::Abs}},
  };
  for (const auto &[key, function] : table)
    if (key == name)
      return &function;
  return nullptr;
}

static bool isComparison(BinaryOp op) {
  return op >= BinaryOp::Eq && op <= BinaryOp::Ge;
}

template <typename T> static bool compare(BinaryOp op, const T &a, const T &b) {
  switch (op) {
  case BinaryOp::Eq:
    return a == b;
  case BinaryOp::Ne:
    return !(a == b);
  case BinaryOp::Lt:
    return a < b;
  case BinaryOp::Le:
    return !(b < a);
  case BinaryOp::Gt:
    return b < a;
  default:
    return !(a < b);
  }
}

static std::optional<int64_t> integerPower(int64_t base, int64_t exponent) {
  // Powers of 1, 0 and -1 never overflow, and only the parity matters.
  if (base >= -1 && base <= 1)
    exponent = std::min<int64_t>(exponent, 2 - exponent % 2);
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i)
    if (llvm::MulOverflow(result, base, result))
      return std::nullopt;
  return result;
}

static FailureOr<Value> integers(Context &context, const BinaryExpr *expr,
                                 int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (expr->op) {
  case BinaryOp::Add:
    overflow = llvm::AddOverflow(a, b, result);
    break;
  case BinaryOp::Sub:
    overflow = llvm::SubOverflow(a, b, result);
    break;
  case BinaryOp::Mul:
    overflow = llvm::MulOverflow(a, b, result);
    break;
  case BinaryOp::Div:
    if (b == 0)
      return context.report(diag::division_by_zero, expr->range, a);
    if (b == -1) { // the one quotient that can be too large
      overflow = llvm::SubOverflow<int64_t>(0, a, result);
      break;
    }
    if (a % b != 0) {
      auto report = context.report(diag::division_exact, expr->range, a, b);
      // Nobody can follow the advice in a layer of the prelude.
      if (!context.isPrelude(expr->range))
        report.hint(diag::division_float);
      return report;
    }
    result = a / b;
    break;
  case BinaryOp::Rem:
    if (b == 0)
      return context.report(diag::division_by_zero, expr->range, a);
    result = b == -1 ? 0 : a % b;
    break;
  case BinaryOp::Pow: {
    if (b < 0)
      return Value(std::pow(static_cast<double>(a), static_cast<double>(b)));
    std::optional<int64_t> power = integerPower(a, b);
    overflow = !power;
    result = power.value_or(0);
    break;
  }
  default:
    return Value(compare(expr->op, a, b));
  }
  if (overflow)
    return context.report(diag::integer_overflow, expr->range, a,
                          spelling(expr->op), b);
  return Value(result);
}

static FailureOr<Value> floats(Context &context, const BinaryExpr *expr,
                               double a, double b) {
  switch (expr->op) {
  case BinaryOp::Add:
    return Value(a + b);
  case BinaryOp::Sub:
    return Value(a - b);
  case BinaryOp::Mul:
    return Value(a * b);
  case BinaryOp::Div:
    return Value(a / b);
  case BinaryOp::Rem:
    return Value(std::fmod(a, b));
  case BinaryOp::Pow:
    return Value(std::pow(a, b));
  default:
    return Value(compare(expr->op, a, b));
  }
}

static FailureOr<Value> scalars(Context &context, const BinaryExpr *expr,
                                HostScalarPtr a, HostScalarPtr b) {
  using Op = HostScalar::Op;
  auto make = [&](Op op) { return Value(HostScalar::make(op, a, b)); };
  switch (expr->op) {
  case BinaryOp::Add:
    return make(Op::Add);
  case BinaryOp::Sub:
    return make(Op::Sub);
  case BinaryOp::Mul:
    return make(Op::Mul);
  case BinaryOp::Div:
    return make(Op::Div);
  case BinaryOp::Pow:
    return make(Op::Pow);
  default:
    return reportStructural(context, a->firstOption() ? *a : *b, expr->range);
  }
}

/// Sums of durations of one unit, multiples, and comparisons.
static FailureOr<Value> durations(Context &context, const BinaryExpr *expr,
                                  const Value &lhs, const Value &rhs) {
  auto *a = lhs.as<Duration>(), *b = rhs.as<Duration>();
  if (a && b && a->unit == b->unit) {
    if (isComparison(expr->op))
      return Value(compare(expr->op, a->count, b->count));
    if (expr->op == BinaryOp::Add)
      return Value(Duration{a->count + b->count, a->unit});
    if (expr->op == BinaryOp::Sub)
      return Value(Duration{a->count - b->count, a->unit});
  }
  std::optional<double> n = a ? rhs.asNumber() : lhs.asNumber();
  const Duration *d = a ? a : b;
  if (n && expr->op == BinaryOp::Mul)
    return Value(Duration{d->count * *n, d->unit});
  if (n && a && expr->op == BinaryOp::Div)
    return Value(Duration{d->count / *n, d->unit});
  return context.report(diag::operator_operands, expr->range,
                        spelling(expr->op), lhs.text(), rhs.text());
}

FailureOr<Value> importer::evaluateBinary(Context &context,
                                          const BinaryExpr *expr,
                                          const Value &lhs, const Value &rhs) {
  auto *a = lhs.as<int64_t>(), *b = rhs.as<int64_t>();
  if (a && b)
    return integers(context, expr, *a, *b);
  if (std::optional<double> x = lhs.asNumber(), y = rhs.asNumber(); x && y)
    return floats(context, expr, *x, *y);
  if (HostScalarPtr x = asHostScalar(lhs), y = asHostScalar(rhs); x && y)
    return scalars(context, expr, x, y);
  if (lhs.as<Duration>() || rhs.as<Duration>())
    return durations(context, expr, lhs, rhs);
  for (const Value *side : {&lhs, &rhs})
    if (HostScalarPtr scalar = side->asScalar())
      return reportStructural(context, *scalar, expr->range);
  if (expr->op == BinaryOp::Eq || expr->op == BinaryOp::Ne) {
    bool equal = lhs.key() == rhs.key();
    bool comparable = (lhs.as<bool>() && rhs.as<bool>()) ||
                      (lhs.as<std::string>() && rhs.as<std::string>()) ||
                      (lhs.as<Member>() && rhs.as<Member>()) ||
                      (lhs.asList() && rhs.asList());
    if (comparable)
      return Value(equal == (expr->op == BinaryOp::Eq));
  }
  if (const List *x = lhs.asList(), *y = rhs.asList();
      x && y && expr->op == BinaryOp::Add) {
    if (failed(context.checkLength(x->size() + y->size(), expr->range)))
      return llvm::failure();
    List joined = *x;
    joined.insert(joined.end(), y->begin(), y->end());
    return Value::list(std::move(joined));
  }
  return context.report(diag::operator_operands, expr->range,
                        spelling(expr->op), lhs.text(), rhs.text());
}
