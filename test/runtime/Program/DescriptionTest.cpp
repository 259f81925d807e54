//===- DescriptionTest.cpp - Parsing and checking descriptions ------------===//

#include "runtime/Program/Description.h"
#include "runtime/Testing/StatusMatchers.h"
#include "test/runtime/Train/FakeProgram.h"

using namespace dpl::rt;
using namespace dpl::rt::testing;
using nlohmann::json;

namespace {

constexpr uint32_t kernels = 11;

Result<Description> parse(const json &description) {
  return parseDescription(description.dump(), kernels);
}

/// A description with one change is refused; the error has `pieces`.
void expectRefused(const std::string &pointer, const json &value,
                   std::initializer_list<std::string> pieces) {
  json description = fakeDescription();
  description[json::json_pointer(pointer)] = value;
  Result<Description> result = parse(description);
  ASSERT_FALSE(result.ok()) << pointer;
  expectFailure(result.status(), Exit::Runtime, pieces);
}

TEST(DescriptionTest, FieldsArriveInTheirPlaces) {
  Result<Description> parsed = parse(fakeDescription());
  ASSERT_OK(parsed);
  EXPECT_EQ(parsed->source, "fake.dpl");
  EXPECT_EQ(parsed->parameters[0].shape, (Shape{10, 16}));
  EXPECT_EQ(parsed->parameters[0].init.fanIn, 16);
  EXPECT_EQ(parsed->findIterator("train_iter")->batch, fakeBatch);
  const desc::ProgramSpec *fused = parsed->findProgram("train.fused");
  ASSERT_NE(fused, nullptr);
  EXPECT_EQ(fused->inputFields, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(fused->phases[1].tasks[0].domain, desc::Domain::Blocks);
  EXPECT_EQ(fused->phases[1].tasks[0].count, 10);
  EXPECT_EQ(parsed->train.every[0].actions[0].name, "evaluate");
  EXPECT_EQ(
      std::get<desc::Duration>(parsed->options[2].defaultValue.held).count, 2);
  EXPECT_FALSE(parsed->train.devices);
}

TEST(DescriptionTest, TextThatIsNoJsonIsRefused) {
  expectFailure(parseDescription("{", kernels).takeStatus(), Exit::Runtime,
                {"no JSON"});
}

TEST(DescriptionTest, EveryFieldIsNeededUnlessItHasADefault) {
  for (const char *key :
       {"format", "source", "hash", "options", "datasets", "iterators",
        "parameters", "states", "settings", "models", "programs", "train",
        "target", "compiler"}) {
    json description = fakeDescription();
    description.erase(key);
    Result<Description> result = parse(description);
    ASSERT_FALSE(result.ok()) << key;
    expectFailure(result.status(), Exit::Runtime,
                  {"'" + std::string(key) + "' is missing"});
  }
}

TEST(DescriptionTest, ErrorsNameTheirPlace) {
  expectRefused("/format", 2, {"format 2"});
  expectRefused("/colour", "red", {"unknown field 'colour'"});
  expectRefused("/parameters/1/shape/0", -3, {"parameters[1].shape", "-3"});
  expectRefused("/parameters/0/role", "wait", {"parameters[0].role", "'wait'"});
  expectRefused("/parameters/0/init/fan_in", 0, {"fan_in", "0"});
  expectRefused("/parameters/1/name", "fc.weight", {"occurs twice"});
  expectRefused("/parameters/0/dtype", "f64", {"dtype", "f64"});
  expectRefused("/iterators/0/kind", "seriel",
                {"iterators[0].kind", "seriel", "serial, threads"});
  expectRefused("/iterators/0/batch", 0, {"iterators[0].batch"});
  expectRefused("/iterators/0/batch", "64", {"an integer", "\"64\""});
  expectRefused("/iterators/0/dataset", "nowhere", {"'nowhere'"});
  expectRefused("/options/0/default", "fast", {"options[0].default", "float"});
  expectRefused("/settings/kernel", 11, {"kernel 11", "11"});
  expectRefused("/settings/kernel", nullptr, {"settings.kernel"});
}

TEST(DescriptionTest, ProgramsStayInsideTheirRegions) {
  std::string task = "/programs/0/phases/0/tasks/1";
  expectRefused("/programs/0/tile", 0, {"programs[0].tile"});
  expectRefused("/programs/0/capacity", 11, {"11", "train_iter", "12"});
  expectRefused("/programs/0/inputs/0", "z", {"no field 'z'"});
  expectRefused(task + "/kernel", 40,
                {"programs[0].phases[0].tasks[1].kernel", "40"});
  expectRefused(task + "/buffers/3/offset", 768, {"byte 768", "sums", "768"});
  expectRefused(task + "/buffers/1/tile", 100000, {"space input"});
  expectRefused(task + "/buffers/0/block", 4, {"only a task of domain blocks"});
  expectRefused("/programs/0/phases/1/tasks/0/buffers/1/index", 2,
                {"2 is not below 2"});
  expectRefused("/programs/0/phases/1/tasks/0/count", 11, {"space parameter"});
  expectRefused("/programs/0/phases/0/reduce", true, {"fused"});
}

TEST(DescriptionTest, TrainingNamesWhatExists) {
  expectRefused("/train/data", "test_iter", {"is made for iterator"});
  expectRefused("/train/step/fused", "train.bucketed", {"train.step.fused"});
  expectRefused("/train/step/bucketed", "none", {"'none'"});
  expectRefused("/train/evaluate/0/iterator", "train_iter", {"is made for"});
  expectRefused("/train/stop/count", 0, {"positive number of epochs"});
  expectRefused("/train/every/0/count", json({{"option", "speed"}}),
                {"'speed'"});
  expectRefused("/train/every/0/actions/0/args/name", json({{"option", "x"}}),
                {"no option 'x'"});
}

TEST(DescriptionTest, AnotherAbiIsRefused) {
  std::string text = fakeDescription().dump();
  dpl_program program = fakeProgram(text);
  EXPECT_TRUE(readProgram(program).ok());
  program.abi_version = 99;
  expectFailure(readProgram(program).takeStatus(), Exit::Runtime,
                {"99", "one dplc"});
}

} // namespace
