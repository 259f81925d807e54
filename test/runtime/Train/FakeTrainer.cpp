//===- FakeTrainer.cpp - The fake program as an executable ----------------===//
//
// Linked with the runtime's main like any trainer. Environment:
//   FAKE_PATCH   JSON merge patch of the description
//   FAKE_STEP_MICROSECONDS  what every step takes longer
//   FAKE_RATE_JUMPS_AT      the number of iterations after which the learning
//                           rate is infinite for one step
//   FAKE_ABI     another ABI version
//   FAKE_FILE_LIMIT         the largest file in bytes, as `ulimit -f` sets it
// FakeFiles.cpp has those that make operations on files fail.
//
//===----------------------------------------------------------------------===//

#include "FakeProgram.h"

#include <cstdlib>
#include <sys/resource.h>

static const std::string &description() {
  static const std::string text = [] {
    nlohmann::json json = dpl::rt::testing::fakeDescription();
    if (const char *patch = std::getenv("FAKE_PATCH"))
      json.merge_patch(nlohmann::json::parse(patch));
    return json.dump();
  }();
  return text;
}

static dpl_program program() {
  if (const char *bytes = std::getenv("FAKE_FILE_LIMIT")) {
    const rlim_t most = static_cast<rlim_t>(std::atoll(bytes));
    const rlimit limit = {most, most};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  dpl_program result = dpl::rt::testing::fakeProgram(description());
  if (const char *version = std::getenv("FAKE_ABI"))
    result.abi_version = static_cast<uint32_t>(std::atoi(version));
  return result;
}

extern "C" const dpl_program dpl_main_program = program();
