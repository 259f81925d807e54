//===- Trainer.h - The training loop ----------------------------*- C++ -*-===//
//
// Each iteration: settings, a batch, the step program, its reports, the blocks
// whose trigger fires, then snapshots and signals. Every block has its own
// sums of the reports since it fired last, so its `main/loss` is exact for
// whatever its trigger is.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_TRAINER_H
#define DPL_RUNTIME_TRAIN_TRAINER_H

#include "runtime/Base/Clock.h"
#include "runtime/Train/Console.h"
#include "runtime/Train/Extension.h"
#include "runtime/Train/Observation.h"
#include "runtime/Train/Session.h"
#include "runtime/Train/Signals.h"
#include "runtime/Train/Snapshot.h"
#include "runtime/Train/Trigger.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpl::rt {

/// One `every` block.
struct Block {
  Trigger trigger;
  std::vector<std::string> names; ///< of the extensions
  std::vector<std::unique_ptr<Extension>> extensions;
  ReportSums sums;
  PublishedMeans published;
};

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
  std::string path(const std::string &file) const {
    return session_.config.out + "/" + file;
  }
  /// Asks for a snapshot at the end of this iteration, when all blocks have
  /// run; `keep` newest ones stay, 0 is all.
  void requestSnapshot(int64_t keep);

  const std::vector<Block> &blocks() const { return blocks_; }

private:
  Status makeBlock(const desc::EverySpec &spec);
  bool stops() const;
  double elapsed() const { return elapsedBefore + watch.seconds(); }
  TrainingTime time() const;
  Status iterate();
  Status checkFinite(std::span<const ReportValue> reports) const;
  Status runBlock(Block &block);
  void publish(const Block &from, const Observation &observation,
               size_t firstNew);
  Status writeSnapshot(int64_t keep);
  /// Snapshots and signals after an iteration; an exit code ends the run.
  Result<std::optional<int>> endIteration();
  std::string lastSnapshotText() const;

  Session &session_;
  Console console_;
  std::vector<double> optionNumbers;
  std::vector<Block> blocks_;
  Trigger stop_;
  Iterator *iterator = nullptr;
  Progress before, now;
  int64_t samples = 0;
  double elapsedBefore = 0; ///< of the runs that this one continues
  Stopwatch watch;
  std::optional<int64_t> wantedSnapshot; ///< how many to keep
  std::string lastSnapshot; ///< path of the newest one that this run knows
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_TRAINER_H
