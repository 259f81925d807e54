//===- Parser.cpp - tokens, errors and recovery of the parser -------------===//

#include "compiler/Syntax/Parser.h"

#include "compiler/Syntax/ParserImpl.h"

using namespace dpl;
using llvm::StringRef;

const Token &Parser::peek(unsigned ahead) const {
  return tokens[std::min(pos + ahead, tokens.size() - 1)];
}

bool Parser::isWord(StringRef word, unsigned ahead) const {
  const Token &token = peek(ahead);
  return token.is(TokenKind::Identifier) && token.text == word;
}

Token Parser::advance() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::LeftParen:
  case TokenKind::LeftBracket:
  case TokenKind::LeftBrace:
    ++depth;
    break;
  case TokenKind::RightParen:
  case TokenKind::RightBracket:
  case TokenKind::RightBrace:
    --depth;
    break;
  default:
    break;
  }
  if (!token.is(TokenKind::EndOfFile))
    ++pos;
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!is(kind))
    return false;
  advance();
  return true;
}

bool Parser::acceptWord(StringRef word) {
  if (!isWord(word))
    return false;
  advance();
  return true;
}

Range Parser::since(Location begin) const {
  return {begin, std::max(begin, previous().range.end)};
}

static std::string shown(const Token &token) {
  switch (token.kind) {
  case TokenKind::Identifier:
  case TokenKind::Number:
    return ("`" + token.text + "`").str();
  default:
    return describe(token.kind).str();
  }
}

/// The word of a reserved token, or nothing.
static StringRef reservedWord(const Token &token) {
  switch (token.kind) {
#define KEYWORD(kind, text) case TokenKind::kind:
#include "compiler/Syntax/Tokens.def"
    return token.text;
  default:
    return "";
  }
}

void Parser::fail(const diag::Text &expected) {
  const Token &token = peek();
  // A token that is not in the text, or was wrong already, has its report.
  if (!panicking && !token.isMissing && !token.is(TokenKind::Error)) {
    bool wantsName = expected.text == describe(TokenKind::Identifier);
    if (wantsName && !reservedWord(token).empty())
      diags.report(diag::reserved_word, token.range, token.text);
    else
      diags.report(diag::expected, token.range, expected, shown(token));
  }
  panicking = true;
}

bool Parser::expect(TokenKind kind) {
  if (panicking)
    return false;
  if (accept(kind))
    return true;
  fail(describe(kind));
  return false;
}

void Parser::failNested() {
  diags.report(diag::nested_too_deep, peek().range, kMaxNesting);
  panicking = true;
}

void Parser::failChain() {
  diags.report(diag::chain_too_long, peek().range, kMaxLinks);
  panicking = true;
}

Expr *Parser::error() { return context.make<ErrorExpr>(peek().range); }

Identifier Parser::parseName() {
  if (!panicking && is(TokenKind::Identifier)) {
    Token token = advance();
    return {token.text, token.range};
  }
  fail(describe(TokenKind::Identifier));
  return {"", peek().range};
}

void Parser::recover(unsigned statementDepth) {
  while (!is(TokenKind::EndOfFile)) {
    if (depth == statementDepth &&
        (is(TokenKind::NewLine) || is(TokenKind::RightBrace)))
      break;
    advance();
  }
  panicking = false;
}

void Parser::endStatement(unsigned statementDepth) {
  bool ends = is(TokenKind::NewLine) || is(TokenKind::RightBrace) ||
              is(TokenKind::EndOfFile);
  if (!panicking && !ends)
    fail(describe(TokenKind::NewLine));
  if (panicking)
    recover(statementDepth);
}

SourceFile dpl::parse(const SourceBuffer &buffer, ASTContext &context,
                      DiagnosticEngine &diags) {
  std::vector<Comment> comments;
  std::vector<Token> raw = lex(buffer, context, diags, comments);
  Parser parser(layOut(raw, buffer, diags), buffer, context, diags);
  llvm::ArrayRef<Decl *> decls = parser.parseFile();
  return {&buffer, decls, context.list(llvm::ArrayRef<Comment>(comments))};
}
