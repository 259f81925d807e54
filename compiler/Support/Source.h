//===- Source.h - source text and places in it ------------------*- C++ -*-===//
//
// All buffers of one compilation lie in one address space of 32 bits: a
// Location is a number, a Range is two, and both know their buffer.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SUPPORT_SOURCE_H
#define DPL_COMPILER_SUPPORT_SOURCE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dpl {

/// A byte of some buffer of a SourceManager; the default value is nowhere.
struct Location {
  uint32_t offset = 0;

  bool isValid() const { return offset != 0; }
  Location advanced(int64_t bytes) const {
    return {static_cast<uint32_t>(offset + bytes)};
  }
  friend auto operator<=>(Location, Location) = default;
};

/// Half-open bytes [begin, end) of one buffer.
struct Range {
  Location begin;
  Location end;

  bool isValid() const { return begin.isValid(); }
  uint32_t size() const { return end.offset - begin.offset; }
  bool contains(Range other) const {
    return begin <= other.begin && other.end <= end;
  }
  /// The smallest range with both; an invalid side does not count.
  static Range join(Range a, Range b);
  friend bool operator==(Range, Range) = default;
};

/// A line and a column, both from 1; columns count bytes.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
  friend bool operator==(LineColumn, LineColumn) = default;
};

/// One file's text with its place in the address space. Text is immutable and
/// lives as long as the buffer.
class SourceBuffer {
public:
  SourceBuffer(std::string name, std::string text, Location begin);

  /// The name as the user wrote it, shown in messages.
  llvm::StringRef name() const { return fileName; }
  llvm::StringRef text() const { return contents; }
  Location begin() const { return first; }
  Location end() const { return first.advanced(contents.size()); }
  /// The end of the buffer is a place of it, too.
  bool contains(Location at) const { return begin() <= at && at <= end(); }

  LineColumn lineColumn(Location at) const;
  unsigned numLines() const { return lineStarts.size(); }
  /// The text of a line (from 1) without its end.
  llvm::StringRef line(unsigned number) const;
  llvm::StringRef text(Range range) const;

private:
  std::string fileName;
  std::string contents;
  Location first;
  std::vector<uint32_t> lineStarts;
};

/// Owns the buffers of one compilation, in the order in which they came.
class SourceManager {
public:
  /// Adds a text under a name. Buffers do not move afterwards.
  const SourceBuffer &add(llvm::StringRef name, llvm::StringRef text);

  /// Reads a file; returns null and fills `error` with the system's words.
  const SourceBuffer *load(llvm::StringRef path, std::string &error);

  /// The buffer of a location, or null for nowhere.
  const SourceBuffer *buffer(Location at) const;

  /// The text of a range; empty for an invalid one.
  llvm::StringRef text(Range range) const;

  size_t numBuffers() const { return buffers.size(); }
  const SourceBuffer &operator[](size_t i) const { return *buffers[i]; }

private:
  std::vector<std::unique_ptr<SourceBuffer>> buffers;
};

} // namespace dpl

#endif // DPL_COMPILER_SUPPORT_SOURCE_H
