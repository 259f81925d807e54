//===- LexerFuzzer.cpp - any bytes as the text of a program ---------------===//

#include "compiler/Diagnostics/Render.h"
#include "compiler/Syntax/Lexer.h"
#include "test/fuzz/Fuzzer.h"

using namespace dpl;

static bool isOpen(TokenKind kind) {
  return kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket ||
         kind == TokenKind::LeftBrace;
}

static bool closes(TokenKind open, TokenKind kind) {
  return (open == TokenKind::LeftParen && kind == TokenKind::RightParen) ||
         (open == TokenKind::LeftBracket && kind == TokenKind::RightBracket) ||
         (open == TokenKind::LeftBrace && kind == TokenKind::RightBrace);
}

static bool isClose(TokenKind kind) {
  return kind == TokenKind::RightParen || kind == TokenKind::RightBracket ||
         kind == TokenKind::RightBrace;
}

/// Tokens lie in the buffer, in order, and the last one is its end.
static void checkOrder(llvm::ArrayRef<Token> tokens,
                       const SourceBuffer &buffer) {
  Location last = buffer.begin();
  for (const Token &token : tokens) {
    DPL_PROMISE(last <= token.range.begin);
    DPL_PROMISE(token.range.begin <= token.range.end);
    DPL_PROMISE(token.range.end <= buffer.end());
    last = token.range.end;
  }
  DPL_PROMISE(!tokens.empty() && tokens.back().is(TokenKind::EndOfFile));
}

static void checkBrackets(llvm::ArrayRef<Token> tokens) {
  std::vector<TokenKind> open;
  for (const Token &token : tokens) {
    if (isOpen(token.kind))
      open.push_back(token.kind);
    if (!isClose(token.kind))
      continue;
    DPL_PROMISE(!open.empty() && closes(open.back(), token.kind));
    open.pop_back();
  }
  DPL_PROMISE(open.empty());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  ASTContext context;
  DiagnosticEngine diags;
  std::vector<Comment> comments;
  const SourceBuffer &buffer = sources.add(
      "fuzz.dpl", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  std::vector<Token> tokens = lex(buffer, context, diags, comments);
  checkOrder(tokens, buffer);
  checkBrackets(layOut(tokens, buffer, diags));
  renderText(diags, sources, llvm::nulls());
  renderJson(diags, sources, llvm::nulls());
  return 0;
}
