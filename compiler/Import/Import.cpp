//===- Import.cpp - from a checked program to the dpl dialect -------------===//

#include "compiler/Import/Import.h"

#include "compiler/Import/ModuleBuilder.h"
#include "compiler/Prelude/Prelude.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::LogicalResult;

std::vector<const SourceBuffer *> dpl::addPrelude(SourceManager &sources) {
  std::vector<const SourceBuffer *> buffers;
  for (const PreludeFile &file : prelude())
    buffers.push_back(&sources.add(file.name, file.text));
  return buffers;
}

LogicalResult ModuleBuilder::run() {
  const Program &program = context.program;
  Frame file;
  Context::Entered entered(context, file);
  // Names of the user stay as they are; names of functions give way.
  context.reserveSymbol("settings");
  for (const Decl *decl : program.decls()) {
    Identifier name = nameOf(*decl);
    bool isSymbol = decl->kind == Decl::Kind::Dataset ||
                    decl->kind == Decl::Kind::Iterator ||
                    (llvm::isa<SettingDecl>(decl) &&
                     llvm::cast<SettingDecl>(decl)->isOption);
    auto *function = llvm::dyn_cast<FunctionDecl>(decl);
    isSymbol |= function && function->functionKind == FunctionKind::Model;
    if (isSymbol && !context.reserveSymbol(name.text))
      return context.report(diag::name_taken, name.range, name.text);
  }
  if (failed(checkOverrides()))
    return failure();
  for (const SettingDecl *decl : program.settings())
    if (decl->isOption && failed(writeOption(decl)))
      return failure();
  for (const Dataset *dataset : program.datasets())
    if (!fieldsOf.count(dataset) && failed(writeDataset(*dataset)))
      return failure();
  for (const Iterator *iterator : program.iterators())
    if (failed(writeIterator(*iterator)))
      return failure();

  llvm::SetVector<const FunctionDecl *> trained, all;
  for (const Training *training : program.trainings())
    trained.insert(training->models.begin(), training->models.end());
  for (const Decl *decl : program.decls())
    if (auto *f = llvm::dyn_cast<FunctionDecl>(decl);
        f && f->functionKind == FunctionKind::Model)
      all.insert(f);
  severalModels = all.size() > 1;
  for (const Training *training : program.trainings())
    if (failed(writeTraining(*training)))
      return failure();
  for (const FunctionDecl *model : all)
    if (!trained.contains(model) && failed(writeUntrained(model)))
      return failure();
  context.settings.emit(*context.module);
  writeOptionRanges();
  evaluator.reportUnused();
  return llvm::success();
}

mlir::OwningOpRef<mlir::ModuleOp>
dpl::importProgram(mlir::MLIRContext &mlir, const SourceManager &sources,
                   const Program &program, const ImportOptions &options,
                   DiagnosticEngine &diags) {
  mlir.loadDialect<DplDialect, mlir::func::FuncDialect>();
  Context context(&mlir, sources, program, options, diags);
  if (failed(ModuleBuilder(context).run())) {
    assert(diags.hasErrors() && "a failure that was not reported");
    return {};
  }
  assert(succeeded(mlir::verify(*context.module)) &&
         "Import made a wrong module");
  return std::move(context.module);
}
