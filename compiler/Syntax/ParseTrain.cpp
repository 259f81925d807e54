//===- ParseTrain.cpp - trainings and their entries -----------------------===//

#include "compiler/Syntax/ParserImpl.h"

using namespace dpl;

Decl *Parser::parseTrain(const Token &first) {
  llvm::SmallVector<Identifier> models;
  do
    models.push_back(parseName());
  while (more(TokenKind::Comma));
  llvm::ArrayRef<Entry *> entries = parseEntries();
  return context.make<TrainDecl>(since(first.range.begin), first.doc,
                                 list<Identifier>(models), entries);
}

llvm::ArrayRef<Entry *> Parser::parseEntries() {
  llvm::SmallVector<Entry *> entries;
  if (!expect(TokenKind::LeftBrace))
    return {};
  while (accept(TokenKind::NewLine))
    ;
  while (!is(TokenKind::RightBrace) && !is(TokenKind::EndOfFile)) {
    unsigned entryDepth = depth;
    if (Entry *entry = parseEntry())
      entries.push_back(entry);
    endStatement(entryDepth);
    while (accept(TokenKind::NewLine))
      ;
  }
  expect(TokenKind::RightBrace);
  return list<Entry *>(entries);
}

Entry *Parser::parseEntry() {
  if (isWord("every"))
    return parseEvery();
  if (isWord("step") && peek(1).is(TokenKind::Identifier) &&
      peek(2).is(TokenKind::LeftBrace)) {
    Location begin = advance().range.begin;
    Identifier name = parseName();
    llvm::ArrayRef<Entry *> entries = parseEntries();
    return context.make<StepEntry>(since(begin), name, entries);
  }
  return parseKey();
}

Entry *Parser::parseEvery() {
  Location begin = advance().range.begin;
  Expr *interval = parseExpr();
  llvm::SmallVector<Expr *> actions;
  if (expect(TokenKind::LeftBrace)) {
    while (accept(TokenKind::NewLine))
      ;
    while (!is(TokenKind::RightBrace) && !is(TokenKind::EndOfFile)) {
      unsigned actionDepth = depth;
      actions.push_back(parsePostfix());
      endStatement(actionDepth);
      while (accept(TokenKind::NewLine))
        ;
    }
    expect(TokenKind::RightBrace);
  }
  return context.make<EveryEntry>(since(begin), interval,
                                  list<Expr *>(actions));
}

llvm::ArrayRef<Argument> Parser::parseEntryArguments() {
  llvm::SmallVector<Argument> arguments;
  do
    arguments.push_back(parseArgument());
  while (more(TokenKind::Comma));
  return list<Argument>(arguments);
}

Entry *Parser::parseKey() {
  Identifier key = parseName();
  if (panicking)
    return nullptr;
  if (is(TokenKind::LeftBrace)) {
    Block *block = parseBlock();
    return context.make<KeyEntry>(since(key.range.begin), key,
                                  llvm::ArrayRef<Argument>(), block,
                                  llvm::ArrayRef<Clause>());
  }
  llvm::ArrayRef<Argument> arguments = parseEntryArguments();
  llvm::SmallVector<Clause> clauses;
  while (!panicking && (isWord("on") || isWord("from") || isWord("except"))) {
    ClauseWord word = isWord("on")     ? ClauseWord::On
                      : isWord("from") ? ClauseWord::From
                                       : ClauseWord::Except;
    Range range = advance().range;
    clauses.push_back({word, range, parseEntryArguments()});
  }
  return context.make<KeyEntry>(since(key.range.begin), key, arguments, nullptr,
                                list<Clause>(clauses));
}
