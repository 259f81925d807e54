//===- Session.h - Data, device and executor of a run -----------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_SESSION_H
#define DPL_RUNTIME_TRAIN_SESSION_H

#include "runtime/Data/Iterator.h"
#include "runtime/Device/Device.h"
#include "runtime/Program/Executor.h"
#include "runtime/Train/RunConfig.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace dpl::rt {

/// Where a resumed training begins.
struct ResumePoint {
  Position next;        ///< of the training iterator
  int64_t length = 0;   ///< samples that the training data had
  std::string snapshot; ///< its path, for messages
};

/// Everything that computes: opened data sets, iterators with their workers,
/// the device, and the executor with parameters and states at their initial
/// values. `program`, `description` and `config` must outlive it.
class Session {
public:
  /// Opens what training needs, or only what evaluation needs. Workers of
  /// iterators are started before the threads of the device; the training
  /// iterator begins at `start`, if any. Training data of another length than
  /// there are Exit::Usage.
  static Result<std::unique_ptr<Session>>
  open(const dpl_program &program, const Description &description,
       const RunConfig &config, bool forTraining,
       const std::optional<ResumePoint> &start = std::nullopt);

  const Description &description;
  const RunConfig &config;

  Executor &executor() { return *executor_; }
  Device &device() { return *device_; }
  /// The opened iterator of that name, or null.
  Iterator *iterator(std::string_view name);
  /// All that are open.
  std::vector<Iterator *> openIterators();
  /// The step program of this run and its number for Executor::run.
  const desc::ProgramSpec &trainProgram() const { return *trainProgram_; }
  static constexpr size_t trainProgramIndex = 0;
  /// The evaluation program that reads the iterator, or null; `index` is its
  /// number for Executor::run.
  const desc::ProgramSpec *evalProgram(std::string_view iterator,
                                       size_t &index) const;

  /// What program `index` needs for a batch of its iterator; valid until the
  /// next call, and as long as the batch.
  StepBatch stepBatch(size_t index, const Batch &batch);
  /// Runs program `index` on a batch of its iterator.
  std::span<const ReportValue> step(size_t index, const Batch &batch);

private:
  Session(const Description &description, const RunConfig &config)
      : description(description), config(config) {}
  Status openData(bool forTraining, const std::optional<ResumePoint> &start);
  Status goTo(const ResumePoint &start);
  Status openIterator(const desc::IteratorSpec &spec, const DataPaths &paths);

  std::map<std::string, std::shared_ptr<const Dataset>> datasets;
  std::map<std::string, std::unique_ptr<Iterator>, std::less<>> iterators;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Executor> executor_;
  const desc::ProgramSpec *trainProgram_ = nullptr;
  std::vector<std::string> programs; ///< as numbered in the executor
  std::vector<std::byte *> fieldPointers;
  std::vector<int64_t> sampleNumbers;
};

/// The step program that `mode` chooses: `auto` is the fused one.
const desc::ProgramSpec &chooseTrainProgram(const Description &description,
                                            UpdateMode mode);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_SESSION_H
