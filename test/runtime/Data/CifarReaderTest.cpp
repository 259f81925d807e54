//===- Data/CifarReaderTest.cpp - Binary batches, good and bad ------------===//

#include "runtime/Testing/IdxFiles.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"

#include "runtime/Data/CifarReader.h"

#include <array>
#include <filesystem>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static constexpr size_t pictureBytes = 3 * 32 * 32;

/// Records of samples `first` to `first + count` of a set.
static Bytes records(uint32_t first, uint32_t count, bool coarse = false) {
  Bytes bytes;
  for (uint32_t sample = first; sample < first + count; ++sample) {
    if (coarse)
      bytes.push_back(idxLabel(sample + 1));
    bytes.push_back(idxLabel(sample));
    for (uint32_t i = 0; i < pictureBytes; ++i)
      bytes.push_back(idxPixel(sample, i));
  }
  return bytes;
}

static void expectSample(const Reader &reader, uint32_t sample, bool coarse) {
  std::array<std::byte, pictureBytes> x;
  int32_t y = -1, group = -1;
  const std::byte *values[] = {x.data(), reinterpret_cast<std::byte *>(&y),
                               reinterpret_cast<std::byte *>(&group)};
  ASSERT_OK(reader.read(sample, std::span(values).first(coarse ? 3 : 2)));
  for (uint32_t i = 0; i < pictureBytes; ++i)
    ASSERT_EQ(values[0][i], std::byte{idxPixel(sample, i)}) << sample;
  EXPECT_EQ(y, idxLabel(sample));
  EXPECT_EQ(group, coarse ? idxLabel(sample + 1) : -1);
}

namespace {
class Cifar10Test : public ::testing::Test {
protected:
  const TemporaryFolder folder;

  /// Files of different lengths, so that a wrong file or offset shows.
  void SetUp() override {
    uint32_t first = 0;
    for (uint32_t i = 1; i <= 5; first += i++)
      writeBytes(batch(i), records(first, i));
  }
  std::string batch(uint32_t i) const {
    return folder.file("data_batch_" + std::to_string(i) + ".bin");
  }
  Result<std::unique_ptr<Reader>> open(const char *split = "train") const {
    return openCifar10(folder.path(), {{"split", split}});
  }
  void expectBad(std::initializer_list<std::string> pieces) const {
    expectFailure(open().status(), Exit::Data, pieces);
  }
};
} // namespace

TEST_F(Cifar10Test, SamplesOfAllFilesInOrder) {
  auto reader = open();
  ASSERT_OK(reader);
  ASSERT_EQ((*reader)->length(), 15);
  EXPECT_EQ(recordText((*reader)->record()),
            "(x: u8[3, 32, 32], y: class(10))");
  for (uint32_t sample = 0; sample < 15; ++sample)
    expectSample(**reader, sample, false);
}

TEST_F(Cifar10Test, TheOtherSplitHasItsOwnFile) {
  expectFailure(open("test").status(), Exit::Data,
                {folder.file("test_batch.bin"), "does not exist", "fetch"});
  writeBytes(folder.file("test_batch.bin"), records(40, 2));
  auto reader = open("test");
  ASSERT_OK(reader);
  EXPECT_EQ((*reader)->length(), 2);
}

TEST_F(Cifar10Test, ArgumentsAreChecked) {
  expectFailure(open("dev").status(), Exit::Usage,
                {"`split` is \"dev\"", "`train`, `test`"});
  expectFailure(
      openCifar10(folder.path(), {{"split", "train"}, {"splt", 1}}).status(),
      Exit::Usage, {"did you mean `split`?"});
}

TEST_F(Cifar10Test, MissingFolder) {
  expectFailure(openCifar10(folder.file("no"), {{"split", "train"}}).status(),
                Exit::Data, {folder.file("no"), "does not exist"});
}

TEST_F(Cifar10Test, MissingFile) {
  std::filesystem::remove(batch(4));
  expectBad({batch(4), "does not exist", "fetch the binary version"});
}

TEST_F(Cifar10Test, FolderAboveTheFiles) {
  const std::string inside = folder.file("cifar-10-batches-bin");
  std::filesystem::create_directory(inside);
  for (uint32_t i = 1; i <= 5; ++i)
    std::filesystem::rename(batch(i), inside + "/data_batch_" +
                                          std::to_string(i) + ".bin");
  expectBad({batch(1), "it is in `" + inside + "`, give that folder"});
}

TEST_F(Cifar10Test, VersionForPython) {
  for (uint32_t i = 1; i <= 5; ++i)
    std::filesystem::rename(batch(i),
                            folder.file("data_batch_" + std::to_string(i)));
  expectBad({batch(1), "`data_batch_1` is there", "for Python"});
}

TEST_F(Cifar10Test, EmptyFile) {
  writeBytes(batch(2), {});
  expectBad({batch(2), "empty", "fetch"});
}

TEST_F(Cifar10Test, FileThatIsAFolder) {
  std::filesystem::remove(batch(3));
  std::filesystem::create_directory(batch(3));
  expectBad({batch(3), "not a file"});
}

TEST_F(Cifar10Test, Truncated) {
  Bytes bytes = records(3, 3);
  bytes.resize(2 * 3073 + 100);
  writeBytes(batch(3), bytes);
  expectBad({batch(3), "offset 6146", "sample 5 has 100 bytes of 3073"});
}

/// Records of CIFAR-100 under a name of CIFAR-10.
TEST_F(Cifar10Test, AnotherFormat) {
  writeBytes(batch(1), records(0, 2, true));
  expectBad({batch(1), "2 bytes of 3073", "another format"});
}

TEST_F(Cifar10Test, LabelOutOfRange) {
  Bytes bytes = records(6, 4);
  bytes[2 * 3073] = 10;
  writeBytes(batch(4), bytes);
  expectBad({batch(4), "offset 6146", "sample 8 is 10", "0 to 9"});
}

namespace {
class Cifar100Test : public ::testing::Test {
protected:
  const TemporaryFolder folder;
  const std::string train = folder.file("train.bin");
  Result<std::unique_ptr<Reader>> open() const {
    return openCifar100(folder.path(), {{"split", "train"}});
  }
};
} // namespace

TEST_F(Cifar100Test, HasLabelsAndTheirGroups) {
  writeBytes(train, records(0, 7, true));
  auto reader = open();
  ASSERT_OK(reader);
  ASSERT_EQ((*reader)->length(), 7);
  EXPECT_EQ(recordText((*reader)->record()),
            "(x: u8[3, 32, 32], y: class(100), coarse: class(20))");
  for (uint32_t sample = 0; sample < 7; ++sample)
    expectSample(**reader, sample, true);
}

TEST_F(Cifar100Test, EachLabelHasItsRange) {
  Bytes bytes = records(0, 7, true);
  bytes[3 * 3074] = 20;
  writeBytes(train, bytes);
  expectFailure(open().status(), Exit::Data,
                {train, "offset 9222", "sample 3 is 20", "0 to 19"});
  bytes[3 * 3074] = 19;
  bytes[5 * 3074 + 1] = 100;
  writeBytes(train, bytes);
  expectFailure(open().status(), Exit::Data,
                {train, "offset 15371", "sample 5 is 100", "0 to 99"});
}
