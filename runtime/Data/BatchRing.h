//===- Data/BatchRing.h - Slots that batches travel in ----------*- C++ -*-===//
//
// The memory between those who make batches and the one who uses them. Batch
// number `s` travels in slot s modulo the number of slots. It is one piece of
// memory without pointers, so that it may be shared by processes.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_DATA_BATCHRING_H
#define DPL_RUNTIME_DATA_BATCHRING_H

#include "runtime/Base/Futex.h"
#include "runtime/Base/Memory.h"
#include "runtime/Data/Iterator.h"

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace dpl::rt {

/// Empty -> Full or Failed by the worker whose turn it is; Full -> Leased ->
/// Empty by the user.
enum class SlotState : uint32_t { Empty, Full, Failed, Leased };

struct alignas(64) SlotHeader {
  std::atomic<SlotState> state = SlotState::Empty;
  /// Number of the batch that the slot is for; an empty slot is not free for
  /// those that come a whole round later.
  std::atomic<uint64_t> turn = 0;
  Exit category = Exit::Runtime;       ///< of a failure
  std::array<char, 3000> message = {}; ///< its chain, separated by newlines
};

struct alignas(64) WorkerHeader {
  /// The last command that the worker has seen and obeys.
  std::atomic<uint32_t> seen = 0;
  std::atomic<int64_t> sample = -1;   ///< that it reads now, or -1
  std::atomic<uint64_t> progress = 0; ///< samples that it has begun
};

/// What workers are to do. A new command is announced by `announced`; when all
/// workers have seen it, and so touch no slot, the ring is made ready and the
/// same number is put into `valid`.
struct alignas(64) CommandHeader {
  std::atomic<uint32_t> announced = 0;
  std::atomic<uint32_t> valid = 0;
  std::atomic<bool> stop = false;
  uint64_t sequence = 0; ///< of the first batch
  Position position;     ///< of the first batch
  EventCount forWorkers; ///< a slot became empty, or the command changed
  EventCount forUser;    ///< a slot became full, or a worker saw a command
};

class BatchRing {
public:
  /// Slots for batches of `capacity` samples. `shared` memory stays the same
  /// memory after a fork.
  static Result<std::shared_ptr<BatchRing>> create(const RecordType &fields,
                                                   int64_t capacity,
                                                   size_t slots, size_t workers,
                                                   bool shared);
  ~BatchRing();
  BatchRing(const BatchRing &) = delete;

  size_t slots() const { return slotFields.size(); }
  int64_t capacity() const { return capacity_; }
  SlotHeader &slot(size_t i) { return slotHeaders[i]; }
  WorkerHeader &worker(size_t i) { return workerHeaders[i]; }
  CommandHeader &command() { return *commandHeader; }
  /// The fields' memory in a slot.
  std::span<std::byte *const> fields(size_t slot) const {
    return slotFields[slot];
  }

  /// Makes a slot Full, or Failed when `status` did.
  void publish(size_t slot, const Status &status);
  /// The failure of a Failed slot.
  Status failure(size_t slot);
  /// Makes a slot Empty, and the turn that of the next round.
  void release(size_t slot);
  /// Whether batch `sequence` may be written into its slot.
  bool isTurnOf(uint64_t sequence) const {
    const SlotHeader &header = slotHeaders[sequence % slots()];
    return header.state.load() == SlotState::Empty &&
           header.turn.load() == sequence;
  }
  /// Empties all slots that are not leased, for batches from `sequence` on. No
  /// worker may be at work.
  void restart(uint64_t sequence);

private:
  BatchRing() = default;
  Status map(size_t bytes, bool shared);
  int64_t capacity_ = 0;
  std::byte *mapping = nullptr;
  size_t mapped = 0;
  CommandHeader *commandHeader = nullptr;
  WorkerHeader *workerHeaders = nullptr;
  SlotHeader *slotHeaders = nullptr;
  std::vector<std::vector<std::byte *>> slotFields;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_BATCHRING_H
