//===- Data/MnistReaderTest.cpp - IDX files, good and bad -----------------===//

#include "runtime/Testing/IdxFiles.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"

#include "runtime/Data/MnistReader.h"

#include <array>
#include <filesystem>

using namespace dpl::rt;
using namespace dpl::rt::testing;

namespace {
class MnistReaderTest : public ::testing::Test {
protected:
  const TemporaryFolder folder;
  const std::string images = folder.file("train-images-idx3-ubyte");
  const std::string labels = folder.file("train-labels-idx1-ubyte");

  void SetUp() override { writeIdxSet(folder.path(), 20, 5, 3); }

  Result<std::unique_ptr<Reader>> open(const char *split = "train") const {
    return openMnist(folder.path(), {{"split", split}});
  }
  void expectBad(std::initializer_list<std::string> pieces) const {
    expectFailure(open().status(), Exit::Data, pieces);
  }
  /// Replaces a plain file by a compressed one with other bytes.
  static void compress(const std::string &path, const Bytes &bytes) {
    std::filesystem::remove(path);
    writeGzip(path + ".gz", bytes);
  }
  static Bytes content(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void expectSamples(const Reader &reader, uint32_t count) const {
    ASSERT_EQ(reader.length(), count);
    EXPECT_EQ(recordText(reader.record()), "(x: u8[1, 5, 3], y: class(10))");
    for (uint32_t sample = 0; sample < count; ++sample) {
      std::array<std::byte, 15> x;
      int32_t y = -1;
      const std::byte *values[] = {x.data(), reinterpret_cast<std::byte *>(&y)};
      ASSERT_OK(reader.read(sample, values));
      for (uint32_t i = 0; i < 15; ++i)
        ASSERT_EQ(values[0][i], std::byte{idxPixel(sample, i)});
      ASSERT_EQ(*reinterpret_cast<const int32_t *>(values[1]),
                idxLabel(sample));
    }
  }
};
} // namespace

TEST_F(MnistReaderTest, PlainFiles) {
  auto reader = open();
  ASSERT_OK(reader);
  expectSamples(**reader, 20);
}

TEST_F(MnistReaderTest, CompressedFilesHaveTheSameSamples) {
  compress(images, idxImages(20, 5, 3));
  compress(labels, idxLabels(20));
  auto reader = open();
  ASSERT_OK(reader);
  expectSamples(**reader, 20);
}

TEST_F(MnistReaderTest, CompressedFileMayHaveSeveralMembers) {
  const Bytes bytes = idxLabels(20);
  const std::string part = folder.file("part");
  Bytes members;
  for (const size_t start : {size_t{0}, size_t{9}}) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(start);
    writeGzip(part, Bytes(begin, start ? bytes.end() : begin + 9));
    const Bytes member = content(part);
    members.insert(members.end(), member.begin(), member.end());
  }
  std::filesystem::remove(labels);
  writeBytes(labels + ".gz", members);
  auto reader = open();
  ASSERT_OK(reader);
  expectSamples(**reader, 20);
}

TEST_F(MnistReaderTest, PlainFileWinsOverCompressedOne) {
  writeGzip(images + ".gz", {1, 2, 3});
  writeGzip(labels + ".gz", {1, 2, 3});
  ASSERT_OK(open());
}

TEST_F(MnistReaderTest, SplitsHaveTheirOwnFiles) {
  expectFailure(open("test").status(), Exit::Data,
                {"t10k-images-idx3-ubyte` nor `", ".gz` exists"});
  std::filesystem::rename(images, folder.file("t10k-images-idx3-ubyte"));
  std::filesystem::rename(labels, folder.file("t10k-labels-idx1-ubyte"));
  ASSERT_OK(open("test"));
  expectFailure(open("dev").status(), Exit::Usage,
                {"`split` is \"dev\"", "`train`, `test`"});
}

TEST_F(MnistReaderTest, ArgumentsAreChecked) {
  expectFailure(openMnist(folder.path(), {}).status(), Exit::Usage,
                {"`split` is missing", "`train`, `test`"});
  expectFailure(
      openMnist(folder.path(), {{"split", "train"}, {"splt", 1}}).status(),
      Exit::Usage, {"unknown argument `splt`", "did you mean `split`?"});
}

TEST_F(MnistReaderTest, MissingFolder) {
  expectFailure(openMnist(folder.file("no"), {{"split", "train"}}).status(),
                Exit::Data, {folder.file("no"), "does not exist"});
}

TEST_F(MnistReaderTest, MissingLabels) {
  std::filesystem::remove(labels);
  expectBad({labels, labels + ".gz", "exists"});
}

TEST_F(MnistReaderTest, EmptyFile) {
  writeBytes(images, {});
  expectBad({images, "offset 0", "first 4 bytes"});
}

TEST_F(MnistReaderTest, WrongMagic) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes[1] = 0x50;
  writeBytes(images, bytes);
  expectBad({images, "offset 0", "0x00 0x50", "0x00 0x00", "fetch"});
}

TEST_F(MnistReaderTest, CompressedContentUnderAPlainName) {
  writeGzip(labels, idxLabels(20));
  expectBad({labels, "offset 0", "0x1f 0x8b", "ending .gz"});
}

TEST_F(MnistReaderTest, WrongElementType) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes[2] = 0x0d;
  writeBytes(images, bytes);
  expectBad({images, "offset 2", "0x0d (f32)", "0x08 (u8)"});
}

TEST_F(MnistReaderTest, ImagesAndLabelsMixedUp) {
  writeBytes(images, idxLabels(20));
  expectBad({images, "offset 3", "1 axes, expected 3", "mixed up"});
}

TEST_F(MnistReaderTest, FileThatEndsInTheHeader) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes.resize(11);
  writeBytes(images, bytes);
  expectBad({images, "offset 11", "header of 16 bytes"});
}

TEST_F(MnistReaderTest, NoSamples) {
  writeBytes(images, idxImages(0, 5, 3));
  expectBad({images, "offset 4", "axis 0 is 0"});
}

TEST_F(MnistReaderTest, EmptyPictures) {
  writeBytes(images, idxImages(20, 5, 0));
  expectBad({images, "offset 12", "axis 2 is 0"});
}

TEST_F(MnistReaderTest, Truncated) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes.pop_back();
  writeBytes(images, bytes);
  expectBad({images, "[20, 5, 3]", "takes 316 bytes", "has 315", "fetch"});
}

TEST_F(MnistReaderTest, TrailingBytes) {
  Bytes bytes = idxLabels(20);
  bytes.push_back(0);
  writeBytes(labels, bytes);
  expectBad({labels, "[20]", "takes 28 bytes", "has 29"});
}

TEST_F(MnistReaderTest, HeaderThatClaimsMoreThanAnyFile) {
  Bytes bytes = idxHeader({~0u, ~0u, ~0u});
  writeBytes(images, bytes);
  expectBad({images, "offset 4", "[4294967295, 4294967295, 4294967295]"});
}

TEST_F(MnistReaderTest, CountsThatDiffer) {
  writeBytes(labels, idxLabels(19));
  expectBad({images, labels, "20 images", "19 labels"});
}

TEST_F(MnistReaderTest, LabelOutOfRange) {
  Bytes bytes = idxLabels(20);
  bytes[8 + 13] = 10;
  writeBytes(labels, bytes);
  expectBad({labels, "offset 21", "sample 13 is 10", "0 to 9"});
}

TEST_F(MnistReaderTest, CompressedTruncated) {
  compress(images, idxImages(20, 5, 3));
  Bytes bytes = content(images + ".gz");
  bytes.resize(bytes.size() / 2);
  writeBytes(images + ".gz", bytes);
  expectBad({images + ".gz", "offset " + std::to_string(bytes.size()),
             "compressed", "ends inside"});
}

TEST_F(MnistReaderTest, CompressedWithoutItsEnd) {
  compress(images, idxImages(20, 5, 3));
  Bytes bytes = content(images + ".gz");
  bytes.resize(bytes.size() - 8);
  writeBytes(images + ".gz", bytes);
  expectBad({images + ".gz", "ends inside"});
}

TEST_F(MnistReaderTest, CompressedWithAWrongSum) {
  compress(images, idxImages(20, 5, 3));
  Bytes bytes = content(images + ".gz");
  bytes[bytes.size() - 6] ^= 1;
  writeBytes(images + ".gz", bytes);
  expectBad({images + ".gz", "compressed", "incorrect data check", "damaged"});
}

TEST_F(MnistReaderTest, CompressedThatIsNotGzip) {
  std::filesystem::remove(images);
  writeBytes(images + ".gz", idxImages(20, 5, 3));
  expectBad({images + ".gz", "offset", "incorrect header check"});
  writeBytes(images + ".gz", {});
  expectBad({images + ".gz", "offset 0", "ends inside"});
}

TEST_F(MnistReaderTest, CompressedContentThatIsTooShort) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes.resize(300);
  compress(images, bytes);
  expectBad({images + ".gz", "takes 316 bytes", "ends after 300"});
}

TEST_F(MnistReaderTest, CompressedContentThatIsTooLong) {
  Bytes bytes = idxImages(20, 5, 3);
  bytes.push_back(0);
  compress(images, bytes);
  expectBad({images + ".gz", "takes 316 bytes", "goes on"});
}

/// A lying header must not ask for the memory that it claims.
TEST_F(MnistReaderTest, CompressedHeaderThatClaimsTooMuch) {
  compress(images, idxHeader({~0u, 28, 28}));
  expectBad({images + ".gz", "[4294967295, 28, 28]", "at most"});
}

/// No byte of a compressed file may change without notice.
TEST_F(MnistReaderTest, EveryDamagedByteIsNoticedOrHarmless) {
  compress(labels, idxLabels(20));
  const Bytes bytes = content(labels + ".gz");
  size_t noticed = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Bytes damaged = bytes;
    damaged[i] ^= 0x15;
    writeBytes(labels + ".gz", damaged);
    auto reader = open();
    if (reader.ok())
      expectSamples(**reader, 20);
    else
      expectFailure(reader.status(), Exit::Data, {labels + ".gz"});
    noticed += !reader.ok();
  }
  EXPECT_GT(noticed, bytes.size() / 2);
}
