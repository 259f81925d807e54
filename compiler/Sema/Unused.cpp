//===- Unused.cpp - declared for nothing, or by itself --------------------===//

#include "compiler/Sema/Analysis.h"

using namespace dpl;

/// Names of the user's functions that nothing mentions.
void Analysis::checkUnused(const FileScope &user) {
  for (const Symbol *symbol : locals) {
    if (owners.lookup(symbol) != &user)
      continue;
    unsigned count = useCounts.lookup(symbol);
    bool isExtern = symbol->owner && symbol->owner->isExtern;
    switch (symbol->kind) {
    case Symbol::Kind::Let:
    case Symbol::Kind::Var:
    case Symbol::Kind::Param:
    case Symbol::Kind::Setting:
      if (count != 0 || isExtern)
        break;
      if (valueOf(*symbol).type == Type::Callable)
        diags.report(diag::unused_layer, symbol->range, symbol->name);
      else
        diags.report(diag::unused_name, symbol->range, describe(*symbol),
                     symbol->name);
      break;
    case Symbol::Kind::Size:
      if (count == 1 && !isExtern)
        diags.report(diag::size_seen_once, symbol->range, symbol->name)
            .hint(diag::use_blank);
      break;
    default:
      break;
    }
  }
  // A file without a training is there to be imported.
  if (program.allTrainings.empty())
    return;
  for (const Decl *decl : user.file.decls) {
    const Symbol *symbol = declSymbols.lookup(decl);
    if (!symbol || useCounts.lookup(symbol))
      continue;
    if (symbol->kind == Symbol::Kind::Dataset)
      diags.report(diag::dataset_not_read, symbol->range, symbol->name);
    else
      diags.report(diag::unused_name, symbol->range, describe(*symbol),
                   symbol->name);
  }
}

/// Consts, functions and data sets that are made of themselves.
void Analysis::checkCycles() {
  enum State { New, Open, Done };
  llvm::DenseMap<const Decl *, State> states;
  llvm::SmallVector<const Decl *> path;

  auto report = [&](const Use &use) {
    std::string way;
    auto start = llvm::find(path, use.target);
    for (const Decl *decl : llvm::make_range(start, path.end()))
      way += nameOf(*decl).text.str() + " -> ";
    way += nameOf(*use.target).text.str();
    diags
        .report(diag::declared_by_itself, use.place->range,
                nameOf(*use.target).text, way)
        .note(diag::declared_here, nameOf(*use.target).range,
              nameOf(*use.target).text);
  };
  auto visit = [&](auto &self, const Decl *decl) -> void {
    states[decl] = Open;
    path.push_back(decl);
    if (auto it = uses.find(decl); it != uses.end())
      for (const Use &use : it->second) {
        State state = states.lookup(use.target);
        if (state == Open)
          report(use);
        else if (state == New)
          self(self, use.target);
      }
    path.pop_back();
    states[decl] = Done;
  };
  for (const auto &entry : uses)
    if (states.lookup(entry.first) == New)
      visit(visit, entry.first);
}
