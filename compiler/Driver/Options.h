//===- Options.h - The command line of dplc ---------------------*- C++ -*-===//

#ifndef DPL_DRIVER_OPTIONS_H
#define DPL_DRIVER_OPTIONS_H

#include "compiler/Diagnostics/Pages.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/Cpu/TargetInfo.h"

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace dpl {

enum class Command { Compile, Gradcheck, Explain, Docs, Help, Version };

/// A page that `dplc --docs=` prints.
enum class DocsPage { Layers, Diagnostics };

/// What the command line asks for. Nothing else reads arguments.
struct DriverOptions {
  Command command = Command::Compile;
  const Page *page = nullptr; ///< of Explain
  DocsPage docs = DocsPage::Layers;
  std::string input;
  std::string output;
  llvm::StringMap<std::string> constants; ///< -D NAME=VALUE
  std::string march = "native";
  std::optional<Phase> stopAfter;
  bool jsonDiagnostics = false;
  bool timing = false;
  std::optional<uint64_t> seed;
  std::optional<int64_t> samples, elements;
};

/// Reads the command line. None after one line on standard error that names
/// the argument, and the nearest known one.
std::optional<DriverOptions>
parseOptions(llvm::ArrayRef<const char *> arguments);

/// Usage, options and phases.
void printHelp(llvm::raw_ostream &os);

} // namespace dpl

#endif // DPL_DRIVER_OPTIONS_H
