//===- Data/ThreadWorkers.cpp - Workers that are threads ------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Data/Workers.h"

#include <csignal>
#include <sys/prctl.h>
#include <system_error>
#include <thread>

using namespace dpl::rt;

namespace {
/// What a thread needs; it keeps it alive by itself, because a thread that
/// hangs may outlive its iterator.
struct ThreadState {
  std::shared_ptr<BatchRing> ring;
  IteratorConfig config;
  BatchMaker maker;
  int64_t batchesPerEpoch;
};

class ThreadWorkers final : public Workers {
public:
  explicit ThreadWorkers(std::shared_ptr<BatchRing> ring)
      : ring(std::move(ring)) {}

  ~ThreadWorkers() override {
    ring->command().stop.store(true);
    ring->command().forWorkers.notify();
    for (std::thread &thread : threads)
      if (abandoned)
        thread.detach();
      else
        thread.join();
  }

  void add(std::shared_ptr<ThreadState> state) {
    const size_t worker = threads.size();
    threads.emplace_back([state = std::move(state), worker] {
      ::prctl(PR_SET_NAME, concat("dpl-data-", worker).c_str());
      runWorker(state->maker, *state->ring, worker, state->config,
                state->batchesPerEpoch, [] { return true; });
    });
  }

  size_t count() const override { return threads.size(); }
  Status check() override { return Status::success(); }
  void abandon() override { abandoned = true; }
  std::string describe(size_t worker) const override { return ""; }

private:
  std::shared_ptr<BatchRing> ring;
  std::vector<std::thread> threads;
  bool abandoned = false;
};
} // namespace

Result<std::unique_ptr<Workers>> dpl::rt::startThreads(
    const std::shared_ptr<const Dataset> &dataset, const IteratorConfig &config,
    const std::shared_ptr<BatchRing> &ring, int64_t batchesPerEpoch) {
  auto workers = std::make_unique<ThreadWorkers>(ring);
  // The threads inherit the mask: signals are for the thread that steers.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  for (int worker = 0; worker < config.workers && status.ok(); ++worker) {
    Result<BatchMaker> maker = BatchMaker::create(dataset, config);
    if (!maker.ok()) {
      status = maker.takeStatus();
      break;
    }
    try {
      workers->add(std::make_shared<ThreadState>(
          ThreadState{ring, config, maker.take(), batchesPerEpoch}));
    } catch (const std::system_error &error) {
      status = Status::error(
          Exit::Runtime, concat("cannot start data worker ", worker, " of ",
                                config.workers, ": ", error.code().message()));
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!status.ok())
    return status;
  return std::unique_ptr<Workers>(std::move(workers));
}
