//===- ParseExpr.cpp - operators, pipes, if and scan ----------------------===//

#include "compiler/Syntax/ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace dpl;

Expr *Parser::parseExpr() {
  Nested nested(*this);
  if (panicking)
    return error();
  if (is(TokenKind::If))
    return parseIf();
  if (is(TokenKind::Scan))
    return parseScan();
  return parsePipes(parseOr());
}

Expr *Parser::parseIf() {
  Nested nested(*this);
  Location begin = advance().range.begin;
  Expr *condition = parseExpr();
  Block *thenBlock = parseBlock();
  Block *elseBlock = nullptr;
  if (more(TokenKind::Else)) {
    if (is(TokenKind::If))
      elseBlock = expressionBlock(parseIf());
    else
      elseBlock = parseBlock();
  }
  return context.make<IfExpr>(since(begin), condition, thenBlock, elseBlock);
}

Expr *Parser::parseScan() {
  Location begin = advance().range.begin;
  Identifier variable = parseName();
  expect(TokenKind::In);
  Expr *sequence = parseExpr();
  llvm::SmallVector<Carry> carries;
  if (!panicking && !acceptWord("carry"))
    fail("`carry`");
  do {
    Identifier name = parseName();
    expect(TokenKind::Equal);
    carries.push_back({name, parseExpr()});
  } while (more(TokenKind::Comma));
  Block *body = parseBlock();
  return context.make<ScanExpr>(since(begin), variable, sequence,
                                list<Carry>(carries), body);
}

/// Whether an expression may stand beside `|>` without brackets.
static bool isPostfix(const Expr *expr) {
  if (expr->parenthesized)
    return true;
  switch (expr->kind) {
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::If:
  case Expr::Kind::Scan:
    return false;
  default:
    return true;
  }
}

static bool isBinaryOperator(TokenKind kind) {
  switch (kind) {
#define OPERATOR(kind, text) case TokenKind::kind:
#include "compiler/Syntax/Tokens.def"
  case TokenKind::Minus:
  case TokenKind::And:
  case TokenKind::Or:
    return true;
  default:
    return false;
  }
}

/// `a + b |> f` has two meanings; both are offered.
void Parser::reportLeftOfPipe(Expr *value, Range pipe) {
  auto wrapped = [&](Range range) {
    return ("(" + buffer.text(range) + ")").str();
  };
  auto report = diags.report(diag::pipe_mixed, pipe, "left of");
  report.fix(diag::pipe_all, value->range, wrapped(value->range));
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(value)) {
    Range last = since(sum->rhs->range.begin);
    report.fix(diag::pipe_last, last, wrapped(last));
  }
}

Expr *Parser::parsePipes(Expr *value) {
  if (panicking || !is(TokenKind::Pipe))
    return value;
  Range pipe = peek().range;
  Expr *first = value;
  Chain chain(*this);
  while (more(TokenKind::Pipe) && chain.link()) {
    Expr *stage = parsePostfix();
    value = context.make<PipeExpr>(Range::join(value->range, stage->range),
                                   value, stage);
  }
  if (!panicking && !isPostfix(first))
    reportLeftOfPipe(first, pipe);
  if (panicking || !isBinaryOperator(peek().kind))
    return value;
  std::string wrapped = ("(" + buffer.text(value->range) + ")").str();
  Token op = advance();
  diags.report(diag::pipe_mixed, op.range, "right of")
      .fix(diag::pipe_first, value->range, wrapped);
  // The operator's kind no longer matters: an error ends the compilation.
  return binary(BinaryOp::Add, op.range, value, parseExpr());
}

Expr *Parser::binary(BinaryOp op, Range opRange, Expr *lhs, Expr *rhs) {
  return context.make<BinaryExpr>(Range::join(lhs->range, rhs->range), op,
                                  opRange, lhs, rhs);
}

Expr *Parser::parseOr() {
  Expr *lhs = parseAnd();
  Chain chain(*this);
  while (!panicking && is(TokenKind::Or) && chain.link()) {
    Range op = advance().range;
    lhs = binary(BinaryOp::Or, op, lhs, parseAnd());
  }
  return lhs;
}

Expr *Parser::parseAnd() {
  Expr *lhs = parseNot();
  Chain chain(*this);
  while (!panicking && is(TokenKind::And) && chain.link()) {
    Range op = advance().range;
    lhs = binary(BinaryOp::And, op, lhs, parseNot());
  }
  return lhs;
}

Expr *Parser::parseNot() {
  if (panicking || !is(TokenKind::Not))
    return parseComparison();
  Nested nested(*this);
  Location begin = advance().range.begin;
  Expr *operand = parseNot();
  return context.make<UnaryExpr>(since(begin), UnaryOp::Not, operand);
}

static std::optional<BinaryOp> comparison(TokenKind kind) {
  switch (kind) {
  case TokenKind::EqualEqual:
    return BinaryOp::Eq;
  case TokenKind::NotEqual:
    return BinaryOp::Ne;
  case TokenKind::Less:
    return BinaryOp::Lt;
  case TokenKind::LessEqual:
    return BinaryOp::Le;
  case TokenKind::Greater:
    return BinaryOp::Gt;
  case TokenKind::GreaterEqual:
    return BinaryOp::Ge;
  default:
    return std::nullopt;
  }
}

Expr *Parser::parseComparison() {
  Expr *lhs = parseRange();
  bool compared = false;
  Chain chain(*this);
  while (!panicking && comparison(peek().kind) && chain.link()) {
    Token op = advance();
    if (compared)
      diags.report(diag::chained_comparison, op.range)
          .hint(diag::compare_twice);
    lhs = binary(*comparison(op.kind), op.range, lhs, parseRange());
    compared = true;
  }
  return lhs;
}

Expr *Parser::parseRange() {
  Expr *lhs = parseSum();
  if (panicking || !is(TokenKind::DotDot))
    return lhs;
  Range op = advance().range;
  return binary(BinaryOp::Range, op, lhs, parseSum());
}

Expr *Parser::parseSum() {
  Expr *lhs = parseProduct();
  Chain chain(*this);
  while (!panicking && (is(TokenKind::Plus) || is(TokenKind::Minus)) &&
         chain.link()) {
    Token op = advance();
    lhs = binary(op.is(TokenKind::Plus) ? BinaryOp::Add : BinaryOp::Sub,
                 op.range, lhs, parseProduct());
  }
  return lhs;
}

static std::optional<BinaryOp> productOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::Star:
    return BinaryOp::Mul;
  case TokenKind::Slash:
    return BinaryOp::Div;
  case TokenKind::Percent:
    return BinaryOp::Rem;
  default:
    return std::nullopt;
  }
}

Expr *Parser::parseProduct() {
  Expr *lhs = parseUnary();
  Chain chain(*this);
  while (!panicking && productOperator(peek().kind) && chain.link()) {
    Token op = advance();
    lhs = binary(*productOperator(op.kind), op.range, lhs, parseUnary());
  }
  return lhs;
}

Expr *Parser::parseUnary() {
  if (!panicking && is(TokenKind::Minus)) {
    Nested nested(*this);
    Location begin = advance().range.begin;
    Expr *operand = parseUnary();
    return context.make<UnaryExpr>(since(begin), UnaryOp::Negate, operand);
  }
  Expr *base = parsePostfix();
  if (panicking || !is(TokenKind::StarStar))
    return base;
  Nested nested(*this);
  Range op = advance().range;
  return binary(BinaryOp::Pow, op, base, parseUnary());
}
