//===- Executor.h - Runs the step programs of one replica -------*- C++ -*-===//
//
// A replica is one copy of the parameters and states, the regions that step
// programs work in, and the threads that run them. The executor turns the
// description into flat tables once; a step then allocates nothing and
// compares no names.
//
// A phase runs in parts: consecutive tasks of domain `tiles` form one part,
// and every other task is a part of its own. Parts of a phase are independent
// of each other. Within a part of tiles, a thread takes its tiles in order and
// runs all tasks of the part for one tile before it goes on to the next, so a
// task may read what an earlier one wrote for the same tile, also in `arena`.
// The partition is static: it depends on the number of samples and threads.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_EXECUTOR_H
#define DPL_RUNTIME_PROGRAM_EXECUTOR_H

#include "runtime/Base/Status.h"
#include "runtime/Device/Device.h"
#include "runtime/Program/Description.h"
#include "runtime/Program/TensorSet.h"

#include "dpl/abi.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dpl::rt {

/// A sum and the count that it is to be divided by, of one batch.
struct ReportValue {
  double sum = 0;
  double count = 0;
};

/// The batch of one step: one pointer for each field of the iterator, aligned
/// to DPL_ALIGNMENT. Each holds `samples` samples, and behind them, up to the
/// next multiple of the program's tile, copies of the last one.
struct StepBatch {
  std::span<std::byte *const> fields;
  int64_t samples = 0;       ///< of this replica, 1 .. capacity
  int64_t globalSamples = 0; ///< of all replicas and ranks
  /// Number of each sample in its data set, for a program that drawsRandom.
  std::span<const int64_t> numbers = {};
  uint64_t seed = 0; ///< of random numbers
  int64_t epoch = 0; ///< that the batch is of
};

/// Where training stands, as schedules see it; the settings kernel gets these
/// six numbers in this order. An end that the run does not fix is infinite.
struct TrainingTime {
  double epoch = 0; ///< with the fraction of the epoch that is done
  double iteration = 0;
  double second = 0;
  double endEpoch = 0;
  double endIteration = 0;
  double endSecond = 0;
};

struct ExecutorOptions {
  /// Sums are kept for each tile and added in the order of tiles, so that
  /// results do not depend on the number of threads.
  bool deterministic = false;
};

/// Bytes of the regions of one program, for `info`.
struct RegionSizes {
  int64_t uniform = 0;
  int64_t saved = 0;
  int64_t sums = 0; ///< all copies
  int64_t reduced = 0;
  int64_t arena = 0; ///< of all threads

  int64_t total() const { return uniform + saved + sums + reduced + arena; }
};

/// Runs the programs of one replica. Owns parameters, states and regions;
/// `program`, `description` and `device` must outlive it. Methods are called
/// by one thread at a time.
class Executor {
public:
  /// Allocates everything and flattens the named programs. Parameters and
  /// states are zero afterwards. Programs share one workspace of the size of
  /// the largest.
  static Result<std::unique_ptr<Executor>>
  create(const dpl_program &program, const Description &description,
         std::span<const std::string> programs, Device &device,
         const ExecutorOptions &options);
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  TensorSet &parameters();
  TensorSet &states();

  /// Runs the settings kernel on `options` (order of Description::options).
  void computeSettings(std::span<const double> options,
                       const TrainingTime &time);
  /// Sets them to values that were read earlier.
  void setSettings(std::span<const float> values);
  /// The settings as computed last, in the order of SettingsSpec::entries.
  std::span<const float> settings() const;

  /// Whether no parameter is a NaN or an infinity; all threads look.
  bool parametersAreFinite() const;

  /// Runs one step of the program that is number `index` in `programs` of
  /// create. Returns its reports in the order of ProgramSpec::reports; valid
  /// until the next step.
  std::span<const ReportValue> run(size_t index, const StepBatch &batch);

  /// Does program `index` need StepBatch::numbers, seed and epoch?
  bool drawsRandom(size_t index) const;
  RegionSizes sizes(size_t index) const;
  /// Bytes held for parameters, states and the workspace.
  int64_t totalBytes() const;

private:
  struct Impl;
  explicit Executor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Chunks that `tiles` tiles are cut into: a tile each when deterministic,
/// otherwise one for each of `threads`, and never more than tiles.
int64_t chunkCount(int64_t tiles, int64_t threads, bool deterministic);

/// First tile of chunk `chunk`; chunk c holds the tiles t with
/// t * chunks / tiles == c.
int64_t firstTileOfChunk(int64_t chunk, int64_t chunks, int64_t tiles);

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_EXECUTOR_H
