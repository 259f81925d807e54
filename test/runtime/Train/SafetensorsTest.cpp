//===- SafetensorsTest.cpp - Weights files --------------------------------===//

#include "runtime/Train/Safetensors.h"
#include "runtime/Base/Files.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"

#include <cstring>

using namespace dpl::rt;
using namespace dpl::rt::testing;

namespace {

/// A file with this header and `data` zero bytes.
std::string fileWith(const std::string &header, size_t data) {
  std::string text(8, '\0');
  uint64_t length = header.size();
  std::memcpy(text.data(), &length, 8);
  return text + header + std::string(data, '\0');
}

class SafetensorsTest : public ::testing::Test {
protected:
  Result<SafetensorsFile> open(std::string_view content) {
    std::string path = folder.file("w.safetensors");
    EXPECT_TRUE(writeFileAtomically(path, content, Exit::Runtime).ok());
    return SafetensorsFile::open(path, Exit::Data);
  }
  void expectBroken(std::string_view content, const std::string &piece) {
    Result<SafetensorsFile> result = open(content);
    ASSERT_FALSE(result.ok()) << piece;
    expectFailure(result.status(), Exit::Data, {"w.safetensors", piece});
  }

  TemporaryFolder folder;
};

TEST_F(SafetensorsTest, TensorsComeBackWithTheirBits) {
  std::vector<float> a = {1.5f, -0.0f, 3e-42f}, b = {7, 8, 9, 10, 11, 12};
  std::vector<std::byte> bytes =
      writeSafetensors({{"z.weight", {2, 3}, b},
                        {"a.bias", {3}, a},
                        {"scalar", {}, {a.data(), 1}}});
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(header % 8, 0u);
  auto file =
      open({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  ASSERT_OK(file);
  ASSERT_EQ(file->tensors().size(), 3u);
  const TensorView *tensor = file->find("z.weight");
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(tensor->shape, (Shape{2, 3}));
  EXPECT_EQ(std::memcmp(tensor->data.data(), b.data(), 24), 0);
  EXPECT_EQ(std::memcmp(file->find("a.bias")->data.data(), a.data(), 12), 0);
  EXPECT_EQ(file->find("other"), nullptr);
}

/// Padding of the header is a habit of writers, not a rule of the format.
TEST_F(SafetensorsTest, DataMayStartAnywhere) {
  const float values[] = {1.5f, -2.25f};
  for (size_t spaces = 0; spaces < 8; ++spaces) {
    std::string header =
        R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})" +
        std::string(spaces, ' ');
    std::string content = fileWith(header, 8);
    std::memcpy(content.data() + 8 + header.size(), values, 8);
    auto file = open(content);
    ASSERT_OK(file);
    const TensorView *tensor = file->find("w");
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data.data()) % alignof(float),
              0u);
    EXPECT_EQ(std::memcmp(tensor->data.data(), values, 8), 0) << spaces;
  }
}

TEST_F(SafetensorsTest, AFileMayHaveNoTensorAndItsHeaderAnyLength) {
  for (size_t spaces = 0; spaces < 8; ++spaces) {
    auto file = open(fileWith("{}" + std::string(spaces, ' '), 0));
    ASSERT_OK(file);
    EXPECT_TRUE(file->tensors().empty()) << spaces;
  }
}

// What PyTorch's batch normalisation counts with is no weight.
TEST_F(SafetensorsTest, CountersOfBatchesAreLeftOut) {
  std::string header =
      R"({"bn.bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
      R"("bn.num_batches_tracked":{"dtype":"I64","shape":[],"data_offsets":[4,12]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string content(8, '\0');
  content[0] = static_cast<char>(header.size());
  auto file = open(content + header + std::string(12, '\0'));
  ASSERT_OK(file);
  ASSERT_EQ(file->tensors().size(), 1u);
  EXPECT_EQ(file->tensors()[0].name, "bn.bias");
}

TEST_F(SafetensorsTest, TheOrderOfTensorsDoesNotMatter) {
  std::vector<float> a = {1}, b = {2};
  EXPECT_EQ(writeSafetensors({{"a", {1}, a}, {"b", {1}, b}}),
            writeSafetensors({{"b", {1}, b}, {"a", {1}, a}}));
}

TEST_F(SafetensorsTest, MalformedFilesAreNamed) {
  expectBroken("abc", "has 3 bytes");
  expectBroken(fileWith("{}  ", 0).substr(0, 10), "header should have 4 bytes");
  expectBroken(fileWith("[1] ", 0), "no JSON object");
  expectBroken(fileWith("{\"a\":1} ", 0), "has no dtype");
  auto entry = [](const char *dtype, const char *shape, const char *offsets) {
    std::string text = std::string("{\"a\":{\"dtype\":\"") + dtype +
                       "\",\"shape\":" + shape +
                       ",\"data_offsets\":" + offsets + "}}";
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return fileWith(text, 16);
  };
  EXPECT_TRUE(open(entry("F32", "[2,2]", "[0,16]")).ok());
  expectBroken(entry("BF16", "[2,2]", "[0,8]"), "\"BF16\"");
  expectBroken(entry("F32", "[2,2]", "[0,20]"), "bytes 0 to 20 of 16");
  expectBroken(entry("F32", "[2,2]", "[8,4]"), "bytes 8 to 4");
  expectBroken(entry("F32", "[2,3]", "[0,16]"),
               "has shape [2, 3] but 16 bytes");
  expectBroken(entry("F32", "[-1]", "[0,16]"), "size -1");
  expectBroken(entry("F32", "[1]", "[2,6]"), "no multiple of 4");
  expectBroken(entry("F32", "[4294967296,4294967296]", "[0,16]"),
               "more elements");
}

TEST_F(SafetensorsTest, OverlappingTensorsAreNamed) {
  std::string header =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  expectBroken(fileWith(header, 12), "tensor `b` overlaps");
}

} // namespace
