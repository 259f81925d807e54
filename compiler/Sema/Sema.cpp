//===- Sema.cpp - the order of the checks ---------------------------------===//

#include "compiler/Sema/Sema.h"

#include "compiler/Sema/Analysis.h"

using namespace dpl;

void Analysis::run(llvm::ArrayRef<const SourceBuffer *> prelude,
                   const SourceBuffer &user) {
  for (const SourceBuffer *buffer : prelude)
    parseFile(*buffer)->isPrelude = true;
  FileScope *userFile = parseFile(user);
  userFile->isUser = true;
  loadImports(*userFile);
  // Names in a tree with holes would give errors without a cause.
  if (diags.hasErrors())
    return;

  for (FileScope &file : files)
    declareFile(file);
  for (FileScope &file : files)
    linkImports(file);
  listDecls();
  for (FileScope &file : files)
    for (const Decl *decl : file.file.decls)
      if (isSeen(file, *decl))
        resolveDecl(*decl, file);
  checkCycles();
  buildPipelines(*userFile);
  for (const Decl *decl : userFile->file.decls)
    if (auto *train = llvm::dyn_cast<TrainDecl>(decl)) {
      if (!program.allTrainings.empty())
        diags.report(diag::trained_twice, train->models.front().range);
      buildTraining(*train, *userFile);
    }
  currentDecl = nullptr;
  checkStructural();
  // A name whose use has an error may look unused.
  if (!diags.hasErrors())
    checkUnused(*userFile);
}

llvm::FailureOr<std::unique_ptr<Program>>
dpl::analyze(SourceManager &sources,
             llvm::ArrayRef<const SourceBuffer *> prelude,
             const SourceBuffer &user, DiagnosticEngine &diags) {
  unsigned before = diags.numErrors();
  auto program = std::make_unique<Program>();
  Analysis(*program, sources, diags).run(prelude, user);
  if (diags.numErrors() != before)
    return llvm::failure();
  return program;
}
