//===- Declare.cpp - files, imports and the names that they have ----------===//

#include "compiler/Sema/Analysis.h"
#include "compiler/Support/Nearest.h"
#include "compiler/Syntax/Parser.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace dpl;
using llvm::StringRef;

FileScope *Analysis::parseFile(const SourceBuffer &buffer) {
  files.emplace_back();
  files.back().file = parse(buffer, context, diags);
  return &files.back();
}

/// The file of an `import`, parsed once; null if it cannot be read.
FileScope *Analysis::loadImport(FileScope &from, const ImportDecl &import) {
  llvm::SmallString<128> path(import.path->value);
  if (llvm::sys::path::is_relative(path)) {
    path = llvm::sys::path::parent_path(from.file.buffer->name());
    llvm::sys::path::append(path, import.path->value);
  }
  for (FileScope &file : files)
    if (file.file.buffer->name() == path)
      return &file;
  std::string error;
  const SourceBuffer *buffer = sources.load(path, error);
  if (!buffer) {
    diags.report(diag::cannot_import, import.path->range, path.str(), error);
    return nullptr;
  }
  FileScope *file = parseFile(*buffer);
  loadImports(*file);
  return file;
}

void Analysis::loadImports(FileScope &scope) {
  for (const Decl *decl : scope.file.decls)
    if (auto *import = llvm::dyn_cast<ImportDecl>(decl))
      if (FileScope *file = loadImport(scope, *import))
        scope.imports.push_back(file);
}

Symbol *Analysis::newSymbol(Symbol::Kind kind, const Identifier &name) {
  Symbol symbol{kind, name.text, name.range};
  Symbol *result = context.make<Symbol>(symbol);
  program.symbols[&name] = result;
  return result;
}

static Symbol::Kind symbolKind(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::Setting:
    return llvm::cast<SettingDecl>(decl).isOption ? Symbol::Kind::Option
                                                  : Symbol::Kind::Const;
  case Decl::Kind::Dataset:
    return Symbol::Kind::Dataset;
  case Decl::Kind::Iterator:
    return Symbol::Kind::Iterator;
  default:
    return Symbol::Kind::Function;
  }
}

static const Identifier *declaredName(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::Setting:
    return &llvm::cast<SettingDecl>(decl).name;
  case Decl::Kind::Dataset:
    return &llvm::cast<DatasetDecl>(decl).name;
  case Decl::Kind::Iterator:
    return &llvm::cast<IteratorDecl>(decl).name;
  case Decl::Kind::Function:
    return &llvm::cast<FunctionDecl>(decl).name;
  case Decl::Kind::Import:
  case Decl::Kind::Train:
    break;
  }
  return nullptr;
}

/// Whether a function is an action of `every`.
static bool isAction(const Decl &decl) {
  auto *fn = llvm::dyn_cast<FunctionDecl>(&decl);
  auto *result = fn ? llvm::dyn_cast_or_null<NamedType>(fn->result) : nullptr;
  return result && result->name.text == "action";
}

void Analysis::declare(FileScope &scope, const Decl &decl) {
  const Identifier *name = declaredName(decl);
  if (!name)
    return;
  Symbol *symbol = newSymbol(symbolKind(decl), *name);
  symbol->decl = &decl;
  declSymbols[&decl] = symbol;
  owners[symbol] = &scope;
  if (isAction(decl)) {
    actions[name->text] = llvm::cast<FunctionDecl>(&decl);
    return;
  }
  auto &names = scope.isPrelude ? preludeNames : scope.names;
  auto [known, isNew] = names.try_emplace(name->text, symbol);
  if (!isNew) {
    noteDeclared(diags.report(diag::declared_twice, name->range, name->text),
                 *known->second);
    return;
  }
  if (const Symbol *ours = preludeNames.lookup(name->text);
      ours && !scope.isPrelude)
    diags.report(diag::shadows_prelude, name->range, name->text,
                 describe(*ours));
}

void Analysis::declareFile(FileScope &scope) {
  for (const Decl *decl : scope.file.decls)
    declare(scope, *decl);
}

/// What `import` brings: const, fn, layer, optimizer.
static bool isImported(const Decl &decl) {
  if (auto *setting = llvm::dyn_cast<SettingDecl>(&decl))
    return !setting->isOption;
  auto *fn = llvm::dyn_cast<FunctionDecl>(&decl);
  return fn && fn->functionKind != FunctionKind::Model &&
         fn->functionKind != FunctionKind::Reader;
}

void Analysis::linkImports(FileScope &scope) {
  for (const FileScope *from : scope.imports) {
    for (const Decl *decl : from->file.decls) {
      const Identifier *name = declaredName(*decl);
      if (!name || !isImported(*decl) || from == &scope)
        continue;
      const Symbol *symbol = declSymbols[decl];
      auto [known, isNew] = scope.names.try_emplace(name->text, symbol);
      if (!isNew && known->second != symbol)
        diags.report(diag::declared_twice, known->second->range, name->text)
            .note(diag::declared_here, name->range, name->text);
    }
  }
}

/// Whether a declaration is part of the program.
bool Analysis::isSeen(const FileScope &file, const Decl &decl) const {
  return file.isPrelude || file.isUser || isImported(decl);
}

/// The declarations that later phases see.
void Analysis::listDecls() {
  for (FileScope &file : files) {
    for (const Decl *decl : file.file.decls) {
      if (!isSeen(file, *decl))
        continue;
      program.allDecls.push_back(decl);
      if (Identifier name = nameOf(*decl); name && !isAction(*decl))
        program.byName.try_emplace(name.text, decl);
      auto *setting = llvm::dyn_cast<SettingDecl>(decl);
      if (setting && !file.isPrelude)
        program.allSettings.push_back(setting);
    }
  }
}

const Symbol *Analysis::declareLocal(Scope &scope, Symbol *symbol,
                                     const Identifier &name) {
  if (name.text == "_") {
    program.symbols.erase(&name);
    return nullptr;
  }
  auto [known, isNew] = scope.names.try_emplace(name.text, symbol);
  if (!isNew) {
    noteDeclared(diags.report(diag::declared_twice, name.range, name.text),
                 *known->second);
    known->second = symbol;
  }
  locals.push_back(symbol);
  owners[symbol] = scope.file;
  return symbol;
}

const Symbol *Analysis::findTop(const FileScope &file, StringRef name) const {
  if (const Symbol *symbol = file.names.lookup(name))
    return symbol;
  return preludeNames.lookup(name);
}

const Symbol *Analysis::find(const Scope &scope, StringRef name) const {
  for (const Scope *s = &scope; s; s = s->parent)
    if (const Symbol *symbol = s->names.lookup(name))
      return symbol;
  return findTop(*scope.file, name);
}

Analysis::NameList
Analysis::visible(const Scope &scope,
                  llvm::function_ref<bool(const Symbol &)> fits) const {
  NameList names;
  auto add = [&](const llvm::StringMap<const Symbol *> &map) {
    for (const auto &entry : map)
      if (fits(*entry.second))
        names.push_back(entry.first());
  };
  for (const Scope *s = &scope; s; s = s->parent)
    add(s->names);
  add(scope.file->names);
  add(preludeNames);
  // Hash order must not choose between equally near names.
  llvm::sort(names);
  return names;
}

DiagnosticEngine::Builder Analysis::suggest(DiagnosticEngine::Builder report,
                                            Range range, StringRef name,
                                            llvm::ArrayRef<StringRef> known) {
  StringRef near = nearest(name, known);
  if (!near.empty())
    report.fix(diag::did_you_mean, range, near, near);
  return report;
}

DiagnosticEngine::Builder
Analysis::noteDeclared(DiagnosticEngine::Builder report, const Symbol &symbol) {
  if (symbol.range.isValid())
    report.note(diag::declared_here, symbol.range, symbol.name);
  return report;
}

void Analysis::bind(const void *use, const Symbol *symbol,
                    const NameExpr *place) {
  program.symbols[use] = symbol;
  ++useCounts[symbol];
  if (currentDecl && symbol->decl && place)
    uses[currentDecl].push_back({symbol->decl, place});
}
