//===- Data/ResizeTest.cpp - Pictures of another size ---------------------===//

#include "runtime/Data/Resize.h"

#include "runtime/Testing/StatusMatchers.h"

#include <fstream>
#include <span>
#include <sstream>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static FieldType picture(int64_t channels, int64_t rows, int64_t columns) {
  return {"x", DType::U8, {channels, rows, columns}, std::nullopt};
}

static std::vector<uint8_t> resized(const FieldType &type, int64_t rows,
                                    int64_t columns,
                                    const std::vector<uint8_t> &in) {
  auto transform =
      makeResize(type, {{"size", Argument::List{rows, columns}}}).take();
  EXPECT_EQ(transform->output(), picture(type.shape[0], rows, columns));
  std::vector<uint8_t> out(transform->output().bytes(), 77);
  EXPECT_TRUE(transform
                  ->apply(std::as_bytes(std::span(in)).data(),
                          std::as_writable_bytes(std::span(out)).data())
                  .ok());
  return out;
}

static std::string hex(const std::vector<uint8_t> &bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

/// The pictures of make_resize_golden.py.
static uint8_t pixel(const std::string &kind, size_t i) {
  if (kind == "mixed")
    return static_cast<uint8_t>((i * i * 31 + i * 7919) >> 3);
  return kind == "stripes" ? static_cast<uint8_t>(255 * (i % 2)) : 255;
}

/// Larger, smaller, one axis alone, one pixel, and the same size.
TEST(ResizeTest, HasTheBitsOfPillow) {
  std::ifstream golden(DPL_GOLDEN "/resize.txt");
  std::string line;
  int cases = 0;
  while (std::getline(golden, line)) {
    std::istringstream words(line);
    int64_t channels, rows, columns, newRows, newColumns;
    std::string kind, expected;
    words >> channels >> rows >> columns >> newRows >> newColumns >> kind >>
        expected;
    ASSERT_TRUE(words) << line;
    const FieldType type = picture(channels, rows, columns);
    std::vector<uint8_t> in(type.bytes());
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = pixel(kind, i);
    EXPECT_EQ(hex(resized(type, newRows, newColumns, in)), expected) << line;
    ++cases;
  }
  EXPECT_GE(cases, 20);
}

TEST(ResizeTest, IsAStageOfAChain) {
  TransformChain chain(picture(1, 1, 2));
  ASSERT_OK(chain.add("resize", {{"size", Argument::List{1, 1}}}));
  ASSERT_OK(chain.add("to_float", {}));
  chain.finish();
  const std::byte in[2] = {std::byte{100}, std::byte{151}};
  float out = -1;
  std::vector<std::byte> scratch(chain.scratchBytes());
  ASSERT_OK(
      chain.apply(in, reinterpret_cast<std::byte *>(&out), scratch.data()));
  EXPECT_EQ(out, 126.0f / 255.0f);
}

TEST(ResizeTest, ErrorsNameBothSidesAndTheWayOut) {
  const auto expectBad = [](const FieldType &type, const Arguments &args,
                            std::initializer_list<std::string> pieces) {
    expectFailure(makeResize(type, args).status(), Exit::Usage, pieces);
  };
  const Arguments good = {{"size", Argument::List{2, 2}}};
  expectBad(
      {"x", DType::F32, {3, 4, 4}, std::nullopt}, good,
      {"u8[channels, rows, columns]", "x: f32[3, 4, 4]", "before `to_float`"});
  expectBad({"x", DType::U8, {4, 4}, std::nullopt}, good, {"x: u8[4, 4]"});
  expectBad(picture(3, 4, 4), {}, {"`size` is missing"});
  expectBad(picture(3, 4, 4), {{"size", 4}}, {"`size` is 4", "list"});
  expectBad(picture(3, 4, 4), {{"size", Argument::List{4, 0.5}}},
            {"`size` is [4, 0.5]", "whole numbers"});
  expectBad(picture(3, 4, 4), {{"size", Argument::List{4, 0}}},
            {"`size` is [4, 0]", "at least 1"});
  expectBad(picture(3, 4, 4), {{"size", Argument::List{4, 4, 4}}},
            {"`size` is [4, 4, 4]", "two numbers"});
  expectBad(picture(3, 4, 4), {{"sise", Argument::List{4, 4}}},
            {"did you mean `size`?"});
}
