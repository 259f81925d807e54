//===- Data/DatasetTest.cpp -----------------------------------------------===//

#include "runtime/Data/Dataset.h"

#include "runtime/Testing/IdxFiles.h"
#include "runtime/Testing/NumberReader.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"

using namespace dpl::rt;
using namespace dpl::rt::testing;

static DatasetSpec mnistSpec(const std::string &path) {
  DatasetSpec spec;
  spec.name = "train_set";
  spec.reader = "mnist";
  spec.args = {{"path", path}, {"split", "train"}};
  spec.transforms = {{"to_float", "x", {}}};
  spec.stored = {{"x", DType::U8, {1, 5, 3}, std::nullopt},
                 {"y", DType::I32, {}, 10}};
  spec.fields = {{"x", DType::F32, {1, 5, 3}, std::nullopt},
                 {"y", DType::I32, {}, 10}};
  return spec;
}

TEST(DatasetTest, SamplesAreTransformed) {
  const TemporaryFolder folder;
  writeIdxSet(folder.path(), 20, 5, 3);
  auto opened = Dataset::open(mnistSpec(folder.path()), DataPaths());
  ASSERT_OK(opened);
  const Dataset &dataset = **opened;
  EXPECT_EQ(dataset.name(), "train_set");
  auto scratch = dataset.makeScratch().take();
  for (uint32_t sample = 0; sample < 20; ++sample) {
    float x[15];
    int32_t y = -1;
    std::byte *const out[] = {reinterpret_cast<std::byte *>(x),
                              reinterpret_cast<std::byte *>(&y)};
    ASSERT_OK(dataset.read(sample, out, scratch));
    for (uint32_t i = 0; i < 15; ++i)
      ASSERT_EQ(x[i], static_cast<float>(idxPixel(sample, i)) / 255.0f);
    ASSERT_EQ(y, idxLabel(sample));
  }
}

TEST(DatasetTest, MissingDataNameTheSetThePlaceAndTheFlag) {
  DataPaths paths("/nowhere");
  expectFailure(Dataset::open(mnistSpec("data/x"), paths).status(), Exit::Data,
                {"data set `train_set`", "/nowhere/data/x",
                 "--data train_set=PATH", "does not exist"});
}

TEST(DatasetTest, OtherSizesThanCompiledForAreAnError) {
  const TemporaryFolder folder;
  writeIdxSet(folder.path(), 20, 4, 3);
  expectFailure(Dataset::open(mnistSpec(folder.path()), DataPaths()).status(),
                Exit::Data,
                {"train_set", "(x: u8[1, 4, 3], y: class(10))",
                 "compiled for (x: u8[1, 5, 3], y: class(10))"});
}

TEST(DatasetTest, OtherFieldsThanCompiledForAreAnError) {
  const TemporaryFolder folder;
  writeIdxSet(folder.path(), 20, 5, 3);
  DatasetSpec spec = mnistSpec(folder.path());
  spec.transforms.clear();
  expectFailure(Dataset::open(spec, DataPaths()).status(), Exit::Data,
                {"transforms", "x: u8[1, 5, 3]", "x: f32[1, 5, 3]"});
}

TEST(DatasetTest, UnknownNamesOfferTheKnownOnes) {
  const TemporaryFolder folder;
  writeIdxSet(folder.path(), 20, 5, 3);
  DatasetSpec spec = mnistSpec(folder.path());
  spec.reader = "mnits";
  expectFailure(Dataset::open(spec, DataPaths()).status(), Exit::Usage,
                {"unknown reader `mnits`", "did you mean `mnist`?"});
  spec = mnistSpec(folder.path());
  spec.transforms = {{"to_float", "z", {}}};
  expectFailure(Dataset::open(spec, DataPaths()).status(), Exit::Usage,
                {"`to_float` acts on the field `z`", "x"});
  spec.transforms = {{"to_flaot", "x", {}}};
  expectFailure(Dataset::open(spec, DataPaths()).status(), Exit::Usage,
                {"in `to_flaot` of the field `x`", "did you mean `to_float`?"});
  spec = mnistSpec(folder.path());
  spec.args = {{"split", "train"}};
  expectFailure(Dataset::open(spec, DataPaths()).status(), Exit::Usage,
                {"train_set", "`path` is missing"});
}

TEST(DatasetTest, BadSampleIsNamed) {
  const auto dataset = numbers(10, [](int64_t i) {
    return i == 7 ? Status::error(Exit::Data, "broken") : Status::success();
  });
  auto scratch = dataset->makeScratch().take();
  std::byte x[8], number[8];
  std::byte *const out[] = {x, number};
  ASSERT_OK(dataset->read(6, out, scratch));
  expectFailure(dataset->read(7, out, scratch), Exit::Data,
                {"sample 7 of data set `numbers`", "broken"});
}
