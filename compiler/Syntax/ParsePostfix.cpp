//===- ParsePostfix.cpp - calls, indices, primaries -----------------------===//

#include "compiler/Support/Nearest.h"
#include "compiler/Syntax/ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace dpl;
using llvm::StringRef;

Expr *Parser::parsePostfix() {
  Expr *base = parsePrimary();
  Chain chain(*this);
  while (!panicking && chain.link()) {
    Location begin = base->range.begin;
    bool sameLine = !peek().startsLine;
    if (is(TokenKind::LeftParen) && sameLine) {
      advance();
      llvm::ArrayRef<Argument> args = parseArguments(TokenKind::RightParen);
      base = context.make<CallExpr>(since(begin), base, args);
    } else if (is(TokenKind::LeftBracket) && sameLine) {
      advance();
      llvm::ArrayRef<Dim> dims = parseDims();
      base = context.make<IndexExpr>(since(begin), base, dims);
    } else if (accept(TokenKind::Dot)) {
      Identifier member = parseName();
      base = context.make<MemberExpr>(since(begin), base, member);
    } else {
      break;
    }
  }
  return base;
}

Argument Parser::parseArgument() {
  Identifier name;
  if (is(TokenKind::Identifier) && peek(1).is(TokenKind::Colon)) {
    name = parseName();
    advance();
  }
  return {name, parseExpr()};
}

/// `a, b: c` and the closing bracket; a comma may stand before it.
llvm::ArrayRef<Argument> Parser::parseArguments(TokenKind end) {
  llvm::SmallVector<Argument> args;
  while (!panicking && !is(end)) {
    args.push_back(parseArgument());
    if (!more(TokenKind::Comma))
      break;
  }
  expect(end);
  return list<Argument>(args);
}

/// `.., n, 3]`.
llvm::ArrayRef<Dim> Parser::parseDims() {
  llvm::SmallVector<Dim> dims;
  while (!panicking && !is(TokenKind::RightBracket)) {
    bool isRest =
        is(TokenKind::DotDot) &&
        (peek(1).is(TokenKind::Comma) || peek(1).is(TokenKind::RightBracket));
    if (isRest) {
      dims.push_back({advance().range, nullptr});
    } else {
      Expr *expr = parseExpr();
      dims.push_back({expr->range, expr});
    }
    if (!more(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightBracket);
  return list<Dim>(dims);
}

Expr *Parser::parsePrimary() {
  if (panicking)
    return error();
  const Token token = peek();
  switch (token.kind) {
  case TokenKind::Number:
    return parseNumber();
  case TokenKind::String:
    advance();
    return context.make<StringExpr>(token.range, token.text);
  case TokenKind::True:
  case TokenKind::False:
    advance();
    return context.make<BoolExpr>(token.range, token.is(TokenKind::True));
  case TokenKind::Identifier:
    advance();
    return context.make<NameExpr>(token.range, token.text);
  case TokenKind::LeftBracket:
    return parseList();
  case TokenKind::LeftParen:
    return parseParenthesized();
  case TokenKind::Einsum:
    return parseEinsum();
  default:
    fail("an expression");
    return error();
  }
}

Expr *Parser::parseNumber() {
  Token token = advance();
  std::string digits = token.text.str();
  llvm::erase(digits, '_');
  NumberExpr *number = nullptr;
  if (token.text.find_first_of(".eE") == StringRef::npos) {
    int64_t value = 0;
    if (StringRef(digits).getAsInteger(10, value))
      diags.report(diag::number_too_large, token.range, token.text);
    number = context.make<NumberExpr>(token.range, token.text, value);
  } else {
    double value = 0;
    if (StringRef(digits).getAsDouble(value) || std::isinf(value))
      diags.report(diag::number_too_large, token.range, token.text);
    number = context.make<NumberExpr>(token.range, token.text, value);
  }
  return parseQuantity(number);
}

static std::optional<Unit> unitOf(StringRef word) {
  return llvm::StringSwitch<std::optional<Unit>>(word)
      .Cases({"epoch", "epochs"}, Unit::Epoch)
      .Cases({"iteration", "iterations"}, Unit::Iteration)
      .Cases({"second", "seconds"}, Unit::Second)
      .Cases({"minute", "minutes"}, Unit::Minute)
      .Cases({"hour", "hours"}, Unit::Hour)
      .Default(std::nullopt);
}

/// A number goes on to a quantity if a name follows on its line that is not
/// one of the words that may stand behind an expression.
Expr *Parser::parseQuantity(NumberExpr *number) {
  const Token &token = peek();
  if (!token.is(TokenKind::Identifier) || token.startsLine ||
      llvm::is_contained({"as", "carry", "on", "from", "except"}, token.text))
    return number;
  advance();
  std::optional<Unit> unit = unitOf(token.text);
  if (!unit) {
    auto report = diags.report(diag::unknown_unit, token.range, token.text);
    StringRef near = nearest(
        token.text, {"epochs", "iterations", "seconds", "minutes", "hours"});
    if (near.empty())
      report.hint(diag::known_units);
    else
      report.fix(diag::did_you_mean, token.range, near, near);
  }
  return context.make<QuantityExpr>(since(number->range.begin), number,
                                    unit.value_or(Unit::Epoch));
}

/// `(a: x, b: y)` or `(x)`.
Expr *Parser::parseParenthesized() {
  Location begin = advance().range.begin;
  if (is(TokenKind::Identifier) && peek(1).is(TokenKind::Colon)) {
    llvm::ArrayRef<Argument> fields = parseArguments(TokenKind::RightParen);
    for (const Argument &field : fields)
      if (!field.name && !panicking)
        diags.report(diag::field_without_name, field.value->range);
    return context.make<RecordExpr>(since(begin), fields);
  }
  Expr *inner = parseExpr();
  expect(TokenKind::RightParen);
  inner->parenthesized = true;
  inner->range = since(begin);
  return inner;
}

Expr *Parser::parseList() {
  Location begin = advance().range.begin;
  if (accept(TokenKind::RightBracket))
    return context.make<ListExpr>(since(begin), llvm::ArrayRef<Expr *>());
  llvm::SmallVector<Expr *> elements = {parseExpr()};
  if (more(TokenKind::For)) {
    Identifier variable = parseName();
    expect(TokenKind::In);
    Expr *sequence = parseExpr();
    Expr *condition = more(TokenKind::If) ? parseExpr() : nullptr;
    expect(TokenKind::RightBracket);
    return context.make<ComprehensionExpr>(since(begin), elements[0], variable,
                                           sequence, condition);
  }
  while (more(TokenKind::Comma) && !is(TokenKind::RightBracket))
    elements.push_back(parseExpr());
  expect(TokenKind::RightBracket);
  return context.make<ListExpr>(since(begin), list<Expr *>(elements));
}

/// The last suffix of a factor holds the labels of its axes.
EinsumFactor Parser::parseEinsumFactor() {
  Expr *factor = parsePostfix();
  auto *labelled = llvm::dyn_cast<IndexExpr>(factor);
  if (labelled && !labelled->parenthesized)
    return {labelled->base, labelled->indices, labelled->range};
  if (!panicking)
    diags.report(diag::einsum_without_labels, factor->range)
        .hint(diag::einsum_form);
  return {factor, {}, factor->range};
}

Expr *Parser::parseEinsum() {
  Location begin = advance().range.begin;
  expect(TokenKind::LeftParen);
  llvm::SmallVector<EinsumFactor> factors;
  do
    factors.push_back(parseEinsumFactor());
  while (more(TokenKind::Star));
  expect(TokenKind::Arrow);
  expect(TokenKind::LeftBracket);
  llvm::ArrayRef<Dim> result = parseDims();
  expect(TokenKind::RightParen);
  return context.make<EinsumExpr>(since(begin), list<EinsumFactor>(factors),
                                  result);
}
