//===- Printer.cpp - files, declarations, statements as text --------------===//

#include "compiler/Syntax/Printer.h"

#include "compiler/Syntax/PrinterImpl.h"

#include "llvm/Support/Casting.h"

using namespace dpl;
using llvm::StringRef;

unsigned Printer::lineOf(Location at) const {
  return buffer ? buffer->lineColumn(at).line : 0;
}

void Printer::newLine() {
  while (llvm::StringRef(out).ends_with(" "))
    out.pop_back();
  out += '\n';
}

/// Begins a line of the output for something at a line of the source.
void Printer::startLine(unsigned sourceLine) {
  if (lastLine && sourceLine > lastLine + 1)
    newLine();
  out.append(2 * level, ' ');
}

/// Prints the comments before a place, each on a line of its own.
void Printer::flushComments(Location before) {
  while (nextComment < comments.size() &&
         comments[nextComment].range.begin < before) {
    const Comment &comment = comments[nextComment++];
    unsigned line = lineOf(comment.range.begin);
    startLine(line);
    out += comment.text;
    newLine();
    lastLine = line;
  }
}

/// Prints the comment behind something that ends here, if there is one.
void Printer::trailingComment(Location end) {
  lastLine = lineOf(end);
  if (nextComment == comments.size())
    return;
  const Comment &comment = comments[nextComment];
  if (comment.ownLine || lineOf(comment.range.begin) != lastLine)
    return;
  out += "  ";
  out += comment.text;
  ++nextComment;
}

void Printer::beginItem(Range range) {
  // A comment in the middle of an item has no place in it; it goes before it.
  flushComments(range.begin);
  startLine(lineOf(range.begin));
}

void Printer::endItem(Range range) {
  trailingComment(range.end);
  newLine();
}

void Printer::file(const SourceFile &file) {
  for (const Decl *decl : file.decls) {
    beginItem(decl->range);
    this->decl(*decl);
    endItem(decl->range);
  }
  flushComments(buffer->end().advanced(1));
}

bool Printer::isOneLine(Range range) const {
  return flat || lineOf(range.begin) == lineOf(range.end);
}

/// Braces around items that the function prints one by one. They stay on one
/// line if they are in the source and fit.
template <typename T, typename Fn>
void Printer::braces(Range range, llvm::ArrayRef<T> items, Fn print) {
  out += '{';
  if (items.empty() || isOneLine(range)) {
    size_t before = out.size();
    StringRef separator = " ";
    for (const T &item : items) {
      out += separator;
      print(item);
      separator = "; ";
    }
    out += items.empty() ? "}" : " }";
    bool broke = StringRef(out).drop_front(before).contains('\n');
    if (flat || (!broke && column() <= kWidth))
      return;
    out.resize(before);
  }
  trailingComment(range.begin);
  newLine();
  ++level;
  lastLine = 0;
  for (const T &item : items) {
    beginItem(item->range);
    print(item);
    endItem(item->range);
  }
  flushComments(range.end);
  --level;
  out.append(2 * level, ' ');
  out += '}';
}

void Printer::block(const Block &block) {
  if (!block.braces) {
    expr(block.result());
    return;
  }
  braces(block.range, block.statements, [&](const Stmt *s) { stmt(*s); });
}

void Printer::stmt(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let: {
    auto &let = llvm::cast<LetStmt>(stmt);
    out += let.isVar ? "var " : "let ";
    names(let.names);
    annotation(let.type);
    out += " = ";
    return expr(let.value);
  }
  case Stmt::Kind::Param: {
    auto &param = llvm::cast<ParamStmt>(stmt);
    out += param.isState ? "state " : "param ";
    out += param.name.text;
    annotation(param.type);
    out += " = ";
    expr(param.init);
    if (param.role)
      out += (" as " + param.role.text).str();
    return;
  }
  case Stmt::Kind::For: {
    auto &loop = llvm::cast<ForStmt>(stmt);
    out += ("for " + loop.variable.text + " in ").str();
    expr(loop.sequence);
    out += ' ';
    return block(*loop.body);
  }
  case Stmt::Kind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(stmt);
    out += (assign.name.text + " = ").str();
    return expr(assign.value);
  }
  case Stmt::Kind::Expr:
    return expr(llvm::cast<ExprStmt>(stmt).expr);
  }
}

void Printer::decl(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::Import:
    out += "import ";
    return expr(llvm::cast<ImportDecl>(decl).path);
  case Decl::Kind::Setting: {
    auto &setting = llvm::cast<SettingDecl>(decl);
    out += setting.isOption ? "option " : "const ";
    out += setting.name.text;
    annotation(setting.type);
    out += " = ";
    expr(setting.value);
    if (setting.help) {
      out += "  ";
      expr(setting.help);
    }
    return;
  }
  case Decl::Kind::Dataset: {
    auto &dataset = llvm::cast<DatasetDecl>(decl);
    out += ("dataset " + dataset.name.text).str();
    annotation(dataset.type);
    out += " = ";
    return expr(dataset.value);
  }
  case Decl::Kind::Iterator: {
    auto &iterator = llvm::cast<IteratorDecl>(decl);
    out += ("iterator " + iterator.name.text + " = ").str();
    return expr(iterator.value);
  }
  case Decl::Kind::Function:
    return function(llvm::cast<FunctionDecl>(decl));
  case Decl::Kind::Train: {
    auto &train = llvm::cast<TrainDecl>(decl);
    out += "train ";
    names(train.models);
    out += ' ';
    // A `train` ends with its entries, which begin behind its last model.
    return entries({train.models.back().range.end, train.range.end},
                   train.entries);
  }
  }
}

void Printer::function(const FunctionDecl &fn) {
  out += fn.isExtern ? "extern " : "";
  out += (keyword(fn.functionKind) + " " + fn.name.text).str();
  if (fn.twoLists)
    parameters(fn.settings);
  parameters(fn.data);
  if (fn.result) {
    out += " -> ";
    out += type(*fn.result);
  }
  if (!fn.body)
    return;
  if (fn.body->braces) {
    out += ' ';
    return block(*fn.body);
  }
  out += " =";
  const Expr *value = fn.body->result();
  std::string oneLine = flattened([&](Printer &p) { p.expr(value); });
  if (column() + 1 + oneLine.size() <= kWidth || !isOneLine(value->range)) {
    bool breaks = lineOf(fn.range.begin) != lineOf(value->range.begin);
    if (!breaks) {
      out += ' ';
      return expr(value);
    }
  }
  newLine();
  ++level;
  out.append(2 * level, ' ');
  expr(value);
  --level;
}

void Printer::parameter(const Parameter &parameter) {
  out += parameter.name.text;
  annotation(parameter.type);
  if (parameter.defaultValue) {
    out += " = ";
    expr(parameter.defaultValue);
  }
}

void Printer::parameters(ParameterList list) {
  bool hasComments =
      !list.empty() && nextComment < comments.size() &&
      comments[nextComment].range.begin < list.back().range().end;
  if (!hasComments) {
    return fill("(", list, ")", [](Printer &printer, const Parameter &p) {
      printer.parameter(p);
    });
  }
  // Comments keep their parameter: one a line.
  out += '(';
  newLine();
  level += 2;
  lastLine = 0;
  for (const Parameter &p : list) {
    beginItem(p.range());
    parameter(p);
    out += &p == &list.back() ? "" : ",";
    endItem(p.range());
  }
  level -= 2;
  out.append(2 * level, ' ');
  out += ')';
}

void Printer::entries(Range range, llvm::ArrayRef<Entry *> list) {
  size_t widest = 0;
  for (const Entry *entry : list)
    if (auto *key = llvm::dyn_cast<KeyEntry>(entry))
      widest = std::max(widest, key->key.text.size());
  braces(range, list, [&](const Entry *e) { entry(*e, flat ? 0 : widest); });
}

void Printer::entry(const Entry &entry, size_t keyWidth) {
  if (auto *step = llvm::dyn_cast<StepEntry>(&entry)) {
    out += ("step " + step->name.text + " ").str();
    return entries({step->name.range.end, step->range.end}, step->entries);
  }
  if (auto *every = llvm::dyn_cast<EveryEntry>(&entry)) {
    out += "every ";
    expr(every->interval);
    out += ' ';
    return braces({every->interval->range.end, every->range.end},
                  every->actions, [&](const Expr *action) { expr(action); });
  }
  auto &key = llvm::cast<KeyEntry>(entry);
  out += key.key.text;
  if (key.block) {
    out += ' ';
    return block(*key.block);
  }
  out.append(std::max(keyWidth, key.key.text.size()) - key.key.text.size(),
             ' ');
  out += ' ';
  arguments("", key.arguments, "");
  for (const Clause &clause : key.clauses) {
    StringRef separator = " ";
    out += (" " + keyword(clause.word)).str();
    for (const Argument &a : clause.arguments) {
      out += separator;
      argument(a);
      separator = ", ";
    }
  }
}

void Printer::names(llvm::ArrayRef<Identifier> names) {
  StringRef separator;
  for (const Identifier &name : names) {
    out += (separator + name.text).str();
    separator = ", ";
  }
}

void Printer::annotation(const TypeNode *node) {
  if (node)
    out += ": " + type(*node);
}

void dpl::print(const SourceFile &file, llvm::raw_ostream &os) {
  Printer printer(file.buffer, file.comments);
  printer.file(file);
  os << printer.out;
}

std::string dpl::toString(const Expr *expr) {
  Printer printer(nullptr, {});
  printer.flat = true;
  printer.expr(expr);
  return printer.out;
}

std::string dpl::toString(const TypeNode *type) {
  Printer printer(nullptr, {});
  printer.flat = true;
  return printer.type(*type);
}
