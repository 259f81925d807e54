//===- Signals.h - What signals ask of a training ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_SIGNALS_H
#define DPL_RUNTIME_TRAIN_SIGNALS_H

namespace dpl::rt {

/// What is to happen after the present iteration. INT and TERM ask for a
/// snapshot and an end, HUP and USR1 for a snapshot, USR2 for a snapshot and
/// an end with code 75. A second INT, or a second TERM, ends the process at
/// once. PIPE is ignored: a run outlives the reader of its table.
struct SignalRequest {
  bool snapshot = false;
  int stopSignal = 0; ///< INT, TERM or USR2; the first one counts
};

/// Installs the handlers; they are removed at the end of its life. One at a
/// time.
class SignalHandlers {
public:
  SignalHandlers();
  ~SignalHandlers();
  SignalHandlers(const SignalHandlers &) = delete;
  SignalHandlers &operator=(const SignalHandlers &) = delete;

  /// What was asked for since the last call. Costs two loads when nothing was.
  static SignalRequest take();
  /// INT, TERM or USR2 when one has asked for an end, else 0.
  static int stopSignal();
  /// Whether an end was asked for so long ago that what holds the iteration up
  /// is not going to come.
  static bool stopIsOverdue();

private:
  void (*pipeAction)(int) = nullptr;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_SIGNALS_H
