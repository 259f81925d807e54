//===- Base/Memory.h - Large aligned memory ---------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_MEMORY_H
#define DPL_RUNTIME_BASE_MEMORY_H

#include "dpl/abi.h"
#include "runtime/Base/Status.h"

#include <cstddef>
#include <cstdint>

namespace dpl::rt {

/// `value` rounded up to a multiple of `multiple`.
constexpr int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Owns zeroed memory of this process, aligned to DPL_ALIGNMENT at least.
/// From 2 MiB on it starts at a 2 MiB boundary and asks for transparent huge
/// pages. Moving keeps the address.
class AlignedMemory {
public:
  AlignedMemory() = default;
  /// Fails with Exit::Runtime and the size when the system refuses. `bytes`
  /// may be 0. With `touch` all pages are there when it returns, so that no
  /// step pays for page faults.
  static Result<AlignedMemory> allocate(size_t bytes, bool touch = false);
  AlignedMemory(AlignedMemory &&other) noexcept { swap(other); }
  AlignedMemory &operator=(AlignedMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~AlignedMemory();

  std::byte *data() const { return start; }
  template <typename T> T *as() const { return reinterpret_cast<T *>(start); }
  size_t size() const { return bytes; }

private:
  void swap(AlignedMemory &other) noexcept;
  std::byte *start = nullptr;
  size_t bytes = 0;
  void *mapping = nullptr; ///< what munmap gets
  size_t mapped = 0;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_MEMORY_H
