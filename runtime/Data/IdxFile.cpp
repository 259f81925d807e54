//===- Data/IdxFile.cpp - The IDX format ----------------------------------===//

#include "runtime/Data/IdxFile.h"

#include "runtime/Base/Text.h"
#include "runtime/Data/Gzip.h"

#include <algorithm>
#include <array>

using namespace dpl::rt;

static constexpr size_t maxAxes = 8;

static Status bad(const std::string &path, const std::string &what) {
  return Status::error(Exit::Data, path + ": " + what);
}

static const char *typeText(unsigned code) {
  switch (code) {
  case 0x08:
    return "u8";
  case 0x09:
    return "i8";
  case 0x0b:
    return "i16";
  case 0x0c:
    return "i32";
  case 0x0d:
    return "f32";
  case 0x0e:
    return "f64";
  default:
    return "unknown";
  }
}

static std::string hexByte(unsigned byte) {
  static constexpr char digits[] = "0123456789abcdef";
  return {'0', 'x', digits[byte >> 4 & 15], digits[byte & 15]};
}

Result<IdxFile> IdxFile::open(const std::string &path, size_t axes) {
  IdxFile file;
  file.axes_ = axes;
  file.path_ = path;
  if (fileExists(path)) {
    DPL_TRY(file.openPlain());
    return file;
  }
  file.path_ += ".gz";
  if (!fileExists(file.path_))
    return Status::error(Exit::Data, concat("neither `", path, "` nor `",
                                            file.path_, "` exists"));
  DPL_TRY(file.openGzip());
  return file;
}

Status IdxFile::parseHeader(std::span<const std::byte> header, size_t axes) {
  const auto byte = [&](size_t i) {
    return std::to_integer<unsigned>(header[i]);
  };
  if (header.size() < 4)
    return bad(path_, concat("offset ", header.size(),
                             ": the file ends in the first 4 bytes of the "
                             "header; fetch it again"));
  if (byte(0) != 0 || byte(1) != 0) {
    const bool gzip = byte(0) == 0x1f && byte(1) == 0x8b;
    return bad(path_,
               concat("offset 0: the bytes ", hexByte(byte(0)), " ",
                      hexByte(byte(1)), " are not the 0x00 0x00 of an IDX file",
                      gzip ? "; it is compressed, give its name the "
                             "ending .gz"
                           : "; fetch the file again"));
  }
  if (byte(2) != 0x08)
    return bad(path_, concat("offset 2: element type ", hexByte(byte(2)), " (",
                             typeText(byte(2)),
                             "), expected 0x08 (u8); convert the file"));
  if (byte(3) != axes)
    return bad(path_, concat("offset 3: ", byte(3), " axes, expected ", axes,
                             "; are the files of images and labels mixed "
                             "up?"));
  if (header.size() < 4 + 4 * axes)
    return bad(path_, concat("offset ", header.size(),
                             ": the file ends in a "
                             "header of ",
                             4 + 4 * axes, " bytes; fetch it again"));
  for (size_t axis = 0; axis < axes; ++axis) {
    const size_t at = 4 + 4 * axis;
    shape_.push_back(int64_t{byte(at)} << 24 | int64_t{byte(at + 1)} << 16 |
                     int64_t{byte(at + 2)} << 8 | int64_t{byte(at + 3)});
    if (shape_.back() == 0)
      return bad(path_, concat("offset ", at, ": the size of axis ", axis,
                               " is 0; there are no samples in it, give "
                               "another file"));
  }
  return Status::success();
}

Result<size_t> IdxFile::valueCount() const {
  size_t count = 1;
  for (const int64_t size : shape_)
    if (__builtin_mul_overflow(count, static_cast<size_t>(size), &count) ||
        count > (size_t{1} << 62))
      return bad(path_, concat("offset 4: the shape ", shapeText(shape_),
                               " is larger than any file; fetch it again"));
  return count;
}

Status IdxFile::wrongSize(size_t expected, const std::string &actual) const {
  return bad(path_, concat("the header says ", shapeText(shape_),
                           ", which takes ", expected, " bytes, but ", actual,
                           "; fetch the file again"));
}

Status IdxFile::openPlain() {
  DPL_LET(MappedFile file, MappedFile::open(path_, Exit::Data));
  const auto bytes = file.bytes();
  DPL_TRY(
      parseHeader(bytes.first(std::min(bytes.size(), 4 + 4 * axes_)), axes_));
  DPL_LET(const size_t count, valueCount());
  const size_t expected = valuesOffset() + count;
  if (bytes.size() != expected)
    return wrongSize(expected, concat("the file has ", bytes.size()));
  values_ = bytes.subspan(valuesOffset());
  mapped.emplace(std::move(file));
  return Status::success();
}

Status IdxFile::openGzip() {
  DPL_LET(GzipReader reader, GzipReader::open(path_));
  std::array<std::byte, 4 + 4 * maxAxes> header;
  const auto start = std::span(header).first(4 + 4 * axes_);
  DPL_LET(const size_t headerBytes, reader.read(start));
  DPL_TRY(parseHeader(start.first(headerBytes), axes_));
  DPL_LET(const size_t count, valueCount());
  const size_t expected = valuesOffset() + count;
  if (expected > reader.longestContent())
    return wrongSize(expected, concat("the compressed file holds ",
                                      reader.longestContent(), " at most"));
  DPL_LET(inflated, AlignedMemory::allocate(count));
  DPL_LET(const size_t got, reader.read({inflated.data(), count}));
  if (got != count)
    return wrongSize(expected,
                     concat("its content ends after ", valuesOffset() + got));
  // Reading on checks the sum at the end of the content, too.
  std::byte more;
  DPL_LET(const size_t trailing, reader.read({&more, 1}));
  if (trailing != 0)
    return wrongSize(expected, "its content goes on");
  values_ = {inflated.data(), count};
  return Status::success();
}
