//===- PrinterImpl.h - the formatter's state --------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SYNTAX_PRINTERIMPL_H
#define DPL_COMPILER_SYNTAX_PRINTERIMPL_H

#include "compiler/Syntax/AST.h"

#include <string>
#include <vector>

namespace dpl {

class Printer {
public:
  static constexpr size_t kWidth = 100;

  Printer(const SourceBuffer *buffer, llvm::ArrayRef<Comment> comments)
      : buffer(buffer), comments(comments) {}

  std::string out;
  /// Everything on one line, without comments.
  bool flat = false;

  void file(const SourceFile &file);
  void expr(const Expr *expr);
  std::string type(const TypeNode &type);

private:
  // Lines and comments.
  unsigned lineOf(Location at) const;
  bool isOneLine(Range range) const;
  void newLine();
  void startLine(unsigned sourceLine);
  void flushComments(Location before);
  void trailingComment(Location end);
  void beginItem(Range range);
  void endItem(Range range);
  size_t column() const { return out.size() - (out.rfind('\n') + 1); }

  // Declarations and statements.
  template <typename T, typename Fn>
  void braces(Range range, llvm::ArrayRef<T> items, Fn print);
  void block(const Block &block);
  void stmt(const Stmt &stmt);
  void decl(const Decl &decl);
  void function(const FunctionDecl &fn);
  void parameter(const Parameter &parameter);
  void parameters(ParameterList list);
  void entries(Range range, llvm::ArrayRef<Entry *> list);
  void entry(const Entry &entry, size_t keyWidth);
  void names(llvm::ArrayRef<Identifier> names);
  void annotation(const TypeNode *node);

  // Expressions: PrintExpr.cpp.
  void bare(const Expr *expr);
  void string(llvm::StringRef value);
  void pipe(const PipeExpr &pipe);
  void scan(const ScanExpr &scan);
  void conditional(const IfExpr &conditional);
  void einsum(const EinsumExpr &einsum);
  bool hasOpenBlock(const Expr *expr) const;
  void argument(const Argument &argument);
  void arguments(llvm::StringRef open, llvm::ArrayRef<Argument> arguments,
                 llvm::StringRef close);
  std::string dims(llvm::ArrayRef<Dim> dims);
  /// Items with commas between them; what does not fit on the line goes below
  /// the first, and what does not fit on a line at all is broken in itself.
  template <typename T, typename Fn>
  void fill(llvm::StringRef open, llvm::ArrayRef<T> items,
            llvm::StringRef close, Fn print) {
    out += open;
    size_t indent = column();
    for (size_t i = 0; i < items.size(); ++i) {
      std::string text = flattened([&](Printer &p) { print(p, items[i]); });
      bool isLast = i + 1 == items.size();
      size_t width = 1 + text.size() + (isLast ? close.size() : 1);
      if (i != 0 && !flat && column() + width > kWidth) {
        newLine();
        out.append(indent, ' ');
      } else if (i != 0) {
        out += ' ';
      }
      if (flat || column() + width <= kWidth)
        out += text;
      else
        print(*this, items[i]);
      out += isLast ? "" : ",";
    }
    out += close;
  }

  template <typename Fn> std::string flattened(Fn print) const {
    Printer inner(nullptr, {});
    inner.flat = true;
    print(inner);
    return inner.out;
  }

  const SourceBuffer *buffer;
  llvm::ArrayRef<Comment> comments;
  size_t nextComment = 0;
  unsigned level = 0;
  unsigned lastLine = 0; ///< source line of the last item; 0: none yet
};

} // namespace dpl

#endif // DPL_COMPILER_SYNTAX_PRINTERIMPL_H
