//===- Arguments.cpp - arguments to parameters ----------------------------===//

#include "compiler/Sema/Analysis.h"
#include "compiler/Sema/NumberRange.h"

#include "llvm/ADT/StringExtras.h"

using namespace dpl;
using llvm::ArrayRef;
using llvm::StringRef;

static const NamedType *namedType(const Parameter &parameter) {
  return llvm::dyn_cast_or_null<NamedType>(parameter.type);
}

/// Binds the arguments of one list. Data go by position, the first setting may
/// be bare, the rest are named.
class Analysis::Binder {
public:
  Binder(Analysis &analysis, const FunctionDecl &fn, ParameterList parameters,
         Range place)
      : analysis(analysis), diags(analysis.diags), fn(fn),
        parameters(parameters), place(place) {
    for (const Parameter &p : parameters)
      bound.push_back({&p, nullptr, {}});
    given.resize(parameters.size());
    planPositions();
  }

  ArrayRef<BoundArgument> bind(ArrayRef<Argument> args, Scope &scope);

private:
  bool isSettings() const {
    return fn.twoLists && parameters.data() == fn.settings.data();
  }
  /// The last list of a transform is the type of a field; data sets go there.
  bool isTransformData() const {
    return fn.functionKind == FunctionKind::Reader && fn.twoLists &&
           !isSettings();
  }
  bool isSetting(const Parameter &parameter) const;
  void planPositions();
  void bindPositional(const Argument &arg);
  void bindNamed(const Argument &arg);
  void give(size_t index, const Argument &arg);
  void reportMissing();

  Analysis &analysis;
  DiagnosticEngine &diags;
  const FunctionDecl &fn;
  ParameterList parameters;
  Range place;
  llvm::SmallVector<BoundArgument> bound;
  llvm::SmallVector<Range> given; ///< the place of each parameter's argument
  /// The parameters that positional arguments go to; those from `firstNamed`
  /// on must be named.
  llvm::SmallVector<size_t> positions;
  size_t firstNamed = 0;
  std::optional<size_t> variadic;
  llvm::SmallVector<const Expr *> rest;
  size_t next = 0;
};

bool Analysis::Binder::isSetting(const Parameter &parameter) const {
  if (isSettings())
    return true;
  switch (analysis.valueOf(parameter.type).type) {
  case Type::Int:
  case Type::Float:
  case Type::Bool:
  case Type::String:
  case Type::Duration:
  case Type::List:
  case Type::Member:
    return true;
  default: {
    const NamedType *type = namedType(parameter);
    return type && type->name.text == "field";
  }
  }
}

void Analysis::Binder::planPositions() {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!isSetting(parameters[i]))
      positions.push_back(i);
  firstNamed = positions.size();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!isSetting(parameters[i]))
      continue;
    if (positions.size() == firstNamed) {
      const NamedType *type = namedType(parameters[i]);
      bool any = type && type->dims.size() == 1 && type->dims[0].isRest();
      if (any)
        variadic = i;
    }
    positions.push_back(i);
  }
  if (firstNamed < positions.size())
    ++firstNamed;
}

void Analysis::Binder::give(size_t index, const Argument &arg) {
  const Parameter &parameter = parameters[index];
  if (given[index].isValid()) {
    diags.report(diag::argument_twice, arg.range(), parameter.name.text)
        .note(diag::given_here, given[index], parameter.name.text);
    return;
  }
  given[index] = arg.range();
  bound[index].value = arg.value;
}

void Analysis::Binder::bindPositional(const Argument &arg) {
  if (variadic && next + 1 >= firstNamed) {
    rest.push_back(arg.value);
    return;
  }
  if (next >= positions.size()) {
    diags
        .report(diag::too_many_arguments, arg.range(), fn.name.text,
                llvm::Twine(parameters.size()) + " argument" +
                    (parameters.size() == 1 ? "" : "s"),
                next + 1)
        .note(diag::declared_here, fn.name.range, fn.name.text);
    ++next;
    return;
  }
  size_t index = positions[next];
  if (next >= firstNamed) {
    StringRef name = parameters[index].name.text;
    Location at = arg.value->range.begin;
    diags.report(diag::setting_without_name, arg.range(), name)
        .fix(diag::write_name, {at, at}, (name + ": ").str(), name);
  }
  ++next;
  give(index, arg);
}

void Analysis::Binder::bindNamed(const Argument &arg) {
  NameList known;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name.text == arg.name.text)
      return give(i, arg);
    known.push_back(parameters[i].name.text);
  }
  auto report = diags.report(diag::unknown_argument, arg.name.range,
                             fn.name.text, arg.name.text);
  analysis.suggest(report, arg.name.range, arg.name.text, known);
  report.note(diag::declared_here, fn.name.range, fn.name.text);
}

void Analysis::Binder::reportMissing() {
  std::string missing;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!given[i].isValid() && !parameters[i].defaultValue &&
        !(variadic == i && !rest.empty()))
      missing +=
          (missing.empty() ? "`" : ", `") + parameters[i].name.text.str() + "`";
  if (!missing.empty())
    diags.report(diag::missing_argument, place, fn.name.text, missing)
        .note(diag::declared_here, fn.name.range, fn.name.text);
}

ArrayRef<BoundArgument> Analysis::Binder::bind(ArrayRef<Argument> args,
                                               Scope &scope) {
  for (const Argument &arg : args) {
    if (arg.name)
      bindNamed(arg);
    else
      bindPositional(arg);
  }
  reportMissing();
  if (variadic)
    bound[*variadic].variadic =
        analysis.context.list(ArrayRef<const Expr *>(rest));
  for (const BoundArgument &b : bound) {
    if (b.value && isTransformData())
      analysis.resolveSource(b.value, scope);
    else if (b.value)
      analysis.resolveArgument(*b.parameter, b.value, scope);
    for (const Expr *value : b.variadic)
      analysis.resolveArgument(*b.parameter, value, scope);
  }
  // What went to no parameter has names, too.
  for (const Argument &arg : args) {
    bool isBound = llvm::any_of(
        bound, [&](const BoundArgument &b) { return b.value == arg.value; });
    if (!isBound && !llvm::is_contained(rest, arg.value))
      analysis.resolve(arg.value, scope);
  }
  return analysis.context.list<BoundArgument>(bound);
}

ArrayRef<BoundArgument> Analysis::bindArguments(const FunctionDecl &fn,
                                                ParameterList parameters,
                                                ArrayRef<Argument> args,
                                                Range place, Scope &scope) {
  return Binder(*this, fn, parameters, place).bind(args, scope);
}

/// A member of a closed set: a setting or const of such a set first, then the
/// member itself; both is an error.
void Analysis::resolveSetMember(const NamedType &set, const NameExpr *name,
                                Scope &scope) {
  NameList members = {set.name.text};
  for (const Identifier &member : set.alternatives)
    members.push_back(member.text);
  bool isMember = llvm::is_contained(members, name->name);
  const Symbol *symbol = find(scope, name->name);
  bool isSetting = symbol && valueOf(*symbol).type == Type::Member;
  if (isSetting && isMember) {
    noteDeclared(diags.report(diag::ambiguous_member, name->range, name->name),
                 *symbol);
    return;
  }
  if (isSetting) {
    bind(name, symbol, name);
    values[name] = {Type::Member};
    return;
  }
  if (!isMember) {
    suggest(diags.report(diag::unknown_set_member, name->range, name->name,
                         llvm::join(members, ", ")),
            name->range, name->name, members);
    return;
  }
  Symbol member{Symbol::Kind::Member, name->name, set.name.range};
  bind(name, context.make<Symbol>(member), nullptr);
  values[name] = {Type::Member};
}

void Analysis::resolveArgument(const Parameter &parameter, const Expr *value,
                               Scope &scope) {
  const NamedType *type = namedType(parameter);
  auto *name = llvm::dyn_cast<NameExpr>(value);
  if (type && name && type->isClosedSet())
    return resolveSetMember(*type, name, scope);
  if (type && type->name.text == "field") {
    if (!name) {
      diags.report(diag::type_mismatch, value->range, parameter.name.text,
                   "the bare name of a field", "an expression");
      return;
    }
    Symbol field{Symbol::Kind::Field, name->name, Range()};
    bind(name, context.make<Symbol>(field), nullptr);
    values[name] = {};
    return;
  }
  Value found = resolve(value, scope);
  checkFits(parameter.type, parameter.name.text, parameter.name.range, value,
            found);
}

/// What a transform changes.
void Analysis::resolveSource(const Expr *value, Scope &scope) {
  Value found = resolve(value, scope);
  if (found.type != Type::Dataset && found.type != Type::Unknown)
    diags.report(diag::not_a_dataset, value->range, sources.text(value->range));
}

/// Whether a value of a type may stand where the other is wanted; shapes and
/// numbers are for later.
static bool fits(Type wanted, Type found) {
  if (wanted == found || wanted == Type::Unknown || found == Type::Unknown)
    return true;
  switch (wanted) {
  case Type::Float:
    return found == Type::Int || found == Type::Tensor;
  case Type::Tensor:
    return found == Type::Int || found == Type::Float || found == Type::Bool ||
           found == Type::List;
  default:
    return false;
  }
}

void Analysis::checkFits(const TypeNode *type, StringRef name, Range declared,
                         const Expr *value, Value found) {
  Value wanted = valueOf(type);
  auto *named = llvm::dyn_cast_or_null<NamedType>(type);
  bool isFine = fits(wanted.type, found.type);
  if (named && named->name.text == "schedule")
    isFine |= found.type == Type::Callable;
  // One value may stand for a list of equal ones; each of a variadic's is one.
  if (wanted.type == Type::List && found.type != Type::Unknown)
    isFine = fits(wanted.element,
                  found.type == Type::List ? found.element : found.type);
  if (isFine)
    return;
  auto report = diags.report(diag::type_mismatch, value->range, name,
                             "`" + typeText(type) + "`", describe(found.type));
  if (declared.isValid())
    report.note(diag::declared_here, declared, name);
}
