//===- Trainer.h - The training loop ----------------------------*- C++ -*-===//
//
// Each iteration: settings, a batch, the step program, its reports, the blocks
// whose trigger fires, then snapshots and signals. Every block has its own
// sums of the reports since it ran last, so its `main/loss` is exact for
// whatever its trigger is. At the end there is a snapshot, and the blocks that
// have seen something since they ran last run once more.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_TRAINER_H
#define DPL_RUNTIME_TRAIN_TRAINER_H

#include "runtime/Base/Clock.h"
#include "runtime/Train/Block.h"
#include "runtime/Train/Console.h"
#include "runtime/Train/Session.h"
#include "runtime/Train/Signals.h"
#include "runtime/Train/Snapshot.h"
#include "runtime/Train/StepHistory.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dpl::rt {

class Trainer {
public:
  /// `session` must outlive the trainer.
  explicit Trainer(Session &session);

  /// Makes blocks and extensions from the description.
  Status setup();
  /// Takes over weights, states and the position of a snapshot. The training
  /// iterator of the session has to stand where the snapshot says.
  Status restore(const SnapshotContent &snapshot);
  /// Trains to the end. Returns the exit code of a run that did what it was
  /// asked for: done, stopped with a snapshot, or ended by a signal.
  Result<int> train();

  // For extensions.
  Session &session() { return session_; }
  Console &console() { return console_; }
  const Progress &progress() const { return now; }
  const Trigger &stop() const { return stop_; }
  /// Iterations until the run stops; infinite where only time stops it.
  double iterationsLeft() const;
  int64_t samplesDone() const { return samples; }
  /// Seconds of training, over all resumes.
  double elapsed() const { return elapsedBefore + watch.seconds(); }
  std::string path(const std::string &file) const {
    return session_.config.out + "/" + file;
  }
  /// Asks for a snapshot at the end of this iteration, when all blocks have
  /// run; `keep` newest ones stay, 0 is all.
  void requestSnapshot(int64_t keep);

  const std::vector<Block> &blocks() const { return blocks_; }

  /// The rows of the file `log`, of all blocks that log.
  std::vector<nlohmann::ordered_json> &logRows() { return logRows_; }

private:
  Status makeBlock(const desc::EverySpec &spec);
  bool stops() const;
  TrainingTime time() const;
  /// False when an end was asked for before the batch came.
  Result<bool> iterate();
  /// After a step that left `what`, with the batch of position `bad`: goes back
  /// to the end of the step before and saves it. Returns the error.
  Status diverged(std::string what, Position bad);
  Status writeSnapshot(int64_t keep);
  /// Snapshots and signals after an iteration; an exit code ends the run.
  Result<std::optional<int>> endIteration();
  /// Whether the newest snapshot of this run is of this moment.
  bool isSaved() const;
  /// The last snapshot, and the last run of the blocks.
  Status finish();
  std::string lastSnapshotText() const;

  Session &session_;
  Console console_;
  std::vector<double> optionNumbers;
  std::vector<Block> blocks_;
  std::vector<nlohmann::ordered_json> logRows_;
  Trigger stop_;
  Iterator *iterator = nullptr;
  StepHistory history;
  Position next; ///< of the first batch that is not in the weights
  Progress before, now;
  int64_t samples = 0;
  double elapsedBefore = 0; ///< of the runs that this one continues
  Stopwatch watch;
  std::optional<int64_t> wantedSnapshot; ///< how many to keep
  int64_t keepCount = 0;    ///< of snapshots, as the program asked for last
  std::string lastSnapshot; ///< path of the newest one that this run knows
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_TRAINER_H
