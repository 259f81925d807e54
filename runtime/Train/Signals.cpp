//===- Signals.cpp - What signals ask of a training -----------------------===//

#include "runtime/Train/Signals.h"

#include "runtime/Base/Clock.h"
#include "runtime/Base/Status.h"

#include <atomic>
#include <csignal>
#include <iterator>
#include <unistd.h>

namespace dpl::rt {

static volatile std::sig_atomic_t snapshotWanted;
static volatile std::sig_atomic_t stopWanted;
static std::atomic<int64_t> stopTime; ///< when it was, by the steady clock
static_assert(std::atomic<int64_t>::is_always_lock_free);

/// Signals that come closer together are one wish: `timeout` sends each twice.
static constexpr int64_t sameWish = 50'000'000;
/// What a batch may take to come when the run is to stop.
static constexpr int64_t patience = 1'000'000'000;

static constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
static struct sigaction previous[std::size(handled)];

static void onSignal(int signal) {
  if (signal == SIGHUP || signal == SIGUSR1) {
    snapshotWanted = 1;
    return;
  }
  if (stopWanted == 0) {
    stopTime = steadyNanoseconds();
    stopWanted = signal;
    return;
  }
  bool insists =
      signal == SIGINT || (signal == SIGTERM && stopWanted == SIGTERM);
  if (insists && steadyNanoseconds() - stopTime > sameWish)
    _exit(exitOfSignal(signal));
}

SignalHandlers::SignalHandlers() {
  snapshotWanted = 0;
  stopWanted = 0;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &action, &previous[i]);
  pipeAction = std::signal(SIGPIPE, SIG_IGN);
}

SignalHandlers::~SignalHandlers() {
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &previous[i], nullptr);
  std::signal(SIGPIPE, pipeAction);
}

int SignalHandlers::stopSignal() { return stopWanted; }

bool SignalHandlers::stopIsOverdue() {
  return stopWanted != 0 && steadyNanoseconds() - stopTime > patience;
}

SignalRequest SignalHandlers::take() {
  SignalRequest request;
  request.snapshot = snapshotWanted;
  request.stopSignal = stopWanted;
  if (snapshotWanted)
    snapshotWanted = 0;
  return request;
}

} // namespace dpl::rt
