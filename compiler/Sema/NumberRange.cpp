//===- NumberRange.cpp - the numbers that a declaration allows ------------===//

#include "compiler/Sema/NumberRange.h"

#include "compiler/Syntax/Printer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"

using namespace dpl;
using llvm::cast;
using llvm::dyn_cast;
using llvm::StringRef;

bool NumberRange::isEverything() const {
  return least == -std::numeric_limits<double>::infinity() &&
         most == std::numeric_limits<double>::infinity();
}

bool NumberRange::contains(double number) const {
  bool isAbove = isOpenBelow ? number > least : number >= least;
  bool isBelow = isOpenAbove ? number < most : number <= most;
  return isAbove && isBelow;
}

NumberRange NumberRange::operator&(const NumberRange &other) const {
  NumberRange both = *this;
  if (other.least > least || (other.least == least && other.isOpenBelow)) {
    both.least = other.least;
    both.isOpenBelow = other.isOpenBelow;
  }
  if (other.most < most || (other.most == most && other.isOpenAbove)) {
    both.most = other.most;
    both.isOpenAbove = other.isOpenAbove;
  }
  return both;
}

static std::string numberText(double number) {
  llvm::SmallString<32> text;
  llvm::APFloat(number).toString(text, 0, 12);
  return text.str().str();
}

std::string NumberRange::text() const {
  std::string result;
  if (least != -std::numeric_limits<double>::infinity())
    result = (isOpenBelow ? "more than " : "at least ") + numberText(least);
  if (most == std::numeric_limits<double>::infinity())
    return result;
  return result + (result.empty() ? "" : " and ") +
         (isOpenAbove ? "less than " : "at most ") + numberText(most);
}

bool dpl::hasRange(const NamedType *type) {
  StringRef name = type->name.text;
  return name == "int" || name == "float" || name == "schedule";
}

static std::optional<double> literal(const Expr *expr) {
  if (auto *unary = dyn_cast<UnaryExpr>(expr);
      unary && unary->op == UnaryOp::Negate) {
    std::optional<double> operand = literal(unary->operand);
    return operand ? std::optional(-*operand) : std::nullopt;
  }
  auto *number = dyn_cast<NumberExpr>(expr);
  return number ? std::optional(number->real) : std::nullopt;
}

/// One comparison of the name with a number, `number` standing on the right.
static std::optional<NumberRange> compared(BinaryOp op, double number) {
  NumberRange range;
  switch (op) {
  case BinaryOp::Gt:
    range.isOpenBelow = true;
    [[fallthrough]];
  case BinaryOp::Ge:
    range.least = number;
    return range;
  case BinaryOp::Lt:
    range.isOpenAbove = true;
    [[fallthrough]];
  case BinaryOp::Le:
    range.most = number;
    return range;
  default:
    return std::nullopt;
  }
}

/// The comparison that says the same with its sides exchanged.
static BinaryOp mirrored(BinaryOp op) {
  switch (op) {
  case BinaryOp::Gt:
    return BinaryOp::Lt;
  case BinaryOp::Ge:
    return BinaryOp::Le;
  case BinaryOp::Lt:
    return BinaryOp::Gt;
  case BinaryOp::Le:
    return BinaryOp::Ge;
  default:
    return op;
  }
}

static std::optional<NumberRange> condition(const Expr *expr, StringRef &name) {
  auto *binary = dyn_cast<BinaryExpr>(expr);
  if (!binary)
    return std::nullopt;
  if (binary->op == BinaryOp::And) {
    std::optional<NumberRange> lhs = condition(binary->lhs, name);
    std::optional<NumberRange> rhs = condition(binary->rhs, name);
    return lhs && rhs ? std::optional(*lhs & *rhs) : std::nullopt;
  }
  bool isLeft = llvm::isa<NameExpr>(binary->lhs);
  auto *subject = dyn_cast<NameExpr>(isLeft ? binary->lhs : binary->rhs);
  std::optional<double> number = literal(isLeft ? binary->rhs : binary->lhs);
  if (!subject || !number)
    return std::nullopt;
  if (name.empty())
    name = subject->name;
  if (name != subject->name)
    return std::nullopt;
  return compared(isLeft ? binary->op : mirrored(binary->op), *number);
}

std::optional<NumberRange> dpl::rangeOf(const NamedType *type, StringRef name) {
  if (!hasRange(type) || !type->argument)
    return NumberRange();
  return condition(type->argument, name);
}

std::string dpl::typeText(const TypeNode *type) {
  auto *named = dyn_cast<NamedType>(type);
  if (!named || !hasRange(named))
    return toString(type);
  NamedType bare = *named;
  bare.argument = nullptr;
  return toString(&bare);
}
