//===- Base/Sha256.h - Checksums of manifests -------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_SHA256_H
#define DPL_RUNTIME_BASE_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dpl::rt {

/// SHA-256 of FIPS 180-4, fed in pieces.
class Sha256 {
public:
  Sha256 &update(std::span<const std::byte> data);
  /// Ends the message; 64 lower-case hex digits. Call it once.
  std::string hex();

private:
  void compress(const uint8_t *block);
  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending = {};
  uint64_t length = 0; ///< bytes so far
};

/// The digest of one piece.
std::string sha256Hex(std::span<const std::byte> data);

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_SHA256_H
