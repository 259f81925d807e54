//===- Driver.cpp - dplc --------------------------------------------------===//

#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Compilation.h"
#include "compiler/Driver/LayerReference.h"
#include "compiler/Driver/Options.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace dpl;

int dpl::runDriver(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::optional<DriverOptions> options =
      parseOptions(llvm::ArrayRef<const char *>(argv + 1, argv + argc));
  if (!options)
    return 2;
  // Without a folder, argv[0] was found in PATH, and says nothing.
  std::string self = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&runDriver));
  switch (options->command) {
  case Command::Help:
    printHelp(llvm::outs());
    return 0;
  case Command::Version:
    llvm::outs() << "dplc " DPL_VERSION "\n";
    return 0;
  case Command::Explain:
    renderPage(*options->page, llvm::outs());
    return 0;
  case Command::Docs:
    if (options->docs == DocsPage::Layers)
      renderLayerReference(llvm::outs());
    else
      renderReference(llvm::outs());
    return 0;
  case Command::Compile: {
    Compilation compilation(*options, self);
    if (failed(compilation.chooseTarget()))
      return 2;
    return succeeded(compilation.compile()) ? 0 : 1;
  }
  case Command::Gradcheck:
    return succeeded(Compilation(*options, self).gradcheck()) ? 0 : 1;
  }
  llvm_unreachable("unknown command");
}
