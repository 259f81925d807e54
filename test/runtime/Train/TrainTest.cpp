//===- TrainTest.cpp - Whole runs: learning, reports, determinism ---------===//

#include "FakeProgram.h"
#include "TrainerProcess.h"

#include "runtime/Train/Safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dpl::rt::testing;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

class TrainTest : public ::testing::Test {
protected:
  void SetUp() override { writeFakeData(folder.file("data")); }

  TrainerResult run(Words words, Environment environment = {}) {
    return runTrainer(folder.path(), words, environment);
  }
  json log(const std::string &out = "result") {
    return logWithoutTime(folder.file(out + "/log"));
  }
  std::string bytes(const std::string &out, int iteration) {
    return snapshotBytes(folder.file(out), iteration);
  }

  TemporaryFolder folder;
};

TEST_F(TrainTest, LossFallsAndTheFolderHoldsWhatTheFileAsksFor) {
  TrainerResult result = run({"--lr", "0.3", "--epochs", "8"});
  ASSERT_EQ(result.code, 0) << result.err;
  json rows = log();
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_LT(rows[7]["main/loss"], rows[0]["main/loss"].get<double>() * 0.75);
  for (const char *key : {"epoch", "iteration", "main/loss", "main/accuracy",
                          "val/main/loss", "val/main/accuracy", "lr"})
    EXPECT_TRUE(rows[3].contains(key)) << key;
  EXPECT_EQ(rows[3]["epoch"], 4);
  EXPECT_EQ(rows[3]["iteration"], 4 * fakeBatchesPerEpoch);
  EXPECT_EQ(rows[3]["lr"], 0.3);
  EXPECT_THAT(readText(folder.file("result/log")), HasSubstr("elapsed_time"));
}

TEST_F(TrainTest, PrintIsATableWithOneHeader) {
  TrainerResult result = run({"--epochs", "2"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              ::testing::StartsWith(
                  "epoch       iteration   main/loss   val/main/accuracy  lr"
                  "          elapsed_time\n1           5  "));
  EXPECT_THAT(result.out, HasSubstr("\n2           10 "));
  EXPECT_THAT(result.out, HasSubstr("* main/loss   o val/main/loss"));
}

TEST_F(TrainTest, MeansAreSumsOverCountsOfSamplesNotOfBatches) {
  // One block of every kind of trigger sees each iteration alone.
  json patch = {{"train",
                 {{"every",
                   {{{"count", 1},
                     {"unit", "iteration"},
                     {"actions", json::array({json{{"name", "log"}}})}}}}}}};
  ASSERT_EQ(
      run({"--epochs", "1", "--out", "single"}, {{"FAKE_PATCH", patch.dump()}})
          .code,
      0);
  ASSERT_EQ(run({"--epochs", "1", "--out", "epoch"}).code, 0);
  json single = log("single"), epoch = log("epoch");
  ASSERT_EQ(single.size(), static_cast<size_t>(fakeBatchesPerEpoch));
  double loss = 0, samples = 0;
  for (size_t i = 0; i < single.size(); ++i) {
    // The last batch of the epoch is short.
    double count =
        i + 1 < single.size() ? fakeBatch : fakeTrainSamples % fakeBatch;
    loss += single[i]["main/loss"].get<double>() * count;
    samples += count;
  }
  EXPECT_EQ(samples, fakeTrainSamples);
  EXPECT_NEAR(epoch[0]["main/loss"], loss / samples, 1e-6);
}

TEST_F(TrainTest, EvaluationTakesEachSampleOnceWhateverItsBatch) {
  ASSERT_EQ(run({"--epochs", "1"}).code, 0);
  TrainerResult evaluated = run({"eval"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.out,
              HasSubstr("(" + std::to_string(fakeTestSamples) + " samples)"));
  char accuracy[64];
  std::snprintf(accuracy, sizeof(accuracy), "main/accuracy %.6g",
                log()[0]["val/main/accuracy"].get<double>());
  EXPECT_THAT(evaluated.out, HasSubstr(accuracy));
}

TEST_F(TrainTest, DeterministicRunsHaveTheSameBytesForAnyThreadsAndUpdate) {
  ASSERT_EQ(run({"--deterministic", "--threads", "1", "--epochs", "2", "--out",
                 "one"})
                .code,
            0);
  std::string expected = bytes("one", 10);
  ASSERT_FALSE(expected.empty());
  for (const char *threads : {"1", "2", "3", "4"})
    for (const char *update : {"fused", "bucketed"}) {
      std::string out = std::string(threads) + update;
      ASSERT_EQ(run({"--deterministic", "--threads", threads, "--update",
                     update, "--epochs", "2", "--out", out})
                    .code,
                0);
      EXPECT_EQ(bytes(out, 10), expected) << out;
      EXPECT_EQ(log(out), log("one")) << out;
    }
}

TEST_F(TrainTest, SplitsOfTheDefaultModeAgreeUpToRounding) {
  ASSERT_EQ(run({"--threads", "1", "--epochs", "2", "--out", "one"}).code, 0);
  ASSERT_EQ(run({"--threads", "3", "--epochs", "2", "--out", "three"}).code, 0);
  EXPECT_NEAR(log("one")[1]["main/loss"], log("three")[1]["main/loss"], 1e-5);
}

TEST_F(TrainTest, SeedsGiveOtherRuns) {
  ASSERT_EQ(run({"--epochs", "1", "--out", "a"}).code, 0);
  ASSERT_EQ(run({"--epochs", "1", "--out", "b"}).code, 0);
  ASSERT_EQ(run({"--epochs", "1", "--seed", "1", "--out", "c"}).code, 0);
  EXPECT_EQ(bytes("a", 5), bytes("b", 5));
  EXPECT_NE(bytes("a", 5), bytes("c", 5));
}

TEST_F(TrainTest, ASmallerBatchRunsInTheSameProgram) {
  ASSERT_EQ(run({"--epochs", "1", "--batch", "5"}).code, 0);
  EXPECT_EQ(log()[0]["iteration"], 10);
}

TEST_F(TrainTest, KindsOfIteratorsGiveTheSameRun) {
  ASSERT_EQ(run({"--epochs", "2", "--out", "serial"}).code, 0);
  for (const char *kind : {"threads", "multiprocess"}) {
    json iterators = fakeDescription()["iterators"];
    iterators[0]["kind"] = kind;
    json patch = {{"iterators", iterators}};
    TrainerResult result =
        run({"--epochs", "2", "--out", kind}, {{"FAKE_PATCH", patch.dump()}});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(bytes(kind, 10), bytes("serial", 10));
    EXPECT_EQ(log(kind), log("serial"));
  }
}

TEST_F(TrainTest, ANonFiniteLossStopsAtItsIteration) {
  TrainerResult result = run({"--lr", "3e38"});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("main/loss is"));
  EXPECT_THAT(result.err, HasSubstr("at iteration"));
  // What was written before the bad step is still good.
  for (auto &entry : std::filesystem::directory_iterator(folder.file("result")))
    EXPECT_THAT(entry.path().filename().string(),
                ::testing::Not(::testing::StartsWith(".unfinished")));
}

/// The step that makes weights bad is undone, at any distance from the copy of
/// the weights that the way back starts from.
TEST_F(TrainTest, TheWeightsBeforeABadStepAreKept) {
  for (const char *kind : {"serial", "threads", "multiprocess"}) {
    json iterators = fakeDescription()["iterators"];
    iterators[0]["kind"] = kind;
    json patch = {{"iterators", iterators},
                  {"train", {{"every", json::array()}}}};
    for (int last : {1, 63, 64, 65, 130}) {
      std::string number = std::to_string(last), out = kind + number;
      Words words = {"--out", out, "--epochs", "100"};
      TrainerResult result = run(words, {{"FAKE_PATCH", patch.dump()},
                                         {"FAKE_RATE_JUMPS_AT", number}});
      EXPECT_EQ(result.code, 4) << out;
      EXPECT_THAT(result.err, HasSubstr("is not finite at iteration " +
                                        std::to_string(last + 1)));
      EXPECT_THAT(result.err, HasSubstr("the last good snapshot is `" + out +
                                        "/snapshot_iter_" + number + "`"));
      ASSERT_EQ(run({"--out", out + "good", "--max-iterations", number,
                     "--epochs", "100"},
                    {{"FAKE_PATCH", patch.dump()}})
                    .code,
                0);
      EXPECT_EQ(bytes(out, last), bytes(out + "good", last)) << out;
      // The run goes on from there as if the rate had never jumped.
      Words resume = {"--resume", "--epochs", "100", "--max-iterations", "140"};
      Words on = resume, good = resume;
      on.insert(on.end(), {"--out", out});
      good.insert(good.end(), {"--out", out + "good"});
      ASSERT_EQ(run(on, {{"FAKE_PATCH", patch.dump()}}).code, 0);
      ASSERT_EQ(run(good, {{"FAKE_PATCH", patch.dump()}}).code, 0);
      EXPECT_EQ(bytes(out, 140), bytes(out + "good", 140)) << out;
    }
  }
}

/// Weights with which the score of the first class is minus infinity: only for
/// pictures of that class the loss is not finite.
TEST_F(TrainTest, TheSamplesOfABadStepAreNamed) {
  std::vector<float> weight(fakeClasses * fakeInputs), bias(fakeClasses);
  std::fill_n(weight.begin(), fakeInputs, -3e38f);
  std::vector<std::byte> bytes = dpl::rt::writeSafetensors(
      {{"fc.weight", {fakeClasses, fakeInputs}, weight},
       {"fc.bias", {fakeClasses}, bias}});
  std::ofstream(folder.file("w"), std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  TrainerResult result = run({"--weights", "w", "--lr", "0"});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("comes from layer `fc` (linear) or from "
                                    "behind it;"));
  size_t at = result.err.find("it happens with sample");
  ASSERT_NE(at, std::string::npos) << result.err;
  at = result.err.find_first_of("0123456789", at);
  std::string labels = readText(folder.file("data/train-labels-idx1-ubyte"));
  std::istringstream list(result.err.substr(at));
  int sample = -1, named = 0;
  for (char comma; list >> sample; list >> comma, ++named)
    EXPECT_EQ(labels.at(static_cast<size_t>(8 + sample)), 0) << result.err;
  EXPECT_GT(named, 0);
}

TEST_F(TrainTest, WeightsThatAreNotFiniteAreNotSaved) {
  // The rate is infinite in f32: the first loss is fine, the weights are not.
  json patch = {
      {"train",
       {{"every",
         {{{"count", 1},
           {"unit", "iteration"},
           {"actions", json::array({json{{"name", "snapshot"}}})}}}}}}};
  TrainerResult result = run({"--lr", "1e39", "--max-iterations", "1"},
                             {{"FAKE_PATCH", patch.dump()}});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err,
            "error: the gradient or the update of `fc.bias` in layer `fc` "
            "(linear) is not finite at iteration 1, epoch 1; it happens with "
            "every sample of the batch; setting `lr` is inf; no snapshot was "
            "written\n");
  EXPECT_FALSE(std::filesystem::exists(folder.file("result/snapshot_iter_1")));
}

TEST_F(TrainTest, MaxIterationsStopsInsideAnEpoch) {
  ASSERT_EQ(run({"--max-iterations", "7"}).code, 0);
  // The blocks that have seen a part of an epoch run once more.
  json rows = log();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["iteration"], 7);
  EXPECT_TRUE(rows[1].contains("val/main/loss"));
  EXPECT_FALSE(bytes("result", 7).empty());
}

TEST_F(TrainTest, BlocksSeeWhatOthersPublished) {
  json patch = {
      {"train",
       {{"every",
         {{{"count", 1},
           {"unit", "epoch"},
           {"actions",
            {{{"name", "evaluate"}, {"positional", json::array({"test_iter"})}},
             json{{"name", "observe_lr"}}}}},
          {{"count", 10},
           {"unit", "iteration"},
           {"actions", json::array({json{{"name", "log"}}})}}}}}}};
  ASSERT_EQ(run({"--epochs", "2"}, {{"FAKE_PATCH", patch.dump()}}).code, 0);
  json rows = log();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].contains("val/main/loss"));
  EXPECT_EQ(rows[0]["lr"], 0.1);
}

TEST_F(TrainTest, RowsHaveWhatALaterBlockObservedInTheSameIteration) {
  json evaluate = {{"name", "evaluate"},
                   {"positional", json::array({"test_iter"})}};
  json patch = {{"train",
                 {{"every",
                   {{{"count", 1},
                     {"unit", "iteration"},
                     {"actions", json::array({json{{"name", "log"}}})}},
                    {{"count", 1},
                     {"unit", "epoch"},
                     {"actions", json::array({json{{"name", "observe_lr"}},
                                              evaluate})}}}}}}};
  ASSERT_EQ(run({"--epochs", "2"}, {{"FAKE_PATCH", patch.dump()}}).code, 0);
  json rows = log();
  ASSERT_EQ(rows.size(), 10u);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].contains("val/main/loss"), i % 5 == 4) << i;
    EXPECT_EQ(rows[i].contains("lr"), i % 5 == 4) << i;
  }
}

TEST_F(TrainTest, AnIteratorThatDoesNotRepeatEndsTraining) {
  json iterators = fakeDescription()["iterators"];
  iterators[0]["repeat"] = false;
  json patch = {{"iterators", iterators}};
  TrainerResult result = run({}, {{"FAKE_PATCH", patch.dump()}});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("does not repeat"));
  EXPECT_EQ(log().size(), 1u);
}

} // namespace
