//===- ResumeTest.cpp - Snapshots, resumes, signals, refusals -------------===//

#include "FakeProgram.h"
#include "TrainerProcess.h"

#include "test/Support/Random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace dpl::rt::testing;
using nlohmann::json;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class ResumeTest : public ::testing::Test {
protected:
  void SetUp() override { writeFakeData(folder.file("data")); }

  TrainerResult run(Words words, Environment environment = {}) {
    return runTrainer(folder.path(), words, environment);
  }
  std::string bytes(const std::string &out, int iteration) {
    return snapshotBytes(folder.file(out), iteration);
  }
  json log(const std::string &out) {
    return logWithoutTime(folder.file(out + "/log"));
  }
  void damage(const std::string &path) {
    std::fstream file(folder.file(path),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-3, std::ios::end);
    file.put('!');
  }

  TemporaryFolder folder;
};

/// A description with this kind of training iterator.
Environment withKind(const std::string &kind) {
  json iterators = fakeDescription()["iterators"];
  iterators[0]["kind"] = kind;
  return {{"FAKE_PATCH", json({{"iterators", iterators}}).dump()}};
}

TEST_F(ResumeTest, ContinuesBitForBitInsideAnEpochForEachKindOfIterator) {
  for (const char *kind : {"serial", "threads", "multiprocess"}) {
    std::string whole = std::string(kind) + "-whole", cut = kind;
    Environment environment = withKind(kind);
    ASSERT_EQ(run({"--out", whole}, environment).code, 0);
    // Eight is inside of epoch 2, and has the snapshot of the end.
    ASSERT_EQ(run({"--out", cut, "--max-iterations", "8"}, environment).code,
              0);
    TrainerResult resumed = run({"--out", cut, "--resume"}, environment);
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("at iteration 8"));
    EXPECT_EQ(bytes(cut, 20), bytes(whole, 20)) << kind;
    EXPECT_EQ(log(cut), log(whole)) << kind;
  }
}

TEST_F(ResumeTest, RowsThatWereLoggedBehindTheSnapshotAreNotTwiceInTheLog) {
  json patch = {
      {"train",
       {{"every",
         {{{"count", 1},
           {"unit", "iteration"},
           {"actions", json::array({json{{"name", "log"}}})}},
          {{"count", 4},
           {"unit", "iteration"},
           {"actions", json::array({json{{"name", "snapshot"}}})}}}}}}};
  Environment environment = {{"FAKE_PATCH", patch.dump()}};
  ASSERT_EQ(run({"--max-iterations", "7"}, environment).code, 0);
  ASSERT_EQ(log("result").size(), 7u);
  ASSERT_EQ(run({"--max-iterations", "9", "--resume"}, environment).code, 0);
  json rows = log("result");
  ASSERT_EQ(rows.size(), 9u);
  for (size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(rows[i]["iteration"], i + 1);
}

TEST_F(ResumeTest, KeepsTheNewestSnapshots) {
  ASSERT_EQ(run({}).code, 0);
  std::vector<std::string> names;
  for (auto &entry : fs::directory_iterator(folder.file("result")))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre(".lock", "log", "loss.png",
                                                     "snapshot_iter_18",
                                                     "snapshot_iter_20"));
}

TEST_F(ResumeTest, ABrokenSnapshotIsReportedAndTheOneBeforeIsUsed) {
  ASSERT_EQ(run({"--out", "whole"}).code, 0);
  for (const char *file : {"weights.safetensors", "optimizer.safetensors",
                           "trainer.json", "manifest.json"}) {
    ASSERT_EQ(run({"--max-iterations", "6"}).code, 0);
    std::string path = "result/snapshot_iter_6/" + std::string(file);
    damage(path);
    TrainerResult resumed = run({"--resume"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("snapshot_iter_6` is broken"));
    EXPECT_THAT(resumed.err, HasSubstr("at iteration 5"));
    EXPECT_EQ(bytes("result", 20), bytes("whole", 20));
    fs::remove_all(folder.file("result"));
  }
}

TEST_F(ResumeTest, ABrokenSnapshotIsNotKeptInPlaceOfAGoodOne) {
  json keepOne = {{"name", "snapshot"}, {"args", {{"keep", 1}}}};
  json every = json::array({{{"count", 3},
                             {"unit", "iteration"},
                             {"actions", json::array({keepOne})}}});
  Environment environment = {
      {"FAKE_PATCH", json({{"train", {{"every", every}}}}).dump()}};
  ASSERT_EQ(run({"--max-iterations", "6"}, environment).code, 0);
  damage("result/snapshot_iter_6/manifest.json");
  TrainerResult again = run({"--max-iterations", "4", "--resume"}, environment);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("starts from scratch"));
  EXPECT_TRUE(fs::exists(folder.file("result/snapshot_iter_4")));
  EXPECT_FALSE(fs::exists(folder.file("result/snapshot_iter_6")));
}

TEST_F(ResumeTest, ASnapshotGoesOnInANewFolderButNotInThatOfAnotherRun) {
  ASSERT_EQ(run({"--out", "a", "--epochs", "1"}).code, 0);
  ASSERT_EQ(run({"--out", "b", "--epochs", "1"}).code, 0);
  Words words = {"--resume", "a/snapshot_iter_5", "--epochs", "2"};
  Words other = words, same = words, fresh = words;
  other.insert(other.end(), {"--out", "b"});
  same.insert(same.end(), {"--out", "a"});
  fresh.insert(fresh.end(), {"--out", "c"});
  TrainerResult refused = run(other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("a snapshot of another one"));
  EXPECT_EQ(run(fresh).code, 0);
  EXPECT_EQ(run(same).code, 0);
  EXPECT_EQ(bytes("a", 10), bytes("c", 10));
  EXPECT_EQ(log("a"), log("c"));
}

TEST_F(ResumeTest, ANamedSnapshotThatIsBrokenIsAnError) {
  ASSERT_EQ(run({"--max-iterations", "6"}).code, 0);
  damage("result/snapshot_iter_6/weights.safetensors");
  TrainerResult result = run({"--resume", "result/snapshot_iter_6"});
  EXPECT_EQ(result.code, 74);
  EXPECT_THAT(result.err, HasSubstr("SHA-256"));
  EXPECT_EQ(run({"--resume", "nowhere"}).code, 74);
}

TEST_F(ResumeTest, AnExistingRunIsRefusedWithTheChoices) {
  ASSERT_EQ(run({"--epochs", "1"}).code, 0);
  for (Words words : {Words{}, Words{"--resume", "never"}}) {
    TrainerResult result = run(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("--resume"));
    EXPECT_THAT(result.err, HasSubstr("--out"));
  }
}

TEST_F(ResumeTest, ResumeWithoutARunStartsOne) {
  EXPECT_EQ(run({"--resume", "--epochs", "1"}).code, 0);
  EXPECT_EQ(log("result").size(), 1u);
}

TEST_F(ResumeTest, MoreEpochsThanBeforeGoOn) {
  ASSERT_EQ(run({"--epochs", "1"}).code, 0);
  ASSERT_EQ(run({"--epochs", "3", "--resume", "auto"}).code, 0);
  EXPECT_EQ(log("result").size(), 3u);
}

TEST_F(ResumeTest, ChangesAreNamedAndRefused) {
  ASSERT_EQ(run({"--epochs", "1"}).code, 0);
  auto refused = [&](Words words, json patch, const std::string &named) {
    words.insert(words.begin(), "--resume");
    TrainerResult result = run(words, {{"FAKE_PATCH", patch.dump()}});
    EXPECT_EQ(result.code, 2) << named;
    EXPECT_THAT(result.err, HasSubstr("cannot resume")) << named;
    EXPECT_THAT(result.err, HasSubstr(named));
  };
  json none = json::object();
  refused({"--lr", "0.2"}, none, "option `lr` was 0.1 there and is 0.2 now");
  refused({"--seed", "7"}, none, "--seed was 0 there and is 7 now");
  refused({"--batch", "6"}, none, "--batch was 12");
  refused({"--deterministic"}, none, "--deterministic was false");
  refused({}, {{"hash", "beef"}}, "hash was f00d there and is beef now");
  json states = fakeDescription()["states"];
  states[0]["name"] = "fc.weight.m";
  refused({}, {{"states", states}},
          "`fc.weight.v` was [10, 16] there and is absent");
  refused({}, {{"train", {{"every", json::array()}}}}, "`every` blocks");
}

TEST_F(ResumeTest, SignalsStopWithASnapshot) {
  Environment slow = {{"FAKE_STEP_MICROSECONDS", "20000"}};
  for (auto [number, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143),
                              std::pair(SIGUSR2, 75)}) {
    std::string out = "signal" + std::to_string(number);
    TrainerProcess process(folder.path(), {"--out", out, "--epochs", "1000"},
                           slow);
    ASSERT_TRUE(process.waitFor(out + "/snapshot_iter_3"));
    process.signal(number);
    TrainerResult result = process.wait();
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr("snapshot `" + out));
    TrainerResult resumed =
        run({"--out", out, "--resume", "--max-iterations", "1"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("resumed from"));
  }
}

TEST_F(ResumeTest, HangupAndUserOneSnapshotAndGoOn) {
  for (int number : {SIGHUP, SIGUSR1}) {
    std::string out = "on" + std::to_string(number);
    TrainerProcess process(folder.path(), {"--out", out, "--epochs", "6"},
                           {{"FAKE_STEP_MICROSECONDS", "20000"}});
    ASSERT_TRUE(process.waitFor(out + "/snapshot_iter_3"));
    process.signal(number);
    TrainerResult result = process.wait();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("snapshot `" + out));
    EXPECT_EQ(log(out).size(), 6u);
  }
}

TEST_F(ResumeTest, ASecondInterruptOrTerminationEndsAtOnce) {
  for (auto [number, code] :
       {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    std::string out = "signal" + std::to_string(number);
    TrainerProcess process(folder.path(), {"--epochs", "1000", "--out", out},
                           {{"FAKE_STEP_MICROSECONDS", "3000000"}});
    ASSERT_TRUE(process.waitFor(out));
    usleep(300000);
    process.signal(number);
    usleep(100000);
    process.signal(number);
    TrainerResult result = process.wait();
    EXPECT_EQ(result.code, code);
    EXPECT_THAT(result.err, ::testing::Not(HasSubstr("snapshot `")));
  }
}

/// Tools such as `timeout` send a signal to the process and then to its group.
TEST_F(ResumeTest, TheSameSignalTwiceAtOnceIsOneWish) {
  TrainerProcess process(folder.path(), {"--epochs", "1000"},
                         {{"FAKE_STEP_MICROSECONDS", "20000"}});
  ASSERT_TRUE(process.waitFor("result/snapshot_iter_3"));
  process.signal(SIGTERM);
  process.signal(SIGTERM);
  TrainerResult result = process.wait();
  EXPECT_EQ(result.code, 143);
  EXPECT_THAT(result.err, HasSubstr("snapshot `result"));
}

/// The process number of a data worker of a trainer; 0 if there is none.
pid_t workerOf(const TrainerProcess &process) {
  std::string name = std::to_string(process.id());
  std::ifstream children("/proc/" + name + "/task/" + name + "/children");
  pid_t worker = 0;
  children >> worker;
  return worker;
}

TEST_F(ResumeTest, AnEndIsNotHeldUpByAWorkerThatStandsStill) {
  Environment slow = withKind("multiprocess");
  slow["FAKE_STEP_MICROSECONDS"] = "20000";
  TrainerProcess process(folder.path(), {"--epochs", "1000"}, slow);
  ASSERT_TRUE(process.waitFor("result/snapshot_iter_3"));
  pid_t worker = workerOf(process);
  ASSERT_GT(worker, 0);
  kill(worker, SIGSTOP);
  usleep(200000);
  auto before = std::chrono::steady_clock::now();
  process.signal(SIGTERM);
  TrainerResult result = process.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - before,
            std::chrono::seconds(20));
  EXPECT_EQ(result.code, 143) << result.err;
  EXPECT_THAT(result.err, HasSubstr("snapshot `result"));
  EXPECT_NE(kill(worker, 0), 0);
  TrainerResult resumed = run({"--resume", "--max-iterations", "1"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
}

//===--- The folder of a run ----------------------------------------------===//

TEST_F(ResumeTest, ASecondTrainerInOneFolderIsRefusedWithTheNumberOfTheFirst) {
  // Forked workers must not take over the lock, nor keep it.
  Environment slow = withKind("multiprocess");
  slow["FAKE_STEP_MICROSECONDS"] = "20000";
  TrainerProcess first(folder.path(), {"--epochs", "1000"}, slow);
  ASSERT_TRUE(first.waitFor("result/snapshot_iter_3"));
  std::string second = folder.file("second");
  fs::create_directories(second);
  fs::create_symlink(folder.file("data"), second + "/data");
  for (Words words : {Words{}, Words{"--resume"}}) {
    words.insert(words.end(), {"--out", "../result"});
    TrainerResult refused = runTrainer(second, words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is in use by process " +
                                       std::to_string(first.id())));
  }
  EXPECT_EQ(runTrainer(second, {"info", "--out", "../result"}).code, 0);
  EXPECT_EQ(runTrainer(second, {"eval", "--out", "../result"}).code, 0);
  first.signal(SIGKILL);
  EXPECT_EQ(first.wait().code, 1000 + SIGKILL);
  EXPECT_EQ(run({"--resume", "--max-iterations", "4"}, slow).code, 0);
}

TEST_F(ResumeTest, WhatAKilledWriteLeftGoesAway) {
  ASSERT_EQ(run({"--max-iterations", "3"}).code, 0);
  std::ofstream(folder.file("result/.unfinished_log-123-0")) << "[";
  fs::create_directories(folder.file("result/.unfinished_9"));
  ASSERT_EQ(run({"--max-iterations", "4", "--resume"}).code, 0);
  for (auto &entry : fs::directory_iterator(folder.file("result")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".unfinished"));
}

TEST_F(ResumeTest, LaterSnapshotsAreSetAsideWhenAnEarlierOneIsResumed) {
  ASSERT_EQ(run({"--max-iterations", "6"}).code, 0);
  TrainerResult again =
      run({"--resume", "result/snapshot_iter_5", "--max-iterations", "5"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("`result/former_snapshot_iter_6`"));
  EXPECT_FALSE(fs::exists(folder.file("result/snapshot_iter_6")));
  EXPECT_TRUE(fs::exists(folder.file("result/former_snapshot_iter_6")));
  EXPECT_THAT(run({"--resume", "--max-iterations", "6"}).err,
              HasSubstr("at iteration 5"));
}

TEST_F(ResumeTest, ARunWithoutBlocksKeepsItsEnd) {
  Environment none = {
      {"FAKE_PATCH", json({{"train", {{"every", json::array()}}}}).dump()}};
  ASSERT_EQ(run({"--max-iterations", "7", "--out", "cut"}, none).code, 0);
  ASSERT_EQ(run({"--out", "cut", "--resume"}, none).code, 0);
  ASSERT_EQ(run({"--out", "whole"}, none).code, 0);
  EXPECT_EQ(bytes("cut", 20), bytes("whole", 20));
  EXPECT_FALSE(bytes("cut", 20).empty());
}

//===--- Faults -----------------------------------------------------------===//

/// The walks below take every operation in the long run, otherwise every third,
/// from a place that the seed chooses.
int faultStep() { return dpl::test::isLongRun() ? 1 : 3; }
int firstFault(int first) {
  return first + static_cast<int>(dpl::test::testSeed() %
                                  static_cast<uint64_t>(faultStep()));
}

/// Walks the operations that change files: the run ends before the N-th, and
/// whatever is left must resume to the same end.
TEST_F(ResumeTest, ACrashAtAnyFileOperationLosesNothingThatWasWritten) {
  Words words = {"--max-iterations", "6", "--threads", "1"};
  Words whole = words;
  whole.insert(whole.end(), {"--out", "whole"});
  ASSERT_EQ(run(whole).code, 0);
  int crashes = 0;
  for (int n = firstFault(1);; n += faultStep()) {
    fs::remove_all(folder.file("result"));
    TrainerResult crashed =
        run(words, {{"FAKE_FAULT", "kill:" + std::to_string(n)}});
    if (crashed.code == 0)
      break;
    ASSERT_EQ(crashed.code, 99) << crashed.err;
    ++crashes;
    Words resume = words;
    resume.push_back("--resume");
    TrainerResult resumed = run(resume);
    ASSERT_EQ(resumed.code, 0) << n << resumed.err;
    EXPECT_THAT(resumed.err, ::testing::Not(HasSubstr("broken"))) << n;
    ASSERT_EQ(bytes("result", 6), bytes("whole", 6)) << n;
    ASSERT_EQ(log("result"), log("whole")) << n;
  }
  EXPECT_GT(crashes, 30 / faultStep());
}

/// A write of the run's middle only costs a warning. The snapshot at its end is
/// what the run was for.
TEST_F(ResumeTest, AFailedPeriodicWriteWarnsAndAFailedFinalOneExits74) {
  int warned = 0, failed = 0;
  // The first three operations make the folder of the run and its lock.
  for (int n = firstFault(4);; n += faultStep()) {
    fs::remove_all(folder.file("result"));
    TrainerResult result = run({"--max-iterations", "6", "--threads", "1"},
                               {{"FAKE_FAULT", "fail:" + std::to_string(n)}});
    for (auto &entry : fs::directory_iterator(folder.file("result")))
      EXPECT_FALSE(entry.path().filename().string().starts_with(".unfinished"))
          << n;
    if (result.code == 74) {
      ++failed;
      EXPECT_THAT(result.err, HasSubstr("snapshot_iter_6`")) << n;
      continue;
    }
    ASSERT_EQ(result.code, 0) << n << result.err;
    EXPECT_TRUE(fs::exists(folder.file("result/snapshot_iter_6"))) << n;
    if (result.err.find("training goes on") == std::string::npos)
      break;
    ++warned;
  }
  EXPECT_GT(warned, 16 / faultStep());
  EXPECT_GT(failed, 8 / faultStep());
}

/// Every fsync is needed: without it, a name would be given, or used, before
/// what it stands for is safe from a crash of the machine.
TEST_F(ResumeTest, AnFsyncThatIsMissingIsNoticed) {
  Words words = {"--max-iterations", "6", "--threads", "1"};
  int count = 0;
  for (int n = 1;; ++n) {
    fs::remove_all(folder.file("result"));
    TrainerResult result = run(words, {{"FAKE_FORGET", std::to_string(n)}});
    if (result.code == 0)
      break;
    ASSERT_EQ(result.code, 98) << n << result.err;
    EXPECT_THAT(result.err, HasSubstr("not durable: "));
    ++count;
  }
  // A folder, and for each of three snapshots four files, the folder that holds
  // them, and its name; the log and the plot.
  EXPECT_GT(count, 3 * 6);
}

/// What `ulimit -f` forbids is an error of the write, not the end.
TEST_F(ResumeTest, AFileThatIsTooLargeIsAnErrorOfItsWrite) {
  json every =
      json::array({{{"count", 1},
                    {"unit", "iteration"},
                    {"actions", json::array({json{{"name", "snapshot"}}})}}});
  TrainerResult result =
      run({"--max-iterations", "2"},
          {{"FAKE_PATCH", json({{"train", {{"every", every}}}}).dump()},
           {"FAKE_FILE_LIMIT", "700"}});
  EXPECT_EQ(result.code, 74);
  EXPECT_THAT(result.err, HasSubstr("snapshot_iter_1`"));
  EXPECT_THAT(result.err, HasSubstr("File too large; training goes on"));
  EXPECT_THAT(result.err, HasSubstr("error: cannot write snapshot "
                                    "`result/snapshot_iter_2`\n  because: "));
}

TEST_F(ResumeTest, AFailedSnapshotOfASignalExits74) {
  fs::create_directories(folder.file("result"));
  TrainerProcess process(folder.path(), {"--epochs", "1000", "--threads", "1"},
                         {{"FAKE_STEP_MICROSECONDS", "20000"}});
  ASSERT_TRUE(process.waitFor("result/snapshot_iter_3"));
  // A file where the folder was: nothing can be written there any more.
  fs::rename(folder.file("result"), folder.file("moved"));
  std::ofstream(folder.file("result")) << "in the way";
  process.signal(SIGTERM);
  TrainerResult result = process.wait();
  EXPECT_EQ(result.code, 74) << result.err;
}

} // namespace
