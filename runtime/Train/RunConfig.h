//===- RunConfig.h - What a run was asked for -------------------*- C++ -*-===//
//
// The result of defaults, environment and command line, in rising precedence.
// Nothing behind it reads flags or the environment.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_RUNCONFIG_H
#define DPL_RUNTIME_TRAIN_RUNCONFIG_H

#include "runtime/Program/Description.h"
#include "runtime/Train/OptionValues.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpl::rt {

enum class Command { Train, Eval, Info, Plot };

enum class ResumeMode {
  Never, ///< an existing run is refused
  Auto,  ///< the newest good snapshot in the folder, or a start from scratch
  From   ///< the snapshot that `resumeFrom` names
};

enum class UpdateMode { Auto, Fused, Bucketed };

struct RunConfig {
  explicit RunConfig(const Description &description) : options(description) {}

  Command command = Command::Train;
  std::optional<double> epochs;         ///< replaces the file's stop
  std::optional<int64_t> batch;         ///< at most the file's
  std::optional<int64_t> maxIterations; ///< an earlier stop
  std::string device = "cpu";           ///< as openDevice takes it
  std::string out;
  ResumeMode resume = ResumeMode::Never;
  std::string resumeFrom;
  uint64_t seed = 0;
  std::optional<int64_t> workers;
  std::vector<std::string> data; ///< values of `--data`
  std::string dataRoot;          ///< $DPL_DATA
  bool deterministic = false;
  UpdateMode update = UpdateMode::Auto;
  bool dryRun = false;
  bool printConfig = false;
  OptionValues options;

  std::optional<std::string> weights; ///< train, eval: file or snapshot
  std::string plotLog;                ///< plot; empty is that of `out`
  std::vector<std::string> plotKeys;  ///< plot; empty is every loss
  std::optional<std::string> plotFile;
};

/// What the command line decided: go on, or end at once with text on stdout.
struct CommandLineResult {
  RunConfig config;
  std::optional<std::string> text; ///< of --help or --version
};

/// Reads argv and DPL_*. A usage error is Exit::Usage with one line that has
/// the nearest known name; a device that this trainer lacks is Exit::Device.
Result<CommandLineResult> parseCommandLine(int argc, const char *const *argv,
                                           const Description &description);

/// The configuration as one JSON object, for `--print-config`.
std::string configJson(const RunConfig &config, const Description &description);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_RUNCONFIG_H
