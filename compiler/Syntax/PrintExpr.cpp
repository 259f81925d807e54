//===- PrintExpr.cpp - expressions and types as text ----------------------===//

#include "compiler/Syntax/PrinterImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using namespace dpl;
using llvm::cast;
using llvm::dyn_cast;
using llvm::StringRef;

void Printer::argument(const Argument &argument) {
  if (argument.name)
    out += (argument.name.text + ": ").str();
  expr(argument.value);
}

/// Whether a block in it spans lines of the source and so will again.
bool Printer::hasOpenBlock(const Expr *expr) const {
  return !isOneLine(expr->range) && flattened([&](Printer &p) {
                                      p.expr(expr);
                                    }).find('{') != std::string::npos;
}

void Printer::arguments(StringRef open, llvm::ArrayRef<Argument> arguments,
                        StringRef close) {
  bool hasOpen = llvm::any_of(
      arguments, [&](const Argument &a) { return hasOpenBlock(a.value); });
  if (!hasOpen)
    return fill(open, arguments, close,
                [](Printer &p, const Argument &a) { p.argument(a); });
  out += open;
  StringRef separator;
  for (const Argument &a : arguments) {
    out += separator;
    argument(a);
    separator = ", ";
  }
  out += close;
}

std::string Printer::dims(llvm::ArrayRef<Dim> dims) {
  std::string text = "[";
  StringRef separator;
  for (const Dim &dim : dims) {
    text += separator;
    text +=
        dim.isRest() ? ".." : flattened([&](Printer &p) { p.expr(dim.expr); });
    separator = ", ";
  }
  return text + "]";
}

std::string Printer::type(const TypeNode &type) {
  if (auto *record = dyn_cast<RecordType>(&type)) {
    std::string text = "(";
    StringRef separator;
    for (const RecordField &field : record->fields) {
      text += (separator + field.name.text + ": ").str();
      text += this->type(*field.type);
      separator = ", ";
    }
    return text + ")";
  }
  auto &named = cast<NamedType>(type);
  std::string text = named.name.text.str();
  if (named.argument)
    text += "(" + flattened([&](Printer &p) { p.expr(named.argument); }) + ")";
  for (const Identifier &name : named.alternatives)
    text += (" | " + name.text).str();
  if (named.optional)
    text += '?';
  return named.hasDims ? text + dims(named.dims) : text;
}

void Printer::expr(const Expr *expr) {
  if (!expr->parenthesized)
    return bare(expr);
  out += '(';
  bare(expr);
  out += ')';
}

void Printer::string(StringRef value) {
  out += '"';
  for (char c : value) {
    switch (c) {
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '"':
    case '\\':
      out += '\\';
      [[fallthrough]];
    default:
      out += c;
    }
  }
  out += '"';
}

/// A chain of stages; what does not fit goes on below, further in.
void Printer::pipe(const PipeExpr &pipe) {
  llvm::SmallVector<const Expr *> stages;
  const Expr *value = &pipe;
  for (;;) {
    auto *inner = dyn_cast<PipeExpr>(value);
    bool isChain = inner && (inner == &pipe || !inner->parenthesized);
    if (!isChain)
      break;
    stages.push_back(inner->stage);
    value = inner->value;
  }
  expr(value);
  for (const Expr *stage : llvm::reverse(stages)) {
    std::string text = flattened([&](Printer &p) { p.expr(stage); });
    if (!flat && column() + 4 + text.size() > kWidth) {
      newLine();
      out.append(2 * level + 4, ' ');
    } else {
      out += ' ';
    }
    out += "|> ";
    expr(stage);
  }
}

void Printer::conditional(const IfExpr &conditional) {
  out += "if ";
  expr(conditional.condition);
  out += ' ';
  block(*conditional.thenBlock);
  if (conditional.elseBlock) {
    out += " else ";
    block(*conditional.elseBlock);
  }
}

void Printer::scan(const ScanExpr &scan) {
  out += ("scan " + scan.variable.text + " in ").str();
  expr(scan.sequence);
  StringRef separator = " carry ";
  for (const Carry &carry : scan.carries) {
    out += (separator + carry.name.text + " = ").str();
    expr(carry.start);
    separator = ", ";
  }
  out += ' ';
  block(*scan.body);
}

void Printer::einsum(const EinsumExpr &einsum) {
  out += "einsum(";
  StringRef separator;
  for (const EinsumFactor &factor : einsum.factors) {
    out += separator;
    expr(factor.operand);
    out += dims(factor.labels);
    separator = " * ";
  }
  out += " -> " + dims(einsum.result) + ")";
}

void Printer::bare(const Expr *expr) {
  switch (expr->kind) {
  case Expr::Kind::Number:
    out += cast<NumberExpr>(expr)->spelling;
    return;
  case Expr::Kind::Quantity: {
    auto *quantity = cast<QuantityExpr>(expr);
    bool isOne = quantity->number->spelling == "1";
    out += (quantity->number->spelling + " " + unitName(quantity->unit) +
            (isOne ? "" : "s"))
               .str();
    return;
  }
  case Expr::Kind::String:
    return string(cast<StringExpr>(expr)->value);
  case Expr::Kind::Bool:
    out += cast<BoolExpr>(expr)->value ? "true" : "false";
    return;
  case Expr::Kind::Name:
    out += cast<NameExpr>(expr)->name;
    return;
  case Expr::Kind::List:
    return fill("[", cast<ListExpr>(expr)->elements, "]",
                [](Printer &p, const Expr *element) { p.expr(element); });
  case Expr::Kind::Comprehension: {
    auto *list = cast<ComprehensionExpr>(expr);
    out += '[';
    this->expr(list->element);
    out += (" for " + list->variable.text + " in ").str();
    this->expr(list->sequence);
    if (list->condition) {
      out += " if ";
      this->expr(list->condition);
    }
    out += ']';
    return;
  }
  case Expr::Kind::Record:
    return arguments("(", cast<RecordExpr>(expr)->fields, ")");
  case Expr::Kind::Einsum:
    return einsum(*cast<EinsumExpr>(expr));
  case Expr::Kind::Call:
    this->expr(cast<CallExpr>(expr)->callee);
    return arguments("(", cast<CallExpr>(expr)->arguments, ")");
  case Expr::Kind::Index:
    this->expr(cast<IndexExpr>(expr)->base);
    out += dims(cast<IndexExpr>(expr)->indices);
    return;
  case Expr::Kind::Member:
    this->expr(cast<MemberExpr>(expr)->base);
    out += ("." + cast<MemberExpr>(expr)->member.text).str();
    return;
  case Expr::Kind::Unary: {
    auto *unary = cast<UnaryExpr>(expr);
    out += unary->op == UnaryOp::Negate ? "-" : "not ";
    return this->expr(unary->operand);
  }
  case Expr::Kind::Binary: {
    auto *binary = cast<BinaryExpr>(expr);
    bool tight = binary->op == BinaryOp::Range;
    this->expr(binary->lhs);
    out += tight ? ".." : (" " + spelling(binary->op) + " ").str();
    return this->expr(binary->rhs);
  }
  case Expr::Kind::Pipe:
    return pipe(*cast<PipeExpr>(expr));
  case Expr::Kind::If:
    return conditional(*cast<IfExpr>(expr));
  case Expr::Kind::Scan:
    return scan(*cast<ScanExpr>(expr));
  case Expr::Kind::Error:
    out += "<error>";
    return;
  }
}
