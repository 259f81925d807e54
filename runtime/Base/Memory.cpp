//===- Base/Memory.cpp - Large aligned memory -----------------------------===//

#include "runtime/Base/Memory.h"

#include "runtime/Base/Text.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace dpl::rt;

static constexpr size_t hugePage = size_t{2} << 20;
static constexpr size_t smallPage = 4096;

static Status refused(size_t bytes, int errnum) {
  return Status::systemError(
      Exit::Runtime, concat("cannot allocate ", bytes, " bytes"), errnum);
}

Result<AlignedMemory> AlignedMemory::allocate(size_t bytes, bool touch) {
  AlignedMemory memory;
  memory.bytes = bytes;
  if (bytes < hugePage) {
    const size_t rounded = static_cast<size_t>(
        roundUp(static_cast<int64_t>(bytes ? bytes : 1), DPL_ALIGNMENT));
    memory.start =
        static_cast<std::byte *>(std::aligned_alloc(DPL_ALIGNMENT, rounded));
    if (!memory.start)
      return refused(bytes, ENOMEM);
    std::memset(memory.start, 0, rounded);
    return memory;
  }
  if (bytes > SIZE_MAX / 4)
    return refused(bytes, ENOMEM);
  const size_t mapped = bytes + hugePage;
  void *mapping = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return refused(bytes, errno);
  memory.mapping = mapping;
  memory.mapped = mapped;
  const auto address = reinterpret_cast<uintptr_t>(mapping);
  memory.start = static_cast<std::byte *>(mapping) +
                 ((hugePage - address % hugePage) % hugePage);
  // Advice only: without huge pages the memory is the same, a little slower.
  ::madvise(memory.start, bytes, MADV_HUGEPAGE);
  if (touch)
    for (size_t offset = 0; offset < bytes; offset += smallPage)
      *const_cast<volatile std::byte *>(memory.start + offset) = std::byte{0};
  return memory;
}

AlignedMemory::~AlignedMemory() {
  if (mapping)
    ::munmap(mapping, mapped);
  else
    std::free(start);
}

void AlignedMemory::swap(AlignedMemory &other) noexcept {
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
}
