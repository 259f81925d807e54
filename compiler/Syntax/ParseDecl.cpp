//===- ParseDecl.cpp - declarations ---------------------------------------===//

#include "compiler/Support/Nearest.h"
#include "compiler/Syntax/ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace dpl;
using llvm::StringRef;

llvm::ArrayRef<Decl *> Parser::parseFile() {
  llvm::SmallVector<Decl *> decls;
  for (;;) {
    while (accept(TokenKind::NewLine))
      ;
    if (is(TokenKind::EndOfFile))
      return list<Decl *>(decls);
    if (Decl *decl = parseDecl())
      decls.push_back(decl);
    endStatement(/*statementDepth=*/0);
  }
}

static std::optional<FunctionKind> functionKind(StringRef word) {
  return llvm::StringSwitch<std::optional<FunctionKind>>(word)
      .Case("layer", FunctionKind::Layer)
      .Case("fn", FunctionKind::Fn)
      .Case("optimizer", FunctionKind::Optimizer)
      .Case("reader", FunctionKind::Reader)
      .Case("model", FunctionKind::Model)
      .Default(std::nullopt);
}

Decl *Parser::parseDecl() {
  const Token first = peek();
  if (!first.is(TokenKind::Identifier) || !isDeclarationWord(first.text)) {
    if (!first.is(TokenKind::Error)) {
      auto report =
          diags.report(diag::expected_declaration, first.range, first.text);
      StringRef near =
          nearest(first.text,
                  {"import", "const", "option", "dataset", "iterator", "extern",
                   "layer", "fn", "reader", "optimizer", "model", "train"});
      if (!near.empty())
        report.fix(diag::did_you_mean, first.range, near, near);
    }
    panicking = true;
    return nullptr;
  }
  advance();
  if (first.text == "import")
    return parseImport(first);
  if (first.text == "const" || first.text == "option")
    return parseSetting(first);
  if (first.text == "dataset")
    return parseDataset(first);
  if (first.text == "iterator")
    return parseIterator(first);
  if (first.text == "train")
    return parseTrain(first);
  return parseFunction(first, first.text == "extern");
}

Decl *Parser::parseImport(const Token &first) {
  if (!is(TokenKind::String)) {
    fail("the file's name in quotes");
    return nullptr;
  }
  Token path = advance();
  return context.make<ImportDecl>(
      since(first.range.begin), first.doc,
      context.make<StringExpr>(path.range, path.text));
}

Decl *Parser::parseSetting(const Token &first) {
  Identifier name = parseName();
  TypeNode *type = more(TokenKind::Colon) ? parseType() : nullptr;
  expect(TokenKind::Equal);
  Expr *value = parseExpr();
  StringExpr *help = nullptr;
  if (!panicking && is(TokenKind::String)) {
    Token token = advance();
    help = context.make<StringExpr>(token.range, token.text);
  }
  return context.make<SettingDecl>(since(first.range.begin), first.doc,
                                   first.text == "option", name, type, value,
                                   help);
}

Decl *Parser::parseDataset(const Token &first) {
  Identifier name = parseName();
  RecordType *type = more(TokenKind::Colon) ? parseRecordType() : nullptr;
  expect(TokenKind::Equal);
  Expr *value = parseExpr();
  return context.make<DatasetDecl>(since(first.range.begin), first.doc, name,
                                   type, value);
}

Decl *Parser::parseIterator(const Token &first) {
  Identifier name = parseName();
  expect(TokenKind::Equal);
  Expr *value = parseExpr();
  return context.make<IteratorDecl>(since(first.range.begin), first.doc, name,
                                    value);
}

Parameter Parser::parseParameter() {
  StringRef doc = peek().doc;
  Identifier name = parseName();
  TypeNode *type = more(TokenKind::Colon) ? parseType() : nullptr;
  Expr *value = more(TokenKind::Equal) ? parseExpr() : nullptr;
  return {name, type, value, doc};
}

ParameterList Parser::parseParameters() {
  llvm::SmallVector<Parameter> parameters;
  expect(TokenKind::LeftParen);
  while (!panicking && !is(TokenKind::RightParen)) {
    parameters.push_back(parseParameter());
    if (!more(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightParen);
  return list<Parameter>(parameters);
}

Decl *Parser::parseFunction(const Token &first, bool isExtern) {
  StringRef word = isExtern ? peek().text : first.text;
  std::optional<FunctionKind> kind = functionKind(word);
  if (isExtern) {
    if (!kind || *kind == FunctionKind::Model) {
      fail("`layer`, `fn`, `optimizer` or `reader`");
      return nullptr;
    }
    advance();
  }
  Identifier name = parseName();
  ParameterList settings;
  ParameterList data = parseParameters();
  bool twoLists = !panicking && is(TokenKind::LeftParen);
  if (twoLists) {
    if (*kind == FunctionKind::Model)
      diags.report(diag::model_with_two_lists, peek().range, name.text)
          .hint(diag::use_const);
    settings = data;
    data = parseParameters();
  }
  TypeNode *result = more(TokenKind::Arrow) ? parseType() : nullptr;
  Block *body = parseBody(*kind, name, isExtern);
  return context.make<FunctionDecl>(since(first.range.begin), first.doc, *kind,
                                    isExtern, name, twoLists, settings, data,
                                    result, body);
}

/// `= expr` or `{ .. }`; nothing for an extern.
Block *Parser::parseBody(FunctionKind kind, Identifier name, bool isExtern) {
  if (panicking)
    return nullptr;
  bool hasBody = is(TokenKind::Equal) || is(TokenKind::LeftBrace);
  if (isExtern || !hasBody) {
    if (isExtern && hasBody)
      diags.report(diag::extern_with_body, peek().range, name.text);
    if (!isExtern)
      fail("a body, `=` or `{`");
    panicking |= hasBody;
    return nullptr;
  }
  if (!is(TokenKind::Equal))
    return parseBlock();
  Token equal = advance();
  if (!is(TokenKind::LeftBrace))
    return expressionBlock(parseExpr());
  diags.report(diag::equal_before_block, equal.range)
      .fix(diag::leave_out, equal.range, "", "=");
  return parseBlock();
}
