//===- Data/BatchRing.cpp - Slots that batches travel in ------------------===//

#include "runtime/Data/BatchRing.h"

#include "runtime/Base/Files.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace dpl::rt;

static_assert(std::atomic<SlotState>::is_always_lock_free &&
                  std::atomic<uint64_t>::is_always_lock_free,
              "words that processes share must not hide a lock");

/// Gives out pieces of a region, each aligned to DPL_ALIGNMENT.
namespace {
class Carver {
public:
  size_t take(size_t bytes) {
    const size_t start = end;
    end += static_cast<size_t>(
        roundUp(static_cast<int64_t>(bytes), DPL_ALIGNMENT));
    return start;
  }
  size_t size() const { return end; }

private:
  size_t end = 0;
};
} // namespace

Status BatchRing::map(size_t bytes, bool shared) {
  FileDescriptor file;
  if (shared) {
    file = FileDescriptor(::memfd_create("dpl-batches", MFD_CLOEXEC));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
      return Status::systemError(Exit::Runtime,
                                 concat("cannot create ", bytes,
                                        " bytes of shared memory for batches"),
                                 errno);
  }
  const int kind = shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        kind | MAP_POPULATE, file.get(), 0);
  if (memory == MAP_FAILED)
    return Status::systemError(
        Exit::Runtime, concat("cannot map ", bytes, " bytes for batches"),
        errno);
  mapping = static_cast<std::byte *>(memory);
  mapped = bytes;
  return Status::success();
}

Result<std::shared_ptr<BatchRing>>
BatchRing::create(const RecordType &fields, int64_t capacity, size_t slots,
                  size_t workers, bool shared) {
  std::shared_ptr<BatchRing> ring(new BatchRing());
  ring->capacity_ = capacity;
  Carver carver;
  const size_t command = carver.take(sizeof(CommandHeader));
  const size_t worker = carver.take(workers * sizeof(WorkerHeader));
  const size_t slot = carver.take(slots * sizeof(SlotHeader));
  std::vector<std::vector<size_t>> places(slots);
  for (auto &offsets : places)
    for (const FieldType &field : fields)
      offsets.push_back(
          carver.take(static_cast<size_t>(capacity) * field.bytes()));
  DPL_TRY(ring->map(carver.size(), shared));
  std::byte *base = ring->mapping;
  ring->commandHeader = new (base + command) CommandHeader();
  ring->workerHeaders = reinterpret_cast<WorkerHeader *>(base + worker);
  for (size_t i = 0; i < workers; ++i)
    new (ring->workerHeaders + i) WorkerHeader();
  ring->slotHeaders = reinterpret_cast<SlotHeader *>(base + slot);
  for (size_t i = 0; i < slots; ++i) {
    new (ring->slotHeaders + i) SlotHeader();
    ring->slotHeaders[i].turn = i;
    std::vector<std::byte *> &pointers = ring->slotFields.emplace_back();
    for (const size_t offset : places[i])
      pointers.push_back(base + offset);
  }
  return ring;
}

BatchRing::~BatchRing() {
  if (mapping)
    ::munmap(mapping, mapped);
}

void BatchRing::publish(size_t slot, const Status &status) {
  SlotHeader &header = slotHeaders[slot];
  if (!status.ok()) {
    header.category = status.category();
    std::string text;
    for (const std::string &message : status.chain())
      text += (text.empty() ? "" : "\n") + message;
    text.resize(std::min(text.size(), header.message.size() - 1));
    std::memcpy(header.message.data(), text.c_str(), text.size() + 1);
  }
  header.state.store(status.ok() ? SlotState::Full : SlotState::Failed);
  commandHeader->forUser.notify();
}

Status BatchRing::failure(size_t slot) {
  const SlotHeader &header = slotHeaders[slot];
  const auto chain = split(header.message.data(), '\n');
  Status status = Status::error(header.category, std::string(chain.back()));
  for (size_t i = chain.size() - 1; i > 0; --i)
    status = std::move(status).within(std::string(chain[i - 1]));
  return status;
}

void BatchRing::restart(uint64_t sequence) {
  for (size_t i = 0; i < slots(); ++i, ++sequence) {
    SlotHeader &header = slotHeaders[sequence % slots()];
    if (header.state.load() == SlotState::Leased)
      continue;
    header.turn.store(sequence);
    header.state.store(SlotState::Empty);
  }
}

void BatchRing::release(size_t slot) {
  slotHeaders[slot].turn.fetch_add(slots());
  slotHeaders[slot].state.store(SlotState::Empty);
  commandHeader->forWorkers.notify();
}
