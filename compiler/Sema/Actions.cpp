//===- Actions.cpp - `every` and the keys of the log ----------------------===//

#include "compiler/Sema/Analysis.h"

using namespace dpl;
using llvm::dyn_cast;
using llvm::StringRef;

const FunctionDecl *Action::function() const { return call->function; }

void Analysis::resolveEvery(const EveryEntry &every, Training &training,
                            Scope &scope) {
  Value interval = resolve(every.interval, scope);
  if (interval.type != Type::Duration && interval.type != Type::Unknown)
    diags.report(diag::not_a_duration, every.interval->range, "every",
                 describe(interval.type));
  auto *quantity = dyn_cast<QuantityExpr>(every.interval);
  if (quantity && quantity->number->real <= 0)
    diags.report(diag::empty_interval, every.interval->range);
  training.every.push_back({&every, every.interval, {}});
  for (const Expr *action : every.actions)
    resolveAction(action, training.every.back(), training, scope);
}

void Analysis::resolveAction(const Expr *expr, Trigger &trigger,
                             Training &training, Scope &scope) {
  auto *call = dyn_cast<CallExpr>(expr);
  auto *name = dyn_cast<NameExpr>(call ? call->callee : expr);
  const FunctionDecl *fn = name ? actions.lookup(name->name) : nullptr;
  if (!fn) {
    NameList known;
    for (const auto &entry : actions)
      known.push_back(entry.first());
    llvm::sort(known);
    auto report =
        diags.report(diag::unknown_action, name ? name->range : expr->range,
                     sources.text(name ? name->range : expr->range));
    if (name)
      suggest(report, name->range, name->name, known);
    return;
  }
  bind(name, declSymbols[fn], name);
  llvm::ArrayRef<Argument> args;
  if (call)
    args = call->arguments;
  run(expr, *fn, name->range, {}, args, scope);
  trigger.actions.push_back({expr, program.call(expr)});
  addEvaluation(trigger.actions.back(), training);
}

/// An action that takes an iterator evaluates on it, under its `name`.
void Analysis::addEvaluation(const Action &action, Training &training) {
  Training::Evaluation evaluation{"", nullptr, action.expr->range};
  for (const BoundArgument &arg : action.call->data) {
    const Expr *value = arg.value ? arg.value : arg.parameter->defaultValue;
    if (!value)
      continue;
    auto *name = dyn_cast<NameExpr>(value);
    const Symbol *symbol = name ? program.symbol(name) : nullptr;
    if (symbol && symbol->kind == Symbol::Kind::Iterator)
      evaluation.iterator = iteratorOf.lookup(symbol->decl);
    auto *text = dyn_cast<StringExpr>(value);
    if (text && arg.parameter->name.text == "name")
      evaluation.name = text->value;
  }
  if (!evaluation.iterator)
    return;
  auto first =
      llvm::find_if(training.evaluations, [&](const Training::Evaluation &e) {
        return e.name == evaluation.name;
      });
  if (first != training.evaluations.end() &&
      first->iterator != evaluation.iterator)
    diags.report(diag::evaluation_twice, evaluation.range, evaluation.name)
        .note(diag::given_here, first->range, evaluation.name);
  else if (evaluation.iterator == training.data)
    diags.report(diag::evaluates_training_data, evaluation.range,
                 evaluation.iterator->decl->name.text);
  training.evaluations.push_back(evaluation);
}

/// Every key that the training can write to its log.
Analysis::NameList Analysis::logKeys(const Training &training) {
  NameList keys;
  auto add = [&](const llvm::Twine &key) {
    keys.push_back(context.string(key.str()));
  };
  llvm::SmallVector<std::string> prefixes = {"main/"};
  for (const Training::Evaluation &evaluation : training.evaluations)
    prefixes.push_back((evaluation.name + "/main/").str());
  for (const std::string &prefix : prefixes) {
    add(prefix + "loss");
    for (const auto *terms : {&training.losses, &training.metrics})
      for (const Term &term : *terms)
        if (!term.name.empty())
          add(prefix + term.name);
  }
  auto reports = [&](StringRef action) {
    for (const Trigger &trigger : training.every)
      for (const Action &a : trigger.actions)
        if (a.function()->name.text == action)
          return true;
    return action.empty();
  };
#define LOG_KEY(key, action)                                                   \
  if (reports(action))                                                         \
    keys.push_back(#key);
#include "compiler/Sema/LogKeys.def"
  return keys;
}

/// The action that would report a key which nothing reports now.
static StringRef reporterOf(StringRef key) {
  static constexpr std::pair<StringRef, StringRef> table[] = {
#define LOG_KEY(key, action) {#key, action},
#include "compiler/Sema/LogKeys.def"
  };
  for (auto [name, action] : table)
    if (name == key)
      return action;
  return "";
}

/// Whether an action may report keys: an evaluation, or one that is not known.
bool Analysis::reportsKeys(const Expr *action) const {
  auto *call = dyn_cast<CallExpr>(action);
  auto *name = dyn_cast<NameExpr>(call ? call->callee : action);
  const FunctionDecl *fn = name ? actions.lookup(name->name) : nullptr;
  return !fn || llvm::any_of(fn->data, [&](const Parameter &parameter) {
    return valueOf(parameter.type).type == Type::Iterator;
  });
}

/// Whether a term or an action has an error, so that keys are missing which it
/// would report.
bool Analysis::hasUnknownKeys(const Training &training) const {
  for (const Entry *entry : training.decl->entries) {
    if (!diags.hasErrorIn(entry->range))
      continue;
    auto *key = dyn_cast<KeyEntry>(entry);
    if (key && (key->key.text == "loss" || key->key.text == "metrics"))
      return true;
    if (auto *every = dyn_cast<EveryEntry>(entry))
      for (const Expr *action : every->actions)
        if (reportsKeys(action) && diags.hasErrorIn(action->range))
          return true;
  }
  return false;
}

void Analysis::checkLogKeys(const Training &training) {
  if (hasUnknownKeys(training))
    return;
  NameList known = logKeys(training);
  auto check = [&](const Parameter &parameter, const Expr *value) {
    auto *type = llvm::dyn_cast_or_null<NamedType>(parameter.type);
    auto *key = llvm::dyn_cast_or_null<StringExpr>(value);
    bool isKey = type && type->name.text == "log_key";
    if (!isKey || !key || llvm::is_contained(known, key->value))
      return;
    auto report = diags.report(diag::unknown_log_key, key->range, key->value);
    if (StringRef action = reporterOf(key->value); !action.empty()) {
      report.hint(diag::reported_by, action);
      return;
    }
    // The fix replaces the text between the quotes.
    Range inside{key->range.begin.advanced(1), key->range.end.advanced(-1)};
    suggest(report, inside, key->value, known);
  };
  for (const Trigger &trigger : training.every)
    for (const Action &action : trigger.actions)
      for (const BoundArgument &arg : action.call->data) {
        check(*arg.parameter, arg.value);
        for (const Expr *value : arg.variadic)
          check(*arg.parameter, value);
      }
}
