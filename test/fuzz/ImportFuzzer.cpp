//===- ImportFuzzer.cpp - any text as a program, up to the dialect --------===//

#include "compiler/Diagnostics/Render.h"
#include "compiler/Import/Import.h"
#include "compiler/Sema/Sema.h"
#include "test/fuzz/Fuzzer.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

using namespace dpl;

/// A context for many inputs: making one costs more than most inputs do. What
/// an input leaves in it is kept, so it is made anew from time to time.
static mlir::MLIRContext &sharedContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 1000 == 0)
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
  return *context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticEngine diags;
  std::vector<const SourceBuffer *> prelude = addPrelude(sources);
  const SourceBuffer &user = sources.add(
      "fuzz.dpl", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  auto program = analyze(sources, prelude, user, diags);
  DPL_PROMISE(llvm::failed(program) == diags.hasErrors());
  if (llvm::succeeded(program)) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        importProgram(sharedContext(), sources, **program, {}, diags);
    DPL_PROMISE(!module == diags.hasErrors());
    DPL_PROMISE(!module || llvm::succeeded(mlir::verify(*module)));
  }
  renderText(diags, sources, llvm::nulls());
  renderJson(diags, sources, llvm::nulls());
  return 0;
}
