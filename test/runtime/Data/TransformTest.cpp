//===- Data/TransformTest.cpp ---------------------------------------------===//

#include "runtime/Data/Transform.h"

#include "runtime/Base/Memory.h"
#include "runtime/Testing/StatusMatchers.h"

#include <cstring>
#include <random>
#include <span>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static FieldType field(DType type, std::vector<int64_t> shape) {
  return {"x", type, std::move(shape), std::nullopt};
}

static std::vector<float> run(const TransformChain &chain,
                              const std::vector<uint8_t> &in) {
  auto scratch = AlignedMemory::allocate(chain.scratchBytes()).take();
  std::vector<float> out(chain.output().bytes() / sizeof(float), -1);
  EXPECT_TRUE(chain
                  .apply(std::as_bytes(std::span(in)).data(),
                         std::as_writable_bytes(std::span(out)).data(),
                         scratch.data())
                  .ok());
  return out;
}

TEST(TransformTest, ToFloatDividesBy255Exactly) {
  TransformChain chain(field(DType::U8, {256}));
  ASSERT_OK(chain.add("to_float", {}));
  chain.finish();
  EXPECT_EQ(chain.output(), field(DType::F32, {256}));
  std::vector<uint8_t> in(256);
  for (size_t i = 0; i < 256; ++i)
    in[i] = static_cast<uint8_t>(i);
  const std::vector<float> out = run(chain, in);
  for (size_t i = 0; i < 256; ++i)
    ASSERT_EQ(out[i], static_cast<float>(static_cast<double>(i) / 255.0));
  EXPECT_EQ(out[255], 1.0f);
}

/// What the chain has to give: one transform after the other, in f32.
static float plain(uint8_t value, double mean, double deviation) {
  const float x = static_cast<float>(value) / 255.0f;
  return (x - static_cast<float>(mean)) / static_cast<float>(deviation);
}

/// Large channels go through tables, small ones do not; nobody may see it.
TEST(TransformTest, FusedChainHasTheBitsOfThePlainOne) {
  std::mt19937 random(5);
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{3, 28, 31}, {3, 2, 2}, {3}, {3, 1100}}) {
    for (const bool perChannel : {false, true}) {
      const Argument::List means = {0.485, 0.456, 0.406};
      const Argument::List deviations = {0.229, 0.224, 0.225};
      TransformChain chain(field(DType::U8, shape));
      ASSERT_OK(chain.add("to_float", {}));
      if (perChannel)
        ASSERT_OK(
            chain.add("normalize", {{"mean", means}, {"std", deviations}}));
      else
        ASSERT_OK(chain.add("normalize", {{"mean", 0.485}, {"std", 0.229}}));
      chain.finish();
      const auto count = static_cast<size_t>(chain.output().elements());
      std::vector<uint8_t> in(count);
      for (uint8_t &value : in)
        value = static_cast<uint8_t>(random());
      const std::vector<float> out = run(chain, in);
      for (size_t i = 0; i < count; ++i) {
        const size_t channel = perChannel ? i / (count / 3) : 0;
        ASSERT_EQ(out[i], plain(in[i], std::get<double>(means[channel].value),
                                std::get<double>(deviations[channel].value)))
            << i;
      }
    }
  }
}

TEST(TransformTest, NormalizeOfFloats) {
  TransformChain chain(field(DType::F32, {2}));
  ASSERT_OK(chain.add("normalize", {{"mean", 1}, {"std", 2}}));
  ASSERT_OK(chain.add("normalize", {{"mean", Argument::List{1, 2}},
                                    {"std", Argument::List{4, 8}}}));
  chain.finish();
  const float in[2] = {9, -3};
  float out[2];
  ASSERT_OK(chain.apply(reinterpret_cast<const std::byte *>(in),
                        reinterpret_cast<std::byte *>(out), nullptr));
  EXPECT_EQ(out[0], 0.75f);
  EXPECT_EQ(out[1], -0.5f);
}

TEST(TransformTest, EmptyChainCopies) {
  TransformChain chain(field(DType::I32, {2}));
  chain.finish();
  const int32_t in[2] = {-7, 1 << 30};
  int32_t out[2];
  ASSERT_OK(chain.apply(reinterpret_cast<const std::byte *>(in),
                        reinterpret_cast<std::byte *>(out), nullptr));
  EXPECT_EQ(std::memcmp(in, out, sizeof(in)), 0);
}

namespace {
/// A transform of the whole sample: the elements in reverse order.
class Reverse final : public Transform {
public:
  explicit Reverse(const FieldType &type) : Transform(type, type) {}
  Status apply(const std::byte *in, std::byte *out) const override {
    const size_t size = dtypeSize(input().dtype);
    const auto count = static_cast<size_t>(input().elements());
    for (size_t i = 0; i < count; ++i)
      std::memcpy(out + i * size, in + (count - 1 - i) * size, size);
    return Status::success();
  }
};
} // namespace

/// Whole transforms cut the chain; values between go through the scratch.
TEST(TransformTest, WholeTransformsBetweenElementwiseOnes) {
  TransformChain chain(field(DType::U8, {5}));
  chain.add(std::make_unique<Reverse>(chain.output()));
  ASSERT_OK(chain.add("to_float", {}));
  ASSERT_OK(chain.add("normalize", {{"mean", 0.5}, {"std", 0.25}}));
  chain.add(std::make_unique<Reverse>(chain.output()));
  ASSERT_OK(chain.add("normalize", {{"mean", 0}, {"std", 0.5}}));
  chain.add(std::make_unique<Reverse>(chain.output()));
  chain.finish();
  const std::vector<uint8_t> in = {1, 50, 100, 200, 255};
  const std::vector<float> out = run(chain, in);
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(out[i], plain(in[4 - i], 0.5, 0.25) / 0.5f);
}

TEST(TransformTest, ErrorsNameTheTypeAndTheWayOut) {
  const auto expectBad = [](const FieldType &type, const char *name,
                            const Arguments &args,
                            std::initializer_list<std::string> pieces) {
    expectFailure(makeTransform(name, type, args).status(), Exit::Usage,
                  pieces);
  };
  const FieldType bytes = field(DType::U8, {3, 2});
  const FieldType floats = field(DType::F32, {3, 2});
  const Arguments good = {{"mean", 0.5}, {"std", 0.5}};
  expectBad(floats, "to_float", {}, {"needs u8", "x: f32[3, 2]"});
  expectBad(bytes, "to_float", {{"scale", 2}}, {"unknown argument `scale`"});
  expectBad(bytes, "normalize", good,
            {"needs f32", "x: u8[3, 2]", "put `to_float` before it"});
  expectBad(floats, "normalize", {{"mean", 0.5}}, {"`std` is missing"});
  expectBad(floats, "normalize", {{"mean", "a"}, {"std", 1}},
            {"`mean` is \"a\"", "a list of numbers"});
  expectBad(floats, "normalize", {{"mean", 0.5}, {"std", 0}},
            {"`std` has 0", "above 0"});
  expectBad(floats, "normalize", {{"mean", 1e300}, {"std", 1}},
            {"`mean` has 1e+300", "finite"});
  expectBad(floats, "normalize", {{"mean", Argument::List{1, 2}}, {"std", 1}},
            {"`mean` has 2 numbers", "x: f32[3, 2]", "3 channels"});
  expectBad(floats, "normalise", good, {"did you mean `normalize`?"});
}

TEST(TransformTest, ClassesAreNoLongerClassesAfterElementwiseTransforms) {
  FieldType type = field(DType::U8, {});
  type.classes = 10;
  EXPECT_EQ(makeTransform("to_float", type, {}).take()->output(),
            field(DType::F32, {}));
}
