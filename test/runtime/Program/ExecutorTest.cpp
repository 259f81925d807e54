//===- ExecutorTest.cpp - Phases, tiles, chunks, sums ---------------------===//

#include "runtime/Program/Executor.h"
#include "runtime/Testing/StatusMatchers.h"
#include "test/runtime/Train/FakeProgram.h"

#include <mutex>
#include <set>

using namespace dpl::rt;
using namespace dpl::rt::testing;
using nlohmann::json;

namespace {

//===--- Kernels that write down what they are called with ----------------===//

struct Call {
  int task;
  int64_t valid, samples, tiles, chunks, block;
  const char *first; ///< its first buffer
};
std::mutex callsMutex;
std::vector<Call> calls;

template <int task> void record(void *const *b, const int64_t *sizes) {
  std::lock_guard<std::mutex> lock(callsMutex);
  calls.push_back({task, sizes[DPL_SIZE_VALID], sizes[DPL_SIZE_SAMPLES],
                   sizes[DPL_SIZE_TILES], sizes[DPL_SIZE_CHUNKS],
                   sizes[DPL_SIZE_BLOCK], static_cast<const char *>(b[0])});
}
/// (sums): counts the true samples.
void countSamples(void *const *b, const int64_t *sizes) {
  static_cast<float *>(b[0])[0] += static_cast<float>(sizes[DPL_SIZE_VALID]);
}
/// (sums, report, batch): adds the copies, which are 64 bytes apart.
void addCopies(void *const *b, const int64_t *sizes) {
  float sum = 0;
  for (int64_t copy = 0; copy < sizes[DPL_SIZE_CHUNKS]; ++copy)
    sum += static_cast<float *>(b[0])[copy * 16];
  static_cast<float *>(b[1])[0] = sum;
  static_cast<float *>(b[1])[1] = static_cast<float *>(b[2])[0];
}
const dpl_kernel recording[] = {record<0>, record<1>, record<2>, countSamples,
                                addCopies};

json buffer(const char *space, int64_t tile = 0, int64_t block = 0) {
  return {{"space", space}, {"tile", tile}, {"block", block}};
}

/// The fake description with one eval program of these phases, tile 4,
/// capacity 20.
json withPhases(json phases) {
  json description = fakeDescription();
  json &program = description["programs"][2];
  program["capacity"] = 20;
  program["arena"] = 64;
  program["uniform"] = 64;
  program["sums"] = 4;
  program["buckets"] = json::array();
  program["reports"] = json::array({{{"name", "n"}, {"sum", 0}, {"count", 1}}});
  program["phases"] = std::move(phases);
  return description;
}

class ExecutorTest : public ::testing::Test {
protected:
  void open(const json &json, const std::string &device,
            bool deterministic = false) {
    text = json.dump();
    // The other programs of the description have kernels of their own.
    auto parsed = parseDescription(text, 11);
    ASSERT_OK(parsed);
    description = parsed.take();
    program = {DPL_ABI_VERSION, std::size(recording), recording, text.data(),
               text.size()};
    auto opened = openDevice(device);
    ASSERT_OK(opened);
    this->device = opened.take();
    std::string names[] = {"eval"};
    auto created = Executor::create(program, description, names, *this->device,
                                    {deterministic});
    ASSERT_OK(created);
    executor = created.take();
    calls.clear();
  }

  std::span<const ReportValue> step(int64_t samples) {
    alignas(64) static std::byte x[20 * 64], y[20 * 4];
    std::byte *fields[] = {x, y};
    return executor->run(0, {fields, samples, samples});
  }

  std::string text;
  Description description;
  dpl_program program = {};
  std::unique_ptr<Device> device;
  std::unique_ptr<Executor> executor;
};

json phase(json tasks) { return {{"name", "p"}, {"tasks", std::move(tasks)}}; }
json task(int kernel, const char *domain, json buffers) {
  return {
      {"kernel", kernel}, {"domain", domain}, {"buffers", std::move(buffers)}};
}

TEST(ChunkTest, EveryTileIsInOneChunk) {
  for (int64_t tiles = 1; tiles < 20; ++tiles)
    for (int64_t chunks = 1; chunks <= tiles; ++chunks)
      for (int64_t t = 0; t < tiles; ++t) {
        int64_t c = t * chunks / tiles;
        EXPECT_LE(firstTileOfChunk(c, chunks, tiles), t);
        EXPECT_LT(t, firstTileOfChunk(c + 1, chunks, tiles));
      }
  EXPECT_EQ(chunkCount(8, 2, false), 2);
  EXPECT_EQ(chunkCount(1, 2, false), 1);
  EXPECT_EQ(chunkCount(8, 2, true), 8);
}

TEST_F(ExecutorTest, TasksOfATileRunTogetherAndTilesInOrder) {
  open(withPhases(json::array(
           {phase({task(0, "tiles", json::array({buffer("input", 64)})),
                   task(1, "tiles", json::array({buffer("arena")}))})})),
       "cpu:1");
  step(18);
  ASSERT_EQ(calls.size(), 10u);
  for (size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].task, static_cast<int>(i % 2));
    EXPECT_EQ(calls[i].valid, i / 2 == 4 ? 2 : 4);
    EXPECT_EQ(calls[i].samples, 18);
    EXPECT_EQ(calls[i].tiles, 5);
  }
  EXPECT_EQ(calls[8].first - calls[0].first, 4 * 64);
}

TEST_F(ExecutorTest, BlocksAndOnceRunAsOftenAsTheySay) {
  json blocks = task(1, "blocks", json::array({buffer("parameter", 0, 64)}));
  blocks["count"] = 10;
  for (const char *name : {"cpu:1", "cpu:2", "cpu:3"}) {
    open(withPhases(json::array(
             {phase({blocks, task(2, "once", json::array({buffer("report")})),
                     task(0, "once", json::array({buffer("report")}))})})),
         name);
    step(3);
    std::multiset<std::pair<int, int64_t>> seen, expected = {{2, 0}, {0, 0}};
    for (const Call &call : calls)
      seen.insert({call.task, call.block});
    for (int64_t block = 0; block < 10; ++block)
      expected.insert({1, block});
    EXPECT_EQ(seen, expected) << name;
  }
}

TEST_F(ExecutorTest, PhasesAreInOrder) {
  open(withPhases(json::array(
           {phase(json::array(
                {task(0, "tiles", json::array({buffer("arena")}))})),
            phase(json::array(
                {task(1, "once", json::array({buffer("report")}))})),
            phase(json::array(
                {task(2, "tiles", json::array({buffer("arena")}))}))})),
       "cpu:3");
  step(20);
  ASSERT_EQ(calls.size(), 11u);
  EXPECT_EQ(calls[5].task, 1);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(calls[i].task, 0);
    EXPECT_EQ(calls[6 + i].task, 2);
  }
}

TEST_F(ExecutorTest, SumsAreZeroedForEachStepAndAddedOverChunks) {
  json phases = json::array(
      {phase(json::array({task(3, "tiles", json::array({buffer("sums")}))})),
       phase(json::array({task(
           4, "once", {buffer("sums"), buffer("report"), buffer("batch")})}))});
  for (const char *name : {"cpu:1", "cpu:2", "cpu:4"})
    for (bool deterministic : {false, true}) {
      open(withPhases(phases), name, deterministic);
      for (int64_t samples : {20, 1, 7, 18}) {
        std::span<const ReportValue> reports = step(samples);
        ASSERT_EQ(reports.size(), 1u);
        EXPECT_EQ(reports[0].sum, samples) << name;
        EXPECT_EQ(reports[0].count, samples) << name;
      }
    }
}

TEST_F(ExecutorTest, SumsThatTheFirstPhaseReadsAreZeroBeforeIt) {
  json phases = json::array(
      {phase({task(4, "once",
                   {buffer("sums"), buffer("report"), buffer("batch")})}),
       phase(json::array({task(3, "tiles", json::array({buffer("sums")}))}))});
  open(withPhases(phases), "cpu:2");
  step(20);
  EXPECT_EQ(step(20)[0].sum, 0);
}

TEST_F(ExecutorTest, BuffersAreAligned) {
  open(withPhases(json::array(
           {phase({task(0, "once", json::array({buffer("uniform")})),
                   task(1, "tiles", json::array({buffer("arena")})),
                   task(2, "tiles", json::array({buffer("sums")}))})})),
       "cpu:2");
  step(20);
  for (const Call &call : calls)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(call.first) % DPL_ALIGNMENT, 0u);
}

} // namespace
