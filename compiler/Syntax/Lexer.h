//===- Lexer.h - text to tokens ---------------------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_LEXER_H
#define DPL_COMPILER_SYNTAX_LEXER_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Syntax/AST.h"

#include <vector>

namespace dpl {

enum class TokenKind {
#define TOKEN(kind, text) kind,
#include "compiler/Syntax/Tokens.def"
};

/// How a message names a kind of token.
llvm::StringRef describe(TokenKind kind);

struct Token {
  TokenKind kind;
  Range range;
  /// As written; of a string the value, with the escapes replaced.
  llvm::StringRef text;
  /// The `///` lines directly before it, joined by newlines.
  llvm::StringRef doc;
  bool startsLine = false; ///< first on its line
  bool atColumnOne = false;
  /// Not in the text: it closes a bracket that was reported as unclosed.
  bool isMissing = false;

  bool is(TokenKind k) const { return kind == k; }
};

/// Whether the word begins a declaration: `model`, `dataset`, ..
bool isDeclarationWord(llvm::StringRef word);

/// The tokens of a buffer without line ends, the last one EndOfFile. Strings
/// and docs lie in `context`; comments of both kinds are added to `comments`.
std::vector<Token> lex(const SourceBuffer &buffer, ASTContext &context,
                       DiagnosticEngine &diags, std::vector<Comment> &comments);

/// Adds the NewLine tokens that end statements and closes unclosed brackets:
/// what comes out has every bracket closed, in order.
std::vector<Token> layOut(llvm::ArrayRef<Token> tokens,
                          const SourceBuffer &buffer, DiagnosticEngine &diags);

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_LEXER_H
