//===- TrainerProcess.h - Runs the fake trainer -----------------*- C++ -*-===//

#ifndef DPL_TEST_RUNTIME_TRAIN_TRAINERPROCESS_H
#define DPL_TEST_RUNTIME_TRAIN_TRAINERPROCESS_H

#include "runtime/Base/Files.h"
#include "runtime/Testing/TemporaryFolder.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace dpl::rt::testing {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

struct TrainerResult {
  int code = 0; ///< exit code, or 1000 + signal when a signal ended it
  std::string out, err;
};

inline std::string readText(const std::string &path) {
  auto text = readFile(path, Exit::Runtime);
  return text.ok() ? *text : "";
}

/// A started trainer in its own folder.
class TrainerProcess {
public:
  TrainerProcess(const std::string &folder, const Words &words,
                 const Environment &environment = {})
      : folder(folder) {
    pid = fork();
    if (pid != 0)
      return;
    redirect(folder + "/stdout", STDOUT_FILENO);
    redirect(folder + "/stderr", STDERR_FILENO);
    for (auto &[name, value] : environment)
      setenv(name.c_str(), value.c_str(), 1);
    std::vector<char *> argv = {const_cast<char *>("fake")};
    for (const std::string &word : words)
      argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0)
      execv(FAKE_TRAINER, argv.data());
    _exit(127);
  }

  pid_t id() const { return pid; }
  void signal(int number) { kill(pid, number); }

  /// Waits until `path` exists in the folder; false after twenty seconds.
  bool waitFor(const std::string &path) const {
    for (int i = 0; i < 2000; ++i) {
      if (fileExists(folder + "/" + path))
        return true;
      usleep(10000);
    }
    return false;
  }

  TrainerResult wait() {
    int status = 0;
    waitpid(pid, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
            readText(folder + "/stdout"), readText(folder + "/stderr")};
  }

private:
  static void redirect(const std::string &path, int fd) {
    int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, fd);
    close(file);
  }

  std::string folder;
  pid_t pid = -1;
};

inline TrainerResult runTrainer(const std::string &folder, const Words &words,
                                const Environment &environment = {}) {
  return TrainerProcess(folder, words, environment).wait();
}

/// Rows of a log without what depends on time.
inline nlohmann::json logWithoutTime(const std::string &path) {
  nlohmann::json rows = nlohmann::json::parse(readText(path), nullptr, false);
  for (nlohmann::json &row : rows)
    row.erase("elapsed_time");
  return rows;
}

/// The bytes of weights and states in a snapshot.
inline std::string snapshotBytes(const std::string &run, int iteration) {
  std::string path = run + "/snapshot_iter_" + std::to_string(iteration);
  return readText(path + "/weights.safetensors") +
         readText(path + "/optimizer.safetensors");
}

} // namespace dpl::rt::testing

#endif // DPL_TEST_RUNTIME_TRAIN_TRAINERPROCESS_H
