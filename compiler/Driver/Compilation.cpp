//===- Compilation.cpp - One run of the compiler --------------------------===//

#include "compiler/Driver/Compilation.h"
#include "compiler/Diagnostics/Render.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Import/Import.h"
#include "compiler/Reference/Gradcheck.h"
#include "compiler/Sema/Sema.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Printer.h"
#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Cpu/LinkTrainer.h"
#include "compiler/Target/Cpu/ParallelEmit.h"
#include "compiler/Target/Program/Description.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <thread>

using namespace mlir;
using namespace dpl;

/// Objects that are made at the same time, at most: more parts than that are
/// too small to pay for their copies.
static constexpr unsigned kMostObjects = 8;

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Compilation::Compilation(const DriverOptions &options, StringRef self)
    : options(options), self(self), context(allDialects()) {}

LogicalResult Compilation::fail(const Twine &message) {
  return diags.report(diag::cannot_make, Range(), message);
}

LogicalResult Compilation::finish(LogicalResult result) {
  if (options.jsonDiagnostics)
    renderJson(diags, sources, llvm::errs());
  else
    renderText(diags, sources, llvm::errs());
  return result;
}

const SourceBuffer *Compilation::load() {
  std::string error;
  const SourceBuffer *file = sources.load(options.input, error);
  if (!file)
    diags.report(diag::cannot_read, Range(), options.input, error);
  return file;
}

LogicalResult Compilation::printSyntax() {
  const SourceBuffer *file = load();
  if (!file)
    return failure();
  ASTContext tree;
  SourceFile parsed = parse(*file, tree, diags);
  if (diags.hasErrors())
    return failure();
  print(parsed, llvm::outs());
  return success();
}

OwningOpRef<ModuleOp> Compilation::import() {
  std::vector<const SourceBuffer *> prelude = addPrelude(sources);
  const SourceBuffer *file = load();
  if (!file)
    return {};
  OwningOpRef<ModuleOp> module;
  FailureOr<std::unique_ptr<Program>> program =
      analyze(sources, prelude, *file, diags);
  if (succeeded(program)) {
    ImportOptions importOptions;
    importOptions.overrides = options.constants;
    module = importProgram(context, sources, **program, importOptions, diags);
  }
  return module;
}

LogicalResult Compilation::checkOutput() {
  StringRef output = options.output;
  bool same = false;
  if (!llvm::sys::fs::equivalent(options.input, output, same) && same)
    return diags.report(diag::bad_output, Range(), output,
                        "is the input; give another name with -o");
  if (llvm::sys::fs::exists(output) && !llvm::sys::fs::is_regular_file(output))
    return diags.report(diag::bad_output, Range(), output,
                        "exists and is no regular file");
  return success();
}

LogicalResult Compilation::chooseTarget() {
  FailureOr<cpu::TargetInfo> chosen = cpu::describeTarget(
      options.march, [&](const Twine &message) { (void)fail(message); });
  if (failed(chosen))
    return finish(failure());
  target = *chosen;
  return success();
}

LogicalResult Compilation::compile() {
  return finish(options.stopAfter == Phase::Syntax ? printSyntax()
                                                   : makeTrainer());
}

LogicalResult Compilation::makeTrainer() {
  if (failed(checkOutput()))
    return failure();
  OwningOpRef<ModuleOp> module = import();
  if (module && !options.stopAfter && module->getOps<TrainOp>().empty())
    return diags.report(diag::nothing_to_train, Range(), options.input);
  return module ? lower(*module) : failure();
}

LogicalResult Compilation::lower(ModuleOp module) {
  PipelineOptions pipeline;
  pipeline.target = target;
  pipeline.timing = options.timing;
  std::string description, hash = hashProgram(module);
  std::vector<std::string> kernels;
  for (const PhaseInfo &info : allPhases()) {
    if (info.phase > Phase::Import &&
        failed(runPhase(info.phase, module, pipeline)))
      return fail("the phase `" + info.name +
                  "` failed; this is a fault of dplc");
    if (info.phase == Phase::Memory) {
      DescriptionInfo about{llvm::sys::path::filename(options.input).str(),
                            "dplc " DPL_VERSION,
                            target.cpu,
                            target.triple,
                            target.needs,
                            hash};
      description = describeProgram(module, about);
      for (func::FuncOp kernel : kernelsOf(module))
        kernels.push_back(kernel.getName().str());
    }
    if (options.stopAfter == info.phase) {
      module.print(llvm::outs());
      return success();
    }
  }
  return emit(module, kernels, description);
}

LogicalResult Compilation::emit(ModuleOp module, ArrayRef<std::string> kernels,
                                StringRef description) {
  auto report = [&](const Twine &message) { (void)fail(message); };
  FailureOr<std::string> archive = cpu::findRuntimeArchive(self, report);
  if (failed(archive))
    return failure();
  // The description's operations have done their part.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (op.getName().getDialectNamespace() == "dpl")
      op.erase();
  SmallVector<StringRef> names(kernels.begin(), kernels.end());
  if (failed(cpu::addProgramTable(module, names, description)))
    return failure();
  SmallString<128> prefix;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("dplc", "", prefix))
    return fail("cannot make a temporary file: " + error.message());
  unsigned parts =
      std::clamp(std::thread::hardware_concurrency(), 1u, kMostObjects);
  FailureOr<std::vector<std::string>> objects =
      cpu::emitObjectFiles(module, target, cpu::OptLevel::O1, parts, prefix);
  LogicalResult result = failure();
  if (succeeded(objects)) {
    result = cpu::linkTrainer(*objects, options.output, *archive, report);
    for (const std::string &object : *objects)
      llvm::sys::fs::remove(object);
  }
  llvm::sys::fs::remove(prefix);
  return result;
}

LogicalResult Compilation::gradcheck() { return finish(checkGradients()); }

LogicalResult Compilation::checkGradients() {
  OwningOpRef<ModuleOp> module = import();
  if (!module)
    return failure();
  reference::GradcheckOptions check;
  check.seed = options.seed.value_or(check.seed);
  check.samples = options.samples.value_or(check.samples);
  check.elements = options.elements.value_or(check.elements);
  return reference::gradcheck(*module, check, llvm::outs());
}
