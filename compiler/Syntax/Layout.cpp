//===- Layout.cpp - ends of statements, unclosed brackets -----------------===//

#include "compiler/Syntax/Lexer.h"

#include "llvm/ADT/STLExtras.h"

using namespace dpl;
using llvm::ArrayRef;

static bool isOperator(TokenKind kind) {
  switch (kind) {
#define OPERATOR(kind, text) case TokenKind::kind:
#include "compiler/Syntax/Tokens.def"
  case TokenKind::And:
  case TokenKind::Or:
    return true;
  default:
    return false;
  }
}

/// Whether a statement goes on behind a line that ends with this.
static bool continuesBehind(TokenKind kind) {
  switch (kind) {
  case TokenKind::Minus:
  case TokenKind::Comma:
  case TokenKind::Equal:
  case TokenKind::Arrow:
  case TokenKind::Colon:
  case TokenKind::Pipe:
  case TokenKind::Bar:
  case TokenKind::DotDot:
  case TokenKind::Not:
  case TokenKind::In:
  case TokenKind::LeftBrace:
    return true;
  default:
    return isOperator(kind);
  }
}

static TokenKind closerOf(TokenKind opener) {
  switch (opener) {
  case TokenKind::LeftParen:
    return TokenKind::RightParen;
  case TokenKind::LeftBracket:
    return TokenKind::RightBracket;
  default:
    return TokenKind::RightBrace;
  }
}

namespace {

class Layout {
public:
  Layout(ArrayRef<Token> tokens, const SourceBuffer &buffer,
         DiagnosticEngine &diags)
      : tokens(tokens), buffer(buffer), diags(diags) {}

  std::vector<Token> run();

private:
  bool inBrackets() const {
    return !open.empty() && !open.back().is(TokenKind::LeftBrace);
  }
  bool isOpen(TokenKind opener) const {
    return llvm::any_of(open, [&](const Token &t) { return t.is(opener); });
  }
  Range behindLast() const {
    Location at = result.empty() ? buffer.begin() : result.back().range.end;
    return {at, at};
  }
  void startLine(size_t i);
  void place(const Token &token);
  void close(const Token &closer);
  void closeMissing();

  ArrayRef<Token> tokens;
  const SourceBuffer &buffer;
  DiagnosticEngine &diags;
  std::vector<Token> result;
  std::vector<Token> open;
};

/// Reports the innermost bracket as unclosed and closes it.
void Layout::closeMissing() {
  Token opener = open.back();
  open.pop_back();
  Token closer{closerOf(opener.kind), behindLast(), "", ""};
  closer.isMissing = true;
  LineColumn at = buffer.lineColumn(opener.range.begin);
  diags
      .report(diag::unclosed_bracket, closer.range, opener.text,
              std::to_string(at.line) + ":" + std::to_string(at.column))
      .note(diag::opened_here, opener.range, opener.text);
  result.push_back(closer);
}

/// Decides what a new line means before it begins with token `i`.
void Layout::startLine(size_t i) {
  const Token &token = tokens[i];
  bool isStatement = llvm::is_contained(
      {TokenKind::Let, TokenKind::Var, TokenKind::Param, TokenKind::State},
      token.kind);
  bool isDecl = false;
  if (token.atColumnOne && token.is(TokenKind::Identifier) &&
      isDeclarationWord(token.text)) {
    const Token &next = tokens[i + 1];
    isDecl = !next.startsLine &&
             (next.is(TokenKind::Identifier) || next.is(TokenKind::String));
  }
  bool isBrace = token.atColumnOne && token.is(TokenKind::RightBrace);
  if (isStatement || isDecl || isBrace)
    while (inBrackets())
      closeMissing();
  // An `optimizer` in column 1 may be an entry of a `train`.
  if (isDecl && token.text != "optimizer")
    while (!open.empty())
      closeMissing();

  bool begins = isStatement || isDecl;
  bool goesOn =
      token.is(TokenKind::Pipe) || token.is(TokenKind::Else) ||
      (!begins && !result.empty() && continuesBehind(result.back().kind));
  if (inBrackets() || result.empty() || goesOn)
    return;
  if (isOperator(token.kind)) {
    diags.report(diag::line_starts_with_operator, token.range, token.text)
        .hint(diag::operator_ends_line, token.text);
    return;
  }
  result.push_back({TokenKind::NewLine, behindLast(), "", ""});
}

/// A closing bracket: closes what is open inside of its partner first.
void Layout::close(const Token &closer) {
  auto fits = [&](const Token &opener) {
    return closerOf(opener.kind) == closer.kind;
  };
  // `)` and `]` do not look for a partner outside of the innermost braces.
  auto partner = llvm::find_if(llvm::reverse(open), [&](const Token &opener) {
    return fits(opener) || opener.is(TokenKind::LeftBrace);
  });
  if (partner == open.rend() || !fits(*partner)) {
    auto report =
        diags.report(diag::unmatched_bracket, closer.range, closer.text);
    if (inBrackets()) {
      // Most likely it is the closer of the innermost bracket, misspelt.
      report.note(diag::opened_here, open.back().range, open.back().text);
      result.push_back(closer);
      result.back().kind = closerOf(open.back().kind);
      result.back().isMissing = true;
      open.pop_back();
    }
    return;
  }
  while (!fits(open.back()))
    closeMissing();
  open.pop_back();
  result.push_back(closer);
}

void Layout::place(const Token &token) {
  switch (token.kind) {
  case TokenKind::LeftParen:
  case TokenKind::LeftBracket:
  case TokenKind::LeftBrace:
    open.push_back(token);
    result.push_back(token);
    return;
  case TokenKind::RightParen:
  case TokenKind::RightBracket:
  case TokenKind::RightBrace:
    close(token);
    return;
  case TokenKind::Semicolon:
    result.push_back(token);
    result.back().kind = TokenKind::NewLine;
    return;
  case TokenKind::EndOfFile:
    while (!open.empty())
      closeMissing();
    result.push_back({TokenKind::NewLine, behindLast(), "", ""});
    result.push_back(token);
    return;
  default:
    result.push_back(token);
  }
}

std::vector<Token> Layout::run() {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].startsLine && !tokens[i].is(TokenKind::EndOfFile))
      startLine(i);
    place(tokens[i]);
  }
  return std::move(result);
}

} // namespace

std::vector<Token> dpl::layOut(ArrayRef<Token> tokens,
                               const SourceBuffer &buffer,
                               DiagnosticEngine &diags) {
  return Layout(tokens, buffer, diags).run();
}
