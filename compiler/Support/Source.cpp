//===- Source.cpp - source text and places in it --------------------------===//

#include "compiler/Support/Source.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cassert>

using namespace dpl;
using llvm::StringRef;

Range Range::join(Range a, Range b) {
  if (!a.isValid())
    return b;
  if (!b.isValid())
    return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

SourceBuffer::SourceBuffer(std::string name, std::string text, Location begin)
    : fileName(std::move(name)), contents(std::move(text)), first(begin) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < contents.size(); ++i)
    if (contents[i] == '\n')
      lineStarts.push_back(i + 1);
}

LineColumn SourceBuffer::lineColumn(Location at) const {
  assert(contains(at) && "location of another buffer");
  uint32_t offset = at.offset - first.offset;
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  unsigned line = next - lineStarts.begin();
  return {line, offset - lineStarts[line - 1] + 1};
}

StringRef SourceBuffer::line(unsigned number) const {
  StringRef rest = StringRef(contents).drop_front(lineStarts[number - 1]);
  return rest.take_until([](char c) { return c == '\n' || c == '\r'; });
}

StringRef SourceBuffer::text(Range range) const {
  assert(contains(range.begin) && contains(range.end));
  return StringRef(contents).substr(range.begin.offset - first.offset,
                                    range.size());
}

const SourceBuffer &SourceManager::add(StringRef name, StringRef text) {
  // Offset 0 is nowhere, and one byte between buffers keeps their ends apart.
  Location begin{1};
  if (!buffers.empty())
    begin = buffers.back()->end().advanced(1);
  buffers.push_back(
      std::make_unique<SourceBuffer>(name.str(), text.str(), begin));
  return *buffers.back();
}

const SourceBuffer *SourceManager::load(StringRef path, std::string &error) {
  // A device may have no end.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      (status.type() == llvm::sys::fs::file_type::character_file ||
       status.type() == llvm::sys::fs::file_type::block_file)) {
    error = "it is a device";
    return nullptr;
  }
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    error = file.getError().message();
    return nullptr;
  }
  if ((*file)->getBufferSize() >= UINT32_MAX / 4) {
    error = "the file is too large to be a program";
    return nullptr;
  }
  return &add(path, (*file)->getBuffer());
}

const SourceBuffer *SourceManager::buffer(Location at) const {
  auto it = std::partition_point(
      buffers.begin(), buffers.end(),
      [&](const auto &buffer) { return buffer->end() < at; });
  return it != buffers.end() && (*it)->contains(at) ? it->get() : nullptr;
}

StringRef SourceManager::text(Range range) const {
  const SourceBuffer *owner = buffer(range.begin);
  return owner ? owner->text(range) : StringRef();
}
