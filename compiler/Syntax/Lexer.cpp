//===- Lexer.cpp - text to tokens -----------------------------------------===//

#include "compiler/Syntax/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace dpl;
using llvm::StringRef;

StringRef dpl::describe(TokenKind kind) {
  static constexpr llvm::StringLiteral names[] = {
#define TOKEN(kind, text) llvm::StringLiteral(text),
#include "compiler/Syntax/Tokens.def"
  };
  return names[static_cast<size_t>(kind)];
}

bool dpl::isDeclarationWord(StringRef word) {
  static constexpr llvm::StringLiteral words[] = {
      "import", "const", "option", "dataset",   "iterator", "extern",
      "layer",  "fn",    "reader", "optimizer", "model",    "train"};
  return llvm::is_contained(words, word);
}

static TokenKind wordKind(StringRef word) {
  return llvm::StringSwitch<TokenKind>(word)
#define KEYWORD(kind, text) .Case(text, TokenKind::kind)
#include "compiler/Syntax/Tokens.def"
      .Default(TokenKind::Identifier);
}

namespace {

class Lexer {
public:
  Lexer(const SourceBuffer &buffer, ASTContext &context,
        DiagnosticEngine &diags, std::vector<Comment> &comments)
      : buffer(buffer), text(buffer.text()), context(context), diags(diags),
        comments(comments) {}

  std::vector<Token> run();

private:
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  Range range(size_t begin, size_t end) const {
    return {buffer.begin().advanced(begin), buffer.begin().advanced(end)};
  }
  void add(TokenKind kind, size_t begin, StringRef value);

  void skipBlanks();
  void lexComment();
  void lexToken();
  void lexNumber();
  void lexString();
  void lexEscape(std::string &value);
  void lexCodePoint(size_t begin, std::string &value);
  bool lexPunctuation();
  void lexUnknown();

  const SourceBuffer &buffer;
  StringRef text;
  ASTContext &context;
  DiagnosticEngine &diags;
  std::vector<Comment> &comments;
  std::vector<Token> tokens;
  std::string doc;
  size_t pos = 0;
  size_t lineStart = 0;
  bool lineIsEmpty = true; ///< no token yet on this line
};

void Lexer::add(TokenKind kind, size_t begin, StringRef value) {
  Token token{kind, range(begin, pos), value, context.string(doc)};
  token.startsLine = lineIsEmpty;
  token.atColumnOne = begin == lineStart;
  tokens.push_back(token);
  doc.clear();
  lineIsEmpty = false;
}

void Lexer::skipBlanks() {
  for (;;) {
    char c = at(pos);
    if (pos < text.size() && (c == ' ' || c == '\t' || c == '\r')) {
      ++pos;
    } else if (c == '\n') {
      lineStart = ++pos;
      lineIsEmpty = true;
    } else if (c == '/' && at(pos + 1) == '/') {
      lexComment();
    } else {
      return;
    }
  }
}

void Lexer::lexComment() {
  StringRef line =
      text.substr(pos).take_until([](char c) { return c == '\n'; });
  size_t begin = pos;
  pos += line.size();
  comments.push_back({range(begin, pos), line.rtrim(), lineIsEmpty});
  if (!line.consume_front("///"))
    return;
  if (!doc.empty())
    doc += '\n';
  // Blanks behind the first one are the text's own, as in an example.
  line.consume_front(" ");
  doc += line.rtrim();
}

void Lexer::lexNumber() {
  size_t begin = pos;
  auto digits = [&](bool underscores) {
    size_t first = pos;
    while (llvm::isDigit(at(pos)) || (underscores && at(pos) == '_'))
      ++pos;
    return pos != first;
  };
  const char *problem = nullptr;
  digits(/*underscores=*/true);
  // `0..n` is a range.
  if (at(pos) == '.' && at(pos + 1) != '.') {
    ++pos;
    if (!digits(/*underscores=*/false))
      problem = "a digit must follow the point";
  }
  if (!problem && (at(pos) == 'e' || at(pos) == 'E') &&
      (llvm::isDigit(at(pos + 1)) || at(pos + 1) == '+' ||
       at(pos + 1) == '-')) {
    ++pos;
    if (at(pos) == '+' || at(pos) == '-')
      ++pos;
    if (!digits(/*underscores=*/false))
      problem = "a digit must follow the exponent's sign";
  }
  if (problem)
    diags.report(diag::malformed_number, range(begin, pos),
                 text.slice(begin, pos), problem);
  add(problem ? TokenKind::Error : TokenKind::Number, begin,
      text.slice(begin, pos));
}

/// `\u{2192}`, with `pos` behind the `u`.
void Lexer::lexCodePoint(size_t begin, std::string &value) {
  StringRef rest = text.substr(pos);
  StringRef digits;
  if (rest.consume_front("{"))
    digits = rest.take_while(llvm::isHexDigit);
  unsigned code = 0;
  char bytes[4];
  char *end = bytes;
  if (digits.empty() || !rest.substr(digits.size()).starts_with("}") ||
      digits.getAsInteger(16, code) ||
      !llvm::ConvertCodePointToUTF8(code, end)) {
    diags.report(diag::unknown_escape, range(begin, pos),
                 text.slice(begin, pos));
    return;
  }
  pos += digits.size() + 2;
  value.append(bytes, end);
}

void Lexer::lexEscape(std::string &value) {
  size_t begin = pos++;
  char c = at(pos++);
  switch (c) {
  case 'n':
    value += '\n';
    return;
  case 't':
    value += '\t';
    return;
  case '"':
  case '\\':
    value += c;
    return;
  case 'u':
    lexCodePoint(begin, value);
    return;
  default:
    diags.report(diag::unknown_escape, range(begin, pos),
                 text.slice(begin, pos));
  }
}

void Lexer::lexString() {
  size_t begin = pos++;
  std::string value;
  while (pos < text.size() && text[pos] != '"' && text[pos] != '\n') {
    bool isEscape =
        text[pos] == '\\' && at(pos + 1) != '\n' && pos + 1 < text.size();
    if (isEscape)
      lexEscape(value);
    else
      value += text[pos++];
  }
  if (at(pos) == '"')
    ++pos;
  else
    diags.report(diag::unterminated_string, range(begin, pos));
  add(TokenKind::String, begin, context.string(value));
}

bool Lexer::lexPunctuation() {
  static constexpr std::pair<llvm::StringLiteral, TokenKind> table[] = {
#define PUNCTUATION(kind, text) {llvm::StringLiteral(text), TokenKind::kind},
#include "compiler/Syntax/Tokens.def"
  };
  StringRef rest = text.substr(pos);
  for (auto [spelling, kind] : table) {
    if (rest.starts_with(spelling)) {
      size_t begin = pos;
      pos += spelling.size();
      add(kind, begin, spelling);
      return true;
    }
  }
  return false;
}

/// A character that begins no token; one of several bytes goes as a whole.
void Lexer::lexUnknown() {
  size_t begin = pos;
  StringRef rest = text.substr(pos);
  StringRef instead;
  if (rest.starts_with("&&") || rest.starts_with("||")) {
    instead = rest.starts_with("&&") ? "and" : "or";
    pos += 2;
  } else {
    instead = llvm::StringSwitch<StringRef>(rest.take_front(1))
                  .Case("!", "not")
                  .Case("'", "\"")
                  .Case("#", "//")
                  .Case("^", "**")
                  .Default("");
    do
      ++pos;
    while ((at(pos) & 0xC0) == 0x80);
  }
  StringRef what = text.slice(begin, pos);
  std::string shown = what.str();
  if (what.size() == 1 && !llvm::isPrint(what[0]))
    shown =
        ("\\x" + llvm::Twine::utohexstr(static_cast<uint8_t>(what[0]))).str();
  auto report =
      diags.report(diag::unexpected_character, range(begin, pos), shown);
  if (!instead.empty())
    report.hint(diag::write_instead, instead);
  add(TokenKind::Error, begin, what);
}

void Lexer::lexToken() {
  size_t begin = pos;
  char c = text[pos];
  if (llvm::isAlpha(c) || c == '_') {
    while (llvm::isAlnum(at(pos)) || at(pos) == '_')
      ++pos;
    StringRef word = text.slice(begin, pos);
    add(wordKind(word), begin, word);
  } else if (llvm::isDigit(c)) {
    lexNumber();
  } else if (c == '"') {
    lexString();
  } else if (text.substr(pos).starts_with("||") || !lexPunctuation()) {
    lexUnknown();
  }
}

std::vector<Token> Lexer::run() {
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
    lineStart = pos = 3;
  for (skipBlanks(); pos < text.size(); skipBlanks())
    lexToken();
  lineIsEmpty = true;
  add(TokenKind::EndOfFile, pos, "");
  return std::move(tokens);
}

} // namespace

std::vector<Token> dpl::lex(const SourceBuffer &buffer, ASTContext &context,
                            DiagnosticEngine &diags,
                            std::vector<Comment> &comments) {
  return Lexer(buffer, context, diags, comments).run();
}
