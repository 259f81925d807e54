//===- Naming.cpp - the paths of layers -----------------------------------===//
//
// A layer's path is made of `let` names and list indices. A layer without a
// name gets its maker's in snake case with a number, when it is first applied.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Evaluator.h"

#include "llvm/ADT/StringExtras.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::ArrayRef;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;

static std::string withIndices(StringRef name, ArrayRef<int64_t> indices) {
  std::string result = name.str();
  for (int64_t i : indices)
    result += "." + std::to_string(i);
  return result;
}

/// `ResNet18` -> `res_net18`, `LSTM` -> `lstm`.
static std::string snakeCase(StringRef name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    bool upper = llvm::isUpper(name[i]);
    bool afterWord = i && !llvm::isUpper(name[i - 1]) && name[i - 1] != '_';
    bool endsAcronym = i && llvm::isUpper(name[i - 1]) && i + 1 < name.size() &&
                       llvm::isLower(name[i + 1]);
    if (upper && (afterWord || endsAcronym))
      result += '_';
    result += llvm::toLower(name[i]);
  }
  return result;
}

LogicalResult Evaluator::claimName(StringRef name, Range range) {
  Scope *scope = context.frame().scope;
  auto [it, fresh] = scope->names.try_emplace(name, range);
  if (fresh)
    return success();
  return context.report(diag::path_twice, range, scope->child(name))
      .note(diag::first_here, it->second);
}

/// Gives a layer its path, and to layers among its settings theirs.
static void setPath(Callable &callable, std::string path) {
  callable.path = std::move(path);
  callable.hasPath = true;
  for (auto [parameter, value] :
       llvm::zip(callable.function->settings, callable.settings))
    forEachCallable(value, [&](Callable &inner, ArrayRef<int64_t> indices) {
      if (inner.isLayer() && !inner.hasPath)
        setPath(inner, callable.path + "." +
                           withIndices(parameter.name.text, indices));
    });
}

LogicalResult Evaluator::nameLayers(const Value &value, StringRef name,
                                    Range range) {
  bool any = false;
  forEachCallable(value, [&](Callable &callable, ArrayRef<int64_t>) {
    any |= callable.isLayer() && !callable.hasPath;
  });
  Frame &frame = context.frame();
  if (!any || !frame.scope)
    return success();
  std::string base = withIndices(name, frame.loop);
  if (failed(claimName(base, range)))
    return llvm::failure();
  if (frame.function && frame.function->functionKind == FunctionKind::Fn)
    frame.namesLayers = true;
  bool isUser = !context.isPrelude(range);
  forEachCallable(value, [&](Callable &callable, ArrayRef<int64_t> indices) {
    if (!callable.isLayer() || callable.hasPath)
      return;
    setPath(callable, frame.scope->child(withIndices(base, indices)));
    if (!isUser)
      return;
    callable.letSite = range.begin.offset;
    sites[callable.letSite].name = name;
    sites[callable.letSite].range = range;
  });
  return success();
}

void Evaluator::ensurePath(Callable &callable) {
  if (callable.hasPath)
    return;
  Frame &frame = context.frame();
  if (frame.function && frame.function->functionKind == FunctionKind::Fn)
    frame.namesLayers = true;
  std::string &base = frame.siteNames[callable.site];
  if (base.empty()) {
    std::string maker = snakeCase(callable.function->name.text);
    do {
      base = maker + std::to_string(++frame.scope->counters[maker]);
    } while (frame.scope->names.contains(base));
  }
  std::string name = withIndices(base, callable.loop);
  frame.scope->names.try_emplace(name, callable.range);
  setPath(callable, frame.scope->child(name));
}

void Evaluator::reportUnused() {
  for (const auto &[place, site] : sites)
    if (!site.used)
      context.report(diag::unused_layer, site.range, site.name);
}
