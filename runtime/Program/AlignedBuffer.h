//===- AlignedBuffer.h - Zeroed, page-aligned memory ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_PROGRAM_ALIGNEDBUFFER_H
#define DPL_RUNTIME_PROGRAM_ALIGNEDBUFFER_H

#include <cstddef>
#include <utility>

namespace dpl::rt {

/// Anonymous memory straight from the kernel: zero, aligned to a page (to a
/// huge page where it is that large), and touched only where it is used.
/// Allocation failure ends the process with a message, as for `new`.
class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t bytes);
  ~AlignedBuffer();
  AlignedBuffer(AlignedBuffer &&other) noexcept
      : base(std::exchange(other.base, nullptr)),
        length(std::exchange(other.length, 0)),
        start(std::exchange(other.start, nullptr)) {}
  AlignedBuffer &operator=(AlignedBuffer &&other) noexcept {
    std::swap(base, other.base);
    std::swap(length, other.length);
    std::swap(start, other.start);
    return *this;
  }

  char *data() const { return start; }

private:
  void *base = nullptr; ///< of the mapping
  size_t length = 0;    ///< of the mapping
  char *start = nullptr;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_ALIGNEDBUFFER_H
