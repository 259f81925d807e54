//===- Data/ProcessWorkers.cpp - Workers that are processes ---------------===//

#include "runtime/Base/Text.h"
#include "runtime/Data/Workers.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace dpl::rt;

namespace {
class ProcessWorkers final : public Workers {
public:
  /// A worker holds nothing that a kill could break, and one that hangs would
  /// not listen to anything else.
  ~ProcessWorkers() override {
    for (const pid_t pid : pids)
      if (pid > 0)
        ::kill(pid, SIGKILL);
    for (const pid_t pid : pids)
      if (pid > 0)
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
          continue;
  }

  void add(pid_t pid) { pids.push_back(pid); }
  size_t count() const override { return pids.size(); }
  void abandon() override {}
  std::string describe(size_t worker) const override {
    return concat("(process ", pids[worker], ") ");
  }

  Status check() override {
    for (size_t worker = 0; worker < pids.size(); ++worker) {
      if (pids[worker] == 0)
        return Status::error(Exit::Runtime,
                             concat("data worker ", worker, " is gone"));
      int how = 0;
      const pid_t result = ::waitpid(pids[worker], &how, WNOHANG);
      if (result == 0 || (result < 0 && errno == EINTR))
        continue;
      const std::string who =
          concat("data worker ", worker, " ", describe(worker));
      pids[worker] = 0;
      return Status::error(Exit::Runtime,
                           result < 0 ? who + "is gone" : who + ended(how));
    }
    return Status::success();
  }

private:
  static std::string ended(int how) {
    if (!WIFSIGNALED(how))
      return concat("ended by itself with code ", WEXITSTATUS(how));
    const int signal = WTERMSIG(how);
    return concat("died of signal ", signal, " (", ::strsignal(signal), ")",
                  signal == SIGKILL
                      ? "; the system kills like that when memory is short"
                      : "");
  }

  std::vector<pid_t> pids; ///< 0 when it has been waited for
};
} // namespace

static void setSignals() {
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGTSTP})
    ::signal(signal, SIG_IGN);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGCHLD})
    ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// The whole life of a worker process.
[[noreturn]] static void beWorker(BatchMaker &maker, BatchRing &ring,
                                  size_t worker, const IteratorConfig &config,
                                  int64_t batchesPerEpoch, pid_t parent) {
  setSignals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, concat("dpl-data-", worker).c_str());
  // The parent may have died before the request above.
  if (::getppid() == parent)
    runWorker(maker, ring, worker, config, batchesPerEpoch,
              [&] { return ::getppid() == parent; });
  ::_exit(0);
}

Result<std::unique_ptr<Workers>> dpl::rt::startProcesses(
    const std::shared_ptr<const Dataset> &dataset, const IteratorConfig &config,
    const std::shared_ptr<BatchRing> &ring, int64_t batchesPerEpoch) {
  auto workers = std::make_unique<ProcessWorkers>();
  // What can fail is made here, where an error has a way out.
  DPL_LET(BatchMaker maker, BatchMaker::create(dataset, config));
  const pid_t parent = ::getpid();
  for (int worker = 0; worker < config.workers; ++worker) {
    const pid_t pid = ::fork();
    if (pid < 0)
      return Status::systemError(
          Exit::Runtime,
          concat("cannot fork data worker ", worker, " of ", config.workers),
          errno);
    if (pid == 0)
      beWorker(maker, *ring, static_cast<size_t>(worker), config,
               batchesPerEpoch, parent);
    workers->add(pid);
  }
  return std::unique_ptr<Workers>(std::move(workers));
}
