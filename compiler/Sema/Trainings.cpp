//===- Trainings.cpp - entries of `train` ---------------------------------===//

#include "compiler/Sema/Analysis.h"
#include "compiler/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace dpl;
using llvm::dyn_cast;
using llvm::StringRef;

/// The fields of the batch and the model's result, as names of the entries.
void Analysis::declareOutput(Value result, const Training &training,
                             Scope &scope) {
  auto declare = [&](Symbol symbol, Value value) {
    Symbol *made = context.make<Symbol>(symbol);
    scope.names[symbol.name] = made;
    symbolValues[made] = value;
  };
  declare({Symbol::Kind::Output, "out", Range()}, result);
  if (training.data)
    for (const DataField &field : training.data->dataset->fields)
      declare({Symbol::Kind::Field, field.name.text, field.name.range},
              {Type::Tensor});
}

const Argument *Analysis::oneArgument(const KeyEntry &entry, StringRef form) {
  for (const Clause &clause : entry.clauses)
    diags.report(diag::entry_clause, clause.wordRange, entry.key.text,
                 keyword(clause.word));
  bool isOne =
      entry.arguments.size() == 1 && !entry.arguments[0].name && !entry.block;
  if (isOne)
    return &entry.arguments[0];
  diags.report(diag::entry_form, entry.key.range, entry.key.text, form);
  return nullptr;
}

void Analysis::resolveData(const KeyEntry &entry, Training &training,
                           Scope &scope) {
  const Argument *arg = oneArgument(entry, "one iterator");
  if (!arg)
    return;
  Value value = resolve(arg->value, scope);
  auto *name = dyn_cast<NameExpr>(arg->value);
  const Symbol *symbol = name ? program.symbol(name) : nullptr;
  if (symbol && symbol->kind == Symbol::Kind::Iterator)
    training.data = iteratorOf.lookup(symbol->decl);
  else if (symbol || !name)
    diags.report(diag::not_an_iterator, arg->value->range,
                 sources.text(arg->value->range), describe(value.type));
}

/// The name of a term that has none: its function's.
static StringRef functionName(const Expr *value, const Program &program) {
  const Call *call = program.call(value);
  if (call && call->function)
    return call->function->name.text;
  auto *name = dyn_cast<NameExpr>(value);
  const Symbol *symbol = name ? program.symbol(name) : nullptr;
  return symbol && symbol->function() ? symbol->name : StringRef();
}

void Analysis::resolveTerms(const KeyEntry &entry, bool isLoss,
                            Training &training, Scope &scope) {
  for (const Clause &clause : entry.clauses)
    diags.report(diag::entry_clause, clause.wordRange, entry.key.text,
                 keyword(clause.word));
  if (entry.block) {
    diags.report(diag::entry_form, entry.key.range, entry.key.text,
                 "functions or values, with commas between them");
    return;
  }
  // Without fields, names of fields would be unknown for no fault of theirs.
  if (!training.data)
    return;
  std::vector<Term> &terms = isLoss ? training.losses : training.metrics;
  for (const Argument &arg : entry.arguments) {
    Value value = resolve(arg.value, scope);
    Term term{arg.name.text, arg.range(), arg.value,
              value.type == Type::Callable};
    bool mayBeNameless = isLoss && entry.arguments.size() == 1;
    if (term.name.empty() && !mayBeNameless)
      term.name = functionName(arg.value, program);
    if (term.name.empty() && !mayBeNameless && !diags.hasErrorIn(arg.range()))
      diags.report(diag::term_without_name, arg.value->range,
                   isLoss ? "loss term" : "metric");
    terms.push_back(term);
  }
}

void Analysis::resolveLoss(const KeyEntry &entry, Training &training,
                           Scope &scope) {
  resolveTerms(entry, /*isLoss=*/true, training, scope);
}

void Analysis::resolveMetrics(const KeyEntry &entry, Training &training,
                              Scope &scope) {
  resolveTerms(entry, /*isLoss=*/false, training, scope);
}

void Analysis::resolveOptimizer(const KeyEntry &entry, Training &training,
                                Scope &scope) {
  const Argument *arg =
      oneArgument(entry, "one optimizer, as in `sgd(lr: 0.1)`");
  if (!arg)
    return;
  Value value = resolve(arg->value, scope);
  bool isOptimizer =
      value.function && value.function->functionKind == FunctionKind::Optimizer;
  if (isOptimizer)
    training.optimizer = {arg->value->range, arg->value,
                          program.call(arg->value)};
  else if (value.type != Type::Unknown)
    diags.report(diag::not_an_optimizer, arg->value->range,
                 sources.text(arg->value->range));
}

static bool isDeviceName(StringRef text) {
  auto [kind, number] = text.split(':');
  unsigned index = 0;
  bool hasNumber = text.contains(':');
  return (kind == "cpu" || kind == "cuda") &&
         (!hasNumber || !number.getAsInteger(10, index));
}

void Analysis::resolveDevices(const KeyEntry &entry, Training &training,
                              Scope &scope) {
  for (const Argument &arg : entry.arguments) {
    auto *device = dyn_cast<StringExpr>(arg.value);
    if (device && isDeviceName(device->value))
      training.devices.push_back(device);
    else
      diags.report(diag::unknown_device, arg.value->range,
                   sources.text(arg.value->range));
  }
}

void Analysis::resolveStop(const KeyEntry &entry, Training &training,
                           Scope &scope) {
  const Argument *arg = oneArgument(entry, "a duration, as in `10 epochs`");
  if (!arg)
    return;
  Value value = resolve(arg->value, scope);
  training.stop = arg->value;
  if (value.type != Type::Duration && value.type != Type::Unknown)
    diags.report(diag::not_a_duration, arg->value->range, "stop",
                 describe(value.type));
}

void Analysis::resolveOut(const KeyEntry &entry, Training &training,
                          Scope &scope) {
  const Argument *arg = oneArgument(entry, "the name of a folder in quotes");
  if (!arg)
    return;
  training.out = dyn_cast<StringExpr>(arg->value);
  if (!training.out || training.out->value.empty())
    diags.report(diag::entry_form, entry.key.range, "out",
                 "the name of a folder in quotes");
}

namespace {
enum Need { Required, Optional };

struct EntryInfo {
  StringRef key;
  Need need;
};
} // namespace

static constexpr EntryInfo entryTable[] = {
#define ENTRY(key, method, required) {#key, required},
#include "compiler/Sema/TrainEntries.def"
};

void Analysis::resolveEntry(const KeyEntry &entry, Training &training,
                            Scope &scope) {
  using Method = void (Analysis::*)(const KeyEntry &, Training &, Scope &);
  static constexpr Method methods[] = {
#define ENTRY(key, method, required) &Analysis::method,
#include "compiler/Sema/TrainEntries.def"
  };
  static constexpr StringRef later[] = {
#define LATER_ENTRY(key) #key,
#include "compiler/Sema/TrainEntries.def"
  };
  StringRef key = entry.key.text;
  NameList known = {"every"};
  for (const auto &[info, method] : llvm::zip_equal(entryTable, methods)) {
    if (info.key == key)
      return (this->*method)(entry, training, scope);
    known.push_back(info.key);
  }
  if (llvm::is_contained(later, key)) {
    diags.report(diag::unsupported_entry, entry.key.range, key);
    return;
  }
  suggest(diags.report(diag::unknown_entry, entry.key.range, key),
          entry.key.range, key, known);
}

/// The models of a training; what the last one gives is `out`.
Value Analysis::resolveModels(const TrainDecl &decl, FileScope &file,
                              Training &training) {
  Value result{Type::Tensor};
  Scope scope(&file);
  auto isModel = [](const Symbol &s) {
    return s.function() && s.function()->functionKind == FunctionKind::Model;
  };
  for (const Identifier &name : decl.models) {
    const Symbol *symbol = findTop(file, name.text);
    if (!symbol || !isModel(*symbol)) {
      suggest(diags.report(diag::not_a_model, name.range, name.text),
              name.range, name.text, visible(scope, isModel));
      continue;
    }
    ++useCounts[symbol];
    training.models.push_back(symbol->function());
    result = resultOf(*symbol->function(), {});
  }
  return result;
}

/// Each key once, and all that are needed.
void Analysis::checkEntryKeys(const TrainDecl &decl) {
  llvm::StringMap<Range> seen;
  for (const Entry *entry : decl.entries) {
    auto *key = dyn_cast<KeyEntry>(entry);
    if (!key)
      continue;
    auto [known, isNew] = seen.try_emplace(key->key.text, key->key.range);
    if (!isNew && !key->clauses.empty())
      oneArgument(*key, "");
    else if (!isNew)
      diags.report(diag::entry_twice, key->key.range, key->key.text)
          .note(diag::given_here, known->second, key->key.text);
  }
  NameList known, missing;
  for (const EntryInfo &info : entryTable)
    known.push_back(info.key);
  // An unknown entry that looks like a known one is that one.
  for (StringRef key : llvm::to_vector(seen.keys()))
    seen.try_emplace(nearest(key, known));
  for (const EntryInfo &info : entryTable)
    if (info.need == Required && !seen.contains(info.key))
      missing.push_back(info.key);
  if (!missing.empty())
    diags.report(diag::missing_entry, decl.models.front().range,
                 llvm::join(missing, ", "));
}

/// The entry `data` comes first: its fields are names for the others.
void Analysis::resolveDataEntry(const TrainDecl &decl, Training &training,
                                Scope &scope) {
  auto isData = [](const Entry *entry) {
    auto *key = dyn_cast<KeyEntry>(entry);
    return key && key->key.text == "data";
  };
  auto entry = llvm::find_if(decl.entries, isData);
  if (entry == decl.entries.end())
    return;
  resolveEntry(*llvm::cast<KeyEntry>(*entry), training, scope);
  if (!training.data || !training.data->dataset->fields.empty())
    return;
  const Dataset &set = *training.data->dataset;
  diags.report(diag::unknown_fields, set.range, set.name)
      .hint(diag::annotate_dataset, set.name);
  training.data = nullptr;
}

void Analysis::buildTraining(const TrainDecl &decl, FileScope &file) {
  currentDecl = &decl;
  program.ownTrainings.emplace_back();
  Training &training = program.ownTrainings.back();
  training.decl = &decl;
  program.allTrainings.push_back(&training);
  Scope scope(&file);
  Value result = resolveModels(decl, file, training);
  if (decl.models.size() > 1) {
    diags.report(diag::several_models, decl.models[1].range);
    return;
  }
  checkEntryKeys(decl);
  resolveDataEntry(decl, training, scope);
  declareOutput(result, training, scope);

  llvm::StringSet<> done = {"data"};
  for (const Entry *entry : decl.entries) {
    if (auto *key = dyn_cast<KeyEntry>(entry)) {
      if (done.insert(key->key.text).second)
        resolveEntry(*key, training, scope);
    } else if (auto *step = dyn_cast<StepEntry>(entry)) {
      diags.report(diag::unsupported_entry, step->name.range, "step");
    } else {
      resolveEvery(*llvm::cast<EveryEntry>(entry), training, scope);
    }
  }
  // What follows asks for the fields and the terms.
  if (training.data) {
    checkInputs(training);
    checkTermNames(training);
    checkLogKeys(training);
  }
}

/// Models, losses and evaluations find their fields by name.
void Analysis::checkInputs(const Training &training) {
  const Dataset &set = *training.data->dataset;
  NameList wanted;
  for (const FunctionDecl *model : training.models)
    for (const Parameter &input : model->data) {
      needField(model->name.text, training.decl->models.front().range,
                input.name.text, set);
      wanted.push_back(input.name.text);
    }
  for (const auto *terms : {&training.losses, &training.metrics})
    for (const Term &term : *terms)
      if (term.isFunction) {
        needField(sources.text(term.range), term.range, "y", set);
        wanted.push_back("y");
      }
  for (const Training::Evaluation &evaluation : training.evaluations)
    for (StringRef field : wanted)
      if (!evaluation.iterator->dataset->fields.empty())
        needField(training.decl->models.front().text, evaluation.range, field,
                  *evaluation.iterator->dataset);
}

/// Each key of the log has one term.
void Analysis::checkTermNames(const Training &training) {
  llvm::StringMap<Range> keys;
  for (const auto *terms : {&training.losses, &training.metrics})
    for (const Term &term : *terms) {
      if (term.name.empty())
        continue;
      auto [known, isNew] = keys.try_emplace(term.name, term.range);
      if (!isNew)
        diags.report(diag::term_twice, term.range, term.name)
            .note(diag::given_here, known->second, term.name);
      else if (term.name == "loss")
        diags.report(diag::term_called_loss, term.range);
    }
}
