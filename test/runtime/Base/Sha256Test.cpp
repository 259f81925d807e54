//===- Base/Sha256Test.cpp ------------------------------------------------===//

#include "runtime/Base/Sha256.h"

#include <gtest/gtest.h>
#include <string>

using namespace dpl::rt;

static std::span<const std::byte> bytes(const std::string &text) {
  return std::as_bytes(std::span(text));
}

/// The examples of FIPS 180-4.
TEST(Sha256Test, KnownAnswers) {
  EXPECT_EQ(sha256Hex(bytes("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Hex(bytes("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256Hex(bytes(
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256Hex(bytes(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/// The length of the message decides where the padding goes; pieces do not.
TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  for (size_t length = 0; length < 200; ++length) {
    const std::string text(length, 'x');
    Sha256 hash;
    for (size_t i = 0; i < length; i += 7)
      hash.update(bytes(text).subspan(i, std::min<size_t>(7, length - i)));
    ASSERT_EQ(hash.hex(), sha256Hex(bytes(text))) << length;
  }
}

/// The block with the length does not fit behind 56 bytes and more.
TEST(Sha256Test, PaddingAtTheEdges) {
  EXPECT_EQ(sha256Hex(bytes(std::string(55, 'a'))),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256Hex(bytes(std::string(56, 'a'))),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256Hex(bytes(std::string(64, 'a'))),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}
