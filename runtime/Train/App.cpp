//===- App.cpp - A trainer from argv to exit code -------------------------===//

#include "runtime/Train/App.h"

#include "runtime/Base/Log.h"
#include "runtime/Device/Cpu/Instructions.h"
#include "runtime/Device/Device.h"
#include "runtime/Train/Commands.h"

#include <csignal>
#include <cstdio>

namespace dpl::rt {

static void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

static Result<int> runInfo(const dpl_program &program,
                           const Description &description,
                           const RunConfig &config) {
  DPL_LET(auto device, openDevice(config.device));
  print(infoText(program, description, config, device->workers()));
  return static_cast<int>(Exit::Done);
}

/// Kernels may only run where the processor knows their instructions.
static Status checkProcessor(const Description &description) {
  std::vector<std::string> missing = missingFeatures(description.target.needs);
  if (missing.empty())
    return Status::success();
  std::string list;
  for (const std::string &feature : missing)
    list += (list.empty() ? "" : ", ") + feature;
  return Status::error(
      Exit::Usage, "this trainer is made for the processor `" +
                       description.target.cpu + "`; this one lacks " + list +
                       "; compile " + description.source +
                       " again here, or anywhere with --march=" + cpuLevel());
}

static Result<int> runCommand(const dpl_program &program,
                              const Description &description,
                              const RunConfig &config) {
  if (config.printConfig) {
    print(configJson(config, description) + "\n");
    return static_cast<int>(Exit::Done);
  }
  if (config.command == Command::Train || config.command == Command::Eval)
    DPL_TRY(checkProcessor(description));
  switch (config.command) {
  case Command::Train:
    return trainCommand(program, description, config);
  case Command::Eval:
    DPL_TRY(evalCommand(program, description, config));
    break;
  case Command::Info:
    return runInfo(program, description, config);
  case Command::Plot:
    DPL_TRY(plotCommand(config));
    break;
  }
  return static_cast<int>(Exit::Done);
}

static Result<int> run(int argc, const char *const *argv,
                       const dpl_program &program) {
  DPL_LET(Description description, readProgram(program));
  DPL_LET(CommandLineResult parsed, parseCommandLine(argc, argv, description));
  if (parsed.text) {
    print(*parsed.text);
    return static_cast<int>(Exit::Done);
  }
  return runCommand(program, description, parsed.config);
}

int runTrainer(int argc, const char *const *argv, const dpl_program &program) {
  // A file that grows beyond its limit is then an error of its write.
  std::signal(SIGXFSZ, SIG_IGN);
  Result<int> result = run(argc, argv, program);
  if (result.ok())
    return *result;
  logError(result.status().text());
  return result.status().exitCode();
}

} // namespace dpl::rt
