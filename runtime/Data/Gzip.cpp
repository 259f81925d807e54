//===- Data/Gzip.cpp - Reading compressed files ---------------------------===//

#include "runtime/Data/Gzip.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <climits>
#include <zlib.h>

using namespace dpl::rt;

struct GzipReader::State {
  State(std::string path, MappedFile file)
      : path(std::move(path)), file(std::move(file)) {}
  ~State() { ::inflateEnd(&stream); }

  Status corrupt(std::string_view why) const {
    return Status::error(Exit::Data,
                         concat(path, ": offset ", offset,
                                " of the compressed file: ", why,
                                "; the file is damaged, fetch it again"));
  }
  /// Gives zlib the next piece of the file; its counts are 32 bits wide.
  void feed() {
    const auto rest = file.bytes().subspan(offset);
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<std::byte *>(rest.data()));
    stream.avail_in = static_cast<uInt>(std::min<size_t>(rest.size(), INT_MAX));
  }

  std::string path;
  MappedFile file;
  size_t offset = 0; ///< of the next byte in the compressed file
  z_stream stream = {};
  bool memberEnded = false;
};

GzipReader::GzipReader(std::unique_ptr<State> state)
    : state(std::move(state)) {}
GzipReader::GzipReader(GzipReader &&) noexcept = default;
GzipReader::~GzipReader() = default;

Result<GzipReader> GzipReader::open(const std::string &path) {
  DPL_LET(MappedFile file, MappedFile::open(path, Exit::Data));
  auto state = std::make_unique<State>(path, std::move(file));
  constexpr int gzipOnly = 16 + MAX_WBITS;
  if (::inflateInit2(&state->stream, gzipOnly) != Z_OK)
    return Status::error(Exit::Runtime,
                         "cannot allocate memory to decompress " + path);
  return GzipReader(std::move(state));
}

size_t GzipReader::longestContent() const {
  return state->file.bytes().size() * 1032;
}

Result<size_t> GzipReader::read(std::span<std::byte> out) {
  State &s = *state;
  size_t done = 0;
  while (done < out.size()) {
    if (s.memberEnded) {
      if (s.offset == s.file.bytes().size())
        break;
      ::inflateReset(&s.stream);
      s.memberEnded = false;
    }
    s.feed();
    const uInt given = s.stream.avail_in;
    const auto room =
        static_cast<uInt>(std::min<size_t>(out.size() - done, INT_MAX));
    s.stream.next_out = reinterpret_cast<Bytef *>(out.data() + done);
    s.stream.avail_out = room;
    const int code = ::inflate(&s.stream, Z_NO_FLUSH);
    s.offset += given - s.stream.avail_in;
    done += room - s.stream.avail_out;
    if (code == Z_STREAM_END)
      s.memberEnded = true;
    else if (code == Z_BUF_ERROR || (code == Z_OK && given == 0))
      return s.corrupt("the file ends inside of its content");
    else if (code != Z_OK)
      return s.corrupt(s.stream.msg ? s.stream.msg : "not gzip");
  }
  return done;
}
