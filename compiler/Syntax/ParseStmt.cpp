//===- ParseStmt.cpp - types, blocks and statements -----------------------===//

#include "compiler/Syntax/ParserImpl.h"

using namespace dpl;

RecordType *Parser::parseRecordType() {
  Location begin = peek().range.begin;
  expect(TokenKind::LeftParen);
  llvm::SmallVector<RecordField> fields;
  do {
    if (!fields.empty() && is(TokenKind::RightParen))
      break;
    Identifier name = parseName();
    expect(TokenKind::Colon);
    fields.push_back({name, parseType()});
  } while (more(TokenKind::Comma));
  expect(TokenKind::RightParen);
  return context.make<RecordType>(since(begin), list<RecordField>(fields));
}

TypeNode *Parser::parseType() {
  Nested nested(*this);
  if (!panicking && is(TokenKind::LeftParen))
    return parseRecordType();
  Location begin = peek().range.begin;
  if (!panicking && !is(TokenKind::Identifier))
    fail("a type");
  Identifier name = parseName();
  Expr *argument = nullptr;
  if (more(TokenKind::LeftParen)) {
    argument = parseExpr();
    expect(TokenKind::RightParen);
  }
  llvm::SmallVector<Identifier> alternatives;
  while (more(TokenKind::Bar))
    alternatives.push_back(parseName());
  bool optional = more(TokenKind::Question);
  bool hasDims = more(TokenKind::LeftBracket);
  llvm::ArrayRef<Dim> dims;
  if (hasDims)
    dims = parseDims();
  return context.make<NamedType>(since(begin), name, argument,
                                 list<Identifier>(alternatives), optional,
                                 hasDims, dims);
}

Block *Parser::parseBlock() {
  Location begin = peek().range.begin;
  llvm::SmallVector<Stmt *> statements;
  if (expect(TokenKind::LeftBrace)) {
    while (accept(TokenKind::NewLine))
      ;
    while (!is(TokenKind::RightBrace) && !is(TokenKind::EndOfFile)) {
      unsigned statementDepth = depth;
      statements.push_back(parseStmt());
      endStatement(statementDepth);
      while (accept(TokenKind::NewLine))
        ;
    }
    expect(TokenKind::RightBrace);
    checkValues(statements);
  }
  return context.make<Block>(since(begin), list<Stmt *>(statements), true);
}

Block *Parser::expressionBlock(Expr *expr) {
  Stmt *stmt = context.make<ExprStmt>(expr->range, expr);
  return context.make<Block>(expr->range, list<Stmt *>(stmt), false);
}

/// Only the last statement and an `if` may be an expression.
void Parser::checkValues(llvm::ArrayRef<Stmt *> statements) {
  for (Stmt *stmt : statements.drop_back(statements.empty() ? 0 : 1)) {
    auto *bare = llvm::dyn_cast<ExprStmt>(stmt);
    if (bare && !llvm::isa<IfExpr, ErrorExpr>(bare->expr))
      diags.report(diag::unused_value, bare->range).hint(diag::bind_with_let);
  }
}

Stmt *Parser::parseStmt() {
  switch (peek().kind) {
  case TokenKind::Let:
  case TokenKind::Var:
    return parseLet();
  case TokenKind::Param:
  case TokenKind::State:
    return parseParam();
  case TokenKind::For:
    return parseFor();
  default:
    break;
  }
  Location begin = peek().range.begin;
  if (is(TokenKind::Identifier) && peek(1).is(TokenKind::Equal)) {
    Identifier name = parseName();
    advance();
    Expr *value = parseExpr();
    return context.make<AssignStmt>(since(begin), name, value);
  }
  Expr *expr = parseExpr();
  // What could not be read is no value that is left unused.
  if (panicking)
    expr = error();
  return context.make<ExprStmt>(since(begin), expr);
}

Stmt *Parser::parseLet() {
  Token word = advance();
  llvm::SmallVector<Identifier> names;
  do
    names.push_back(parseName());
  while (more(TokenKind::Comma));
  TypeNode *type = more(TokenKind::Colon) ? parseType() : nullptr;
  expect(TokenKind::Equal);
  Expr *value = parseExpr();
  return context.make<LetStmt>(since(word.range.begin), word.is(TokenKind::Var),
                               list<Identifier>(names), type, value);
}

Stmt *Parser::parseParam() {
  Token word = advance();
  Identifier name = parseName();
  expect(TokenKind::Colon);
  TypeNode *type = parseType();
  expect(TokenKind::Equal);
  Expr *init = parseExpr();
  Identifier role;
  if (!panicking && acceptWord("as"))
    role = parseName();
  return context.make<ParamStmt>(since(word.range.begin),
                                 word.is(TokenKind::State), name, type, init,
                                 role, word.doc);
}

Stmt *Parser::parseFor() {
  Location begin = advance().range.begin;
  Identifier variable = parseName();
  expect(TokenKind::In);
  Expr *sequence = parseExpr();
  Block *body = parseBlock();
  return context.make<ForStmt>(since(begin), variable, sequence, body);
}
