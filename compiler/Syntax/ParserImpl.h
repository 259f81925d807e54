//===- ParserImpl.h - the recursive-descent parser --------------*- C++ -*-===//
//
// One method for each rule of the grammar. After an error the parser is in
// panic: nothing more is reported, and no loop goes on, until the statement or
// declaration is left and `recover` skips to its end.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SYNTAX_PARSERIMPL_H
#define DPL_COMPILER_SYNTAX_PARSERIMPL_H

#include "compiler/Syntax/Lexer.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace dpl {

class Parser {
public:
  Parser(std::vector<Token> tokens, const SourceBuffer &buffer,
         ASTContext &context, DiagnosticEngine &diags)
      : tokens(std::move(tokens)), buffer(buffer), context(context),
        diags(diags) {}

  llvm::ArrayRef<Decl *> parseFile();

private:
  // Tokens.
  const Token &peek(unsigned ahead = 0) const;
  const Token &previous() const { return tokens[pos ? pos - 1 : 0]; }
  bool is(TokenKind kind) const { return peek().is(kind); }
  /// Whether the token is this word, which is not reserved.
  bool isWord(llvm::StringRef word, unsigned ahead = 0) const;
  Token advance();
  bool accept(TokenKind kind);
  bool acceptWord(llvm::StringRef word);
  /// From the beginning of `begin` to the end of what was read last.
  Range since(Location begin) const;

  // Errors.
  /// Reports that something else should stand here.
  void fail(const diag::Text &expected);
  bool expect(TokenKind kind);
  /// Whether to parse one more element of a list.
  bool more(TokenKind separator) { return !panicking && accept(separator); }
  void recover(unsigned statementDepth);
  /// Ends a statement at a new line or before a `}`.
  void endStatement(unsigned statementDepth);
  Expr *error();

  /// One more level of recursion while it lives; too many are an error.
  class Nested {
  public:
    explicit Nested(Parser &parser) : parser(parser) {
      if (++parser.nesting > kMaxNesting && !parser.panicking)
        parser.failNested();
    }
    Nested(const Nested &) = delete;
    ~Nested() { --parser.nesting; }

  private:
    Parser &parser;
  };
  static constexpr unsigned kMaxNesting = 200;

  /// Counts the links of a chain of operators while it lives: a chain is as
  /// deep in the tree as it is long, and what walks the tree recurses.
  class Chain {
  public:
    explicit Chain(Parser &parser) : parser(parser) {}
    Chain(const Chain &) = delete;
    ~Chain() { parser.links -= own; }
    /// Whether one more link may follow; reports an error if it may not.
    bool link() {
      ++own;
      if (++parser.links > kMaxLinks && !parser.panicking)
        parser.failChain();
      return !parser.panicking;
    }

  private:
    Parser &parser;
    unsigned own = 0;
  };
  static constexpr unsigned kMaxLinks = 2000;
  void failNested();
  void failChain();

  Identifier parseName();
  template <typename T> llvm::ArrayRef<T> list(llvm::ArrayRef<T> elements) {
    return context.list(elements);
  }

  // Expressions: ParseExpr.cpp, ParsePostfix.cpp.
  Expr *parseExpr();
  Expr *parseIf();
  Expr *parseScan();
  Expr *parsePipes(Expr *value);
  void reportLeftOfPipe(Expr *value, Range pipe);
  Expr *parseOr();
  Expr *parseAnd();
  Expr *parseNot();
  Expr *parseComparison();
  Expr *parseRange();
  Expr *parseSum();
  Expr *parseProduct();
  Expr *parseUnary();
  Expr *parsePostfix();
  Expr *parsePrimary();
  Expr *parseNumber();
  Expr *parseQuantity(NumberExpr *number);
  Expr *parseParenthesized();
  Expr *parseList();
  Expr *parseEinsum();
  EinsumFactor parseEinsumFactor();
  Expr *binary(BinaryOp op, Range opRange, Expr *lhs, Expr *rhs);
  llvm::ArrayRef<Argument> parseArguments(TokenKind end);
  Argument parseArgument();
  llvm::ArrayRef<Dim> parseDims();

  // Types, statements: ParseStmt.cpp.
  TypeNode *parseType();
  RecordType *parseRecordType();
  Block *parseBlock();
  Block *expressionBlock(Expr *expr);
  Stmt *parseStmt();
  Stmt *parseLet();
  Stmt *parseParam();
  Stmt *parseFor();
  void checkValues(llvm::ArrayRef<Stmt *> statements);

  // Declarations: ParseDecl.cpp.
  Decl *parseDecl();
  Decl *parseImport(const Token &first);
  Decl *parseSetting(const Token &first);
  Decl *parseDataset(const Token &first);
  Decl *parseIterator(const Token &first);
  Decl *parseFunction(const Token &first, bool isExtern);
  ParameterList parseParameters();
  Parameter parseParameter();
  Block *parseBody(FunctionKind kind, Identifier name, bool isExtern);

  // Trainings: ParseTrain.cpp.
  Decl *parseTrain(const Token &first);
  llvm::ArrayRef<Entry *> parseEntries();
  Entry *parseEntry();
  Entry *parseEvery();
  Entry *parseKey();
  llvm::ArrayRef<Argument> parseEntryArguments();

  std::vector<Token> tokens;
  const SourceBuffer &buffer;
  ASTContext &context;
  DiagnosticEngine &diags;
  size_t pos = 0;
  unsigned depth = 0; ///< of open brackets before `pos`
  unsigned nesting = 0;
  unsigned links = 0;
  bool panicking = false;
};

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_PARSERIMPL_H
