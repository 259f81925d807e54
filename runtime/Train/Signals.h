//===- Signals.h - What signals ask of a training ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_SIGNALS_H
#define DPL_RUNTIME_TRAIN_SIGNALS_H

namespace dpl::rt {

/// What is to happen after the present iteration. INT and TERM ask for a
/// snapshot and an end, HUP and USR1 for a snapshot, USR2 for a snapshot and
/// an end with code 75. A second INT ends the process at once.
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
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_SIGNALS_H
