//===- LinkTrainer.cpp - From an object to a trainer ----------------------===//

#include "compiler/Target/Cpu/LinkTrainer.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace dpl::cpu;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral kRuntime = "libdpl_runtime.a";

llvm::FailureOr<std::string>
dpl::cpu::findRuntimeArchive(llvm::StringRef compilerPath,
                             EmitError emitError) {
  llvm::SmallString<256> real;
  if (fs::real_path(compilerPath, real))
    real = compilerPath;
  llvm::SmallVector<std::string> tried;
  for (llvm::StringRef folder : {"lib/dpl", "lib"}) {
    llvm::SmallString<256> candidate(
        path::parent_path(path::parent_path(real)));
    path::append(candidate, folder, kRuntime);
    if (fs::exists(candidate))
      return candidate.str().str();
    tried.push_back("'" + candidate.str().str() + "'");
  }
  emitError("the runtime was not found, neither as " +
            llvm::join(tried, " nor as ") +
            "; it is installed beside the compiler");
  return llvm::failure();
}

static llvm::FailureOr<std::string> findLinker(EmitError emitError) {
  const std::vector<std::string> names = {
      "c++", "g++", "clang++", "clang++-" + std::to_string(LLVM_VERSION_MAJOR)};
  for (const std::string &name : names)
    if (auto program = llvm::sys::findProgramByName(name))
      return *program;
  emitError("no C++ linker driver: none of " + llvm::join(names, ", ") +
            " is in PATH; install g++ or clang");
  return llvm::failure();
}

/// Runs `command`; returns its exit status and what it wrote.
static std::pair<int, std::string>
run(const std::vector<std::string> &command) {
  llvm::SmallString<128> log;
  if (fs::createTemporaryFile("dpl-link", "log", log))
    return {-1, "no temporary file for its output"};
  llvm::FileRemover remover(log);
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log.str(),
                                                log.str()};
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      command.front(), arguments, std::nullopt, redirects, 0, 0, &message);
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().rtrim();
  return {status, message};
}

static std::vector<std::string> linkCommand(llvm::StringRef driver,
                                            llvm::ArrayRef<std::string> objects,
                                            llvm::StringRef output,
                                            llvm::StringRef runtime) {
  std::vector<std::string> command = {driver.str(), "-o", output.str()};
  if (llvm::sys::findProgramByName("ld.lld"))
    command.push_back("-fuse-ld=lld");
  command.insert(command.end(), {"-static-libstdc++", "-static-libgcc",
                                 "-pthread", "-s", "-Wl,--gc-sections"});
  command.insert(command.end(), objects.begin(), objects.end());
  command.push_back(runtime.str());
  command.insert(command.end(), {"-lm", "-ldl"});
  return command;
}

llvm::LogicalResult
dpl::cpu::linkTrainer(llvm::ArrayRef<std::string> objectPaths,
                      llvm::StringRef outputPath,
                      llvm::StringRef runtimeArchivePath, EmitError emitError) {
  auto driver = findLinker(emitError);
  if (llvm::failed(driver))
    return llvm::failure();
  if (!fs::exists(runtimeArchivePath)) {
    emitError("the runtime was not found at '" + runtimeArchivePath + "'");
    return llvm::failure();
  }
  llvm::SmallString<256> partial;
  if (std::error_code error = fs::createUniqueFile(
          outputPath + ".%%%%%%", partial,
          fs::perms::all_read | fs::perms::all_exe | fs::perms::owner_write)) {
    emitError("cannot write '" + outputPath + "': " + error.message());
    return llvm::failure();
  }
  llvm::FileRemover remover(partial);
  auto command = linkCommand(*driver, objectPaths, partial, runtimeArchivePath);
  auto [status, output] = run(command);
  if (status != 0) {
    emitError("linking '" + outputPath + "' failed\n" +
              llvm::join(command, " ") + "\n" + output);
    return llvm::failure();
  }
  if (std::error_code error = fs::rename(partial, outputPath)) {
    emitError("cannot write '" + outputPath + "': " + error.message());
    return llvm::failure();
  }
  remover.releaseFile();
  return llvm::success();
}
