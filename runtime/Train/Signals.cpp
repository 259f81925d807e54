//===- Signals.cpp - What signals ask of a training -----------------------===//

#include "runtime/Train/Signals.h"

#include "runtime/Base/Status.h"

#include <csignal>
#include <iterator>
#include <unistd.h>

namespace dpl::rt {

static volatile std::sig_atomic_t snapshotWanted;
static volatile std::sig_atomic_t stopWanted;

static constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
static struct sigaction previous[std::size(handled)];

static void onSignal(int signal) {
  if (signal == SIGHUP || signal == SIGUSR1) {
    snapshotWanted = 1;
    return;
  }
  if (signal == SIGINT && stopWanted == SIGINT)
    _exit(exitOfSignal(SIGINT));
  if (stopWanted == 0 || signal == SIGINT)
    stopWanted = signal;
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
}

SignalHandlers::~SignalHandlers() {
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &previous[i], nullptr);
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
