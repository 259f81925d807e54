//===- Testing/IdxFiles.h - Writes small IDX data sets ----------*- C++ -*-===//

#ifndef DPL_RUNTIME_TESTING_IDXFILES_H
#define DPL_RUNTIME_TESTING_IDXFILES_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>
#include <zlib.h>

namespace dpl::rt::testing {

using Bytes = std::vector<uint8_t>;

inline void writeBytes(const std::string &path, const Bytes &bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline void writeGzip(const std::string &path, const Bytes &bytes) {
  const gzFile file = ::gzopen(path.c_str(), "wb");
  ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  ::gzclose(file);
}

inline Bytes idxHeader(const std::vector<uint32_t> &shape) {
  Bytes bytes = {0, 0, 8, static_cast<uint8_t>(shape.size())};
  for (const uint32_t size : shape)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<uint8_t>(size >> shift));
  return bytes;
}

/// The value of pixel `i` of sample `sample` in the sets written here.
inline uint8_t idxPixel(uint32_t sample, uint32_t i) {
  return static_cast<uint8_t>((sample * 7919u + i * 31u + (sample >> 8)) & 255);
}
inline uint8_t idxLabel(uint32_t sample) {
  return static_cast<uint8_t>((sample * 3u + sample / 10u) % 10u);
}

inline Bytes idxImages(uint32_t count, uint32_t rows, uint32_t columns) {
  Bytes bytes = idxHeader({count, rows, columns});
  for (uint32_t sample = 0; sample < count; ++sample)
    for (uint32_t i = 0; i < rows * columns; ++i)
      bytes.push_back(idxPixel(sample, i));
  return bytes;
}

inline Bytes idxLabels(uint32_t count) {
  Bytes bytes = idxHeader({count});
  for (uint32_t sample = 0; sample < count; ++sample)
    bytes.push_back(idxLabel(sample));
  return bytes;
}

/// Writes the training files of `mnist` into `folder`.
inline void writeIdxSet(const std::string &folder, uint32_t count,
                        uint32_t rows, uint32_t columns) {
  writeBytes(folder + "/train-images-idx3-ubyte",
             idxImages(count, rows, columns));
  writeBytes(folder + "/train-labels-idx1-ubyte", idxLabels(count));
}

} // namespace dpl::rt::testing

#endif // DPL_RUNTIME_TESTING_IDXFILES_H
