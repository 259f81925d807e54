//===- Data/Iterator.h - Batches, one after the other -----------*- C++ -*-===//
//
// Three kinds behind one interface: `serial` makes a batch in the thread that
// asks, `threads` and `multiprocess` make batches ahead in worker threads or
// forked processes. The order and the bytes of batches are a function of
// (seed, epoch, batch number) alone, so they are the same for all kinds and
// any number of workers, and a position is all that a resume needs.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_DATA_ITERATOR_H
#define DPL_RUNTIME_DATA_ITERATOR_H

#include "runtime/Data/Dataset.h"
#include "runtime/Data/EpochPlan.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dpl::rt {

enum class IteratorKind { Serial, Threads, Multiprocess };

/// `serial`, `threads` or `multiprocess`; anything else is Exit::Usage.
Result<IteratorKind> parseIteratorKind(std::string_view text);

struct IteratorConfig {
  std::string name;
  IteratorKind kind = IteratorKind::Serial;
  int64_t batch = 1;
  bool shuffle = false;
  /// Epoch after epoch without end; otherwise it is at its end after one.
  bool repeat = false;
  LastBatch last = LastBatch::Keep;
  uint64_t seed = 0;
  /// Threads or processes; one makes far more samples of raw data than a step
  /// takes, and cores belong to the step.
  int workers = 1;
  /// Batches that each worker makes ahead.
  int prefetch = 2;
  /// Seconds that a worker may spend on one sample; 0 is without limit.
  double timeout = 60;
  /// Capacity and tail of a batch are rounded up to a multiple of this many
  /// samples.
  int64_t tile = 1;
};

/// Where an iterator stands: the batch that the next call gives.
struct Position {
  int64_t epoch = 0;
  int64_t batch = 0; ///< of the epoch
  bool operator==(const Position &) const = default;
};

class BatchRing;

/// Batches that a user of an iterator may hold at a time.
constexpr size_t keptBatches = 2;

/// One batch, in memory that goes back to its iterator when the Batch is
/// destroyed, and stays valid until then. Move only.
class Batch {
public:
  Batch(Batch &&other) noexcept { swap(other); }
  Batch &operator=(Batch &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Batch();

  /// Field f of the iterator's fields: capacity() samples in C order, aligned
  /// to DPL_ALIGNMENT. Places from samples() up to the next multiple of the
  /// tile hold copies of the last true sample; places behind are undefined.
  std::byte *field(size_t f) const { return fields[f]; }
  size_t fieldCount() const { return fields.size(); }
  /// True samples, at least 1.
  int64_t samples() const { return samples_; }
  /// Places: the configured batch rounded up to the tile.
  int64_t capacity() const { return capacity_; }
  Position position() const { return position_; }
  int64_t epoch() const { return position_.epoch; }
  bool lastOfEpoch() const { return lastOfEpoch_; }
  /// Epochs done when this batch has been used: 0.5 is half of the first one.
  double epochDetail() const { return epochDetail_; }

private:
  friend class Iterator;
  Batch() = default;
  void swap(Batch &other) noexcept;

  std::span<std::byte *const> fields;
  int64_t samples_ = 0, capacity_ = 0;
  Position position_;
  bool lastOfEpoch_ = false;
  double epochDetail_ = 0;
  std::shared_ptr<BatchRing> ring;
  size_t slot = 0;
};

/// Not for several threads at a time.
class Iterator {
public:
  virtual ~Iterator() = default;

  /// Starts workers, which make batches from the present position on. Calling
  /// it is optional: next does it. A program with several threads, or with
  /// devices that do not survive a fork, calls it for all iterators first. The
  /// calling thread has to live as long as the iterator: worker processes end
  /// with it.
  virtual Status start() = 0;

  /// The next batch. It may be kept until the second call of next after this
  /// one; by then it has to be destroyed. Errors:
  /// Exit::Data for a bad sample, Exit::Runtime for a worker that died (with
  /// its number and signal, within a second) or that spends more than the
  /// timeout on a sample (which is named). After an error the iterator only
  /// repeats it. Without `repeat` calling it at the end is an error.
  virtual Result<Batch> next() = 0;

  /// Makes `next` ask `predicate` while it waits for workers, some times a
  /// second; once it is true, `next` fails with Exit::StoppedResumable. The
  /// position is then that of the batch that did not come.
  void interruptWhen(bool (*predicate)()) { interrupted = predicate; }

  /// True when `repeat` is off and the epoch has been given in full.
  bool atEnd() const { return !config_.repeat && position_.epoch != first; }
  Position position() const { return position_; }
  /// Goes to `position`, whose batch number is less than batchesPerEpoch().
  /// Without `repeat`, that epoch is the one that is given.
  Status setPosition(Position position);
  /// Back to the first batch of the epoch that setPosition chose last, or 0.
  Status reset() { return setPosition({first, 0}); }

  const IteratorConfig &config() const { return config_; }
  const Dataset &dataset() const { return *dataset_; }
  const RecordType &fields() const { return dataset_->fields(); }
  int64_t batchesPerEpoch() const;
  /// The plan of an epoch, for the names of samples in a batch.
  EpochPlan plan(int64_t epoch) const;

protected:
  Iterator(std::shared_ptr<const Dataset> dataset, IteratorConfig config)
      : dataset_(std::move(dataset)), config_(std::move(config)) {}
  /// Makes workers, if any, start again at the position.
  virtual Status seek() = 0;
  /// Takes the slot that holds the batch of the present position, and steps
  /// to the next one.
  Batch take(std::shared_ptr<BatchRing> ring, size_t slot);
  /// Fails after an error, and at the end.
  Status checkNext() const;
  /// Remembers an error, so that it is repeated, and names the iterator.
  Status fail(Status status);
  /// The error of a batch that is kept for too long.
  Status stillKept() const;

  std::shared_ptr<const Dataset> dataset_;
  IteratorConfig config_;
  Position position_;
  int64_t first = 0; ///< the epoch that is given when there is no repeat
  bool (*interrupted)() = nullptr;

private:
  Status failed;
};

/// Checks `config` (Exit::Usage) and that an epoch has at least one batch
/// (Exit::Data), and makes an iterator.
Result<std::unique_ptr<Iterator>>
makeIterator(std::shared_ptr<const Dataset> dataset,
             const IteratorConfig &config);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_ITERATOR_H
