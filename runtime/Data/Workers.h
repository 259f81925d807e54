//===- Data/Workers.h - Those who make batches ahead ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_WORKERS_H
#define DPL_RUNTIME_DATA_WORKERS_H

#include "runtime/Data/BatchMaker.h"

namespace dpl::rt {

/// Running workers of one ring. Destroying it ends them all.
class Workers {
public:
  virtual ~Workers() = default;
  virtual size_t count() const = 0;
  /// Fails when a worker is no longer there.
  virtual Status check() = 0;
  /// Says that a worker may never react again, so that the end must not wait.
  virtual void abandon() = 0;
  /// `(process 123) `, or nothing.
  virtual std::string describe(size_t worker) const = 0;
};

Result<std::unique_ptr<Workers>>
startThreads(const std::shared_ptr<const Dataset> &dataset,
             const IteratorConfig &config,
             const std::shared_ptr<BatchRing> &ring, int64_t batchesPerEpoch);

/// Forks. The processes end by the kernel's hand when the calling thread does.
/// They ignore the signals that steer a trainer, which terminals and job
/// schedulers send to all processes of a job: a trainer that finishes its
/// iteration still needs its data.
Result<std::unique_ptr<Workers>>
startProcesses(const std::shared_ptr<const Dataset> &dataset,
               const IteratorConfig &config,
               const std::shared_ptr<BatchRing> &ring, int64_t batchesPerEpoch);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_WORKERS_H
