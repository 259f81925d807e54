//===- Data/Gzip.h - Reading compressed files -------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_GZIP_H
#define DPL_RUNTIME_DATA_GZIP_H

#include "runtime/Base/Files.h"
#include "runtime/Base/Status.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace dpl::rt {

/// Reads a gzip file (RFC 1952, several members too) from front to back, and
/// checks the sums that it carries. Errors are Exit::Data with the file and
/// the offset in the compressed file.
class GzipReader {
public:
  static Result<GzipReader> open(const std::string &path);
  GzipReader(GzipReader &&) noexcept;
  ~GzipReader();

  /// Fills `out`; fewer bytes only when the content ends.
  Result<size_t> read(std::span<std::byte> out);
  /// No content is longer than this: deflate shrinks at most 1032 times.
  size_t longestContent() const;

private:
  struct State;
  explicit GzipReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_GZIP_H
