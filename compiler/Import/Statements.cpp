//===- Statements.cpp - blocks and what they declare ----------------------===//

#include "compiler/Import/Evaluator.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::cast;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::success;

FailureOr<Value> Evaluator::eval(const Block *block) {
  const Expr *result = block->result();
  for (const Stmt *stmt : block->statements) {
    auto *last = llvm::dyn_cast<ExprStmt>(stmt);
    if (last && last->expr == result && stmt == block->statements.back())
      return eval(result);
    if (failed(exec(stmt)))
      return failure();
  }
  return Value();
}

LogicalResult Evaluator::exec(const Stmt *stmt) {
  switch (stmt->kind) {
  case Stmt::Kind::Let:
    return execLet(cast<LetStmt>(stmt));
  case Stmt::Kind::Param:
    return execParam(cast<ParamStmt>(stmt));
  case Stmt::Kind::For:
    return execFor(cast<ForStmt>(stmt));
  case Stmt::Kind::Assign:
    return execAssign(cast<AssignStmt>(stmt));
  case Stmt::Kind::Expr: {
    FailureOr<Value> value = eval(cast<ExprStmt>(stmt)->expr);
    return success(succeeded(value));
  }
  }
  llvm_unreachable("unknown statement");
}

LogicalResult Evaluator::execLet(const LetStmt *stmt) {
  FailureOr<Value> value = eval(stmt->value);
  if (failed(value))
    return failure();
  if (stmt->type) {
    value = coerce(*value, stmt->type, stmt->value->range,
                   "`" + stmt->names[0].text + "`");
    if (failed(value))
      return failure();
  }
  Frame &frame = context.frame();
  if (stmt->names.size() == 1) {
    frame.values[{stmt, 0}] = *value;
    return nameLayers(*value, stmt->names[0].text, stmt->names[0].range);
  }
  const List *list = value->asList();
  if (!list || list->size() != stmt->names.size())
    return context.report(
        diag::let_count, stmt->value->range, stmt->names.size(),
        list ? std::to_string(list->size()) + " values" : value->text());
  for (auto [i, name] : llvm::enumerate(stmt->names)) {
    if (failed(nameLayers((*list)[i], name.text, name.range)))
      return failure();
    frame.values[{stmt, static_cast<unsigned>(i)}] = (*list)[i];
  }
  return success();
}

LogicalResult Evaluator::execFor(const ForStmt *stmt) {
  FailureOr<List> sequence = evalSequence(stmt->sequence);
  if (failed(sequence))
    return failure();
  for (auto [i, element] : llvm::enumerate(*sequence)) {
    Frame &frame = context.frame();
    frame.values[{stmt, 0}] = element;
    frame.loop.push_back(i);
    FailureOr<Value> value = eval(stmt->body);
    context.frame().loop.pop_back();
    if (failed(value))
      return failure();
  }
  return success();
}

LogicalResult Evaluator::execAssign(const AssignStmt *stmt) {
  FailureOr<Value> value = eval(stmt->value);
  if (failed(value))
    return failure();
  const Symbol *symbol = context.program.symbol(stmt);
  assert(symbol && "an assignment to nothing in a checked program");
  Frame &frame = context.frame();
  if (symbol->kind != Symbol::Kind::State) {
    frame.values[{symbol->stmt, symbol->index}] = *value;
    return success();
  }
  auto slot = llvm::find_if(
      frame.states, [&](const StateSlot &s) { return s.stmt == symbol->stmt; });
  assert(slot != frame.states.end() && "a state without a declaration");
  FailureOr<Value> converted =
      coerce(*value, slot->stmt->type, stmt->value->range,
             "`" + stmt->name.text + "`");
  if (failed(converted))
    return failure();
  Tensor tensor = *converted->as<Tensor>();
  if (tensor.type.perSample)
    return context.report(diag::state_per_sample, stmt->value->range,
                          stmt->name.text);
  slot->value = tensor;
  slot->written = true;
  frame.values[{slot->stmt, 0}] = *converted;
  return success();
}
