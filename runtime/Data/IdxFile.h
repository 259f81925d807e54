//===- Data/IdxFile.h - The IDX format --------------------------*- C++ -*-===//
//
// Two zero bytes, a byte with the element type (8 is u8), a byte with the
// number of axes, a big-endian 32-bit size for each axis, then the values in C
// order.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_DATA_IDXFILE_H
#define DPL_RUNTIME_DATA_IDXFILE_H

#include "runtime/Base/Files.h"
#include "runtime/Base/Memory.h"
#include "runtime/Base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dpl::rt {

/// A file of u8 values. A plain one is mapped, a compressed one is held in
/// memory as a whole.
class IdxFile {
public:
  /// Opens `path`, or `path`.gz when there is no such file. Checks the header,
  /// the number of axes, and that the sizes are those of the file. Errors are
  /// Exit::Data.
  static Result<IdxFile> open(const std::string &path, size_t axes);

  /// The file that was opened.
  const std::string &path() const { return path_; }
  /// Sizes of the axes, each at least 1; the first one counts samples.
  const std::vector<int64_t> &shape() const { return shape_; }
  int64_t count() const { return shape_.front(); }
  std::span<const std::byte> values() const { return values_; }
  /// Offset of the first value in the (decompressed) file.
  size_t valuesOffset() const { return 4 + 4 * shape_.size(); }

private:
  IdxFile() = default;
  Status openPlain();
  Status openGzip();
  /// Takes shape_ from the header's bytes, of which there are `size`.
  Status parseHeader(std::span<const std::byte> header, size_t axes);
  Result<size_t> valueCount() const;
  Status wrongSize(size_t expected, const std::string &actual) const;

  std::string path_;
  std::vector<int64_t> shape_;
  std::span<const std::byte> values_;
  std::optional<MappedFile> mapped;
  AlignedMemory inflated;
  size_t axes_ = 0;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_IDXFILE_H
