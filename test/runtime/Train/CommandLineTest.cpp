//===- CommandLineTest.cpp - Flags, environment, refusals -----------------===//

#include "FakeProgram.h"
#include "TrainerProcess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

using namespace dpl::rt::testing;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

class CommandLineTest : public ::testing::Test {
protected:
  void SetUp() override { writeFakeData(folder.file("data")); }

  TrainerResult run(Words words, Environment environment = {}) {
    return runTrainer(folder.path(), words, environment);
  }
  json config(Words words, Environment environment = {}) {
    words.push_back("--print-config");
    TrainerResult result = run(words, environment);
    EXPECT_EQ(result.code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  /// One line of error with this piece, and this exit code.
  void refused(Words words, int code, const std::string &piece,
               Environment environment = {}) {
    TrainerResult result = run(words, environment);
    EXPECT_EQ(result.code, code) << piece << result.err;
    EXPECT_THAT(result.err, HasSubstr(piece));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1)
        << result.err;
  }

  TemporaryFolder folder;
};

TEST_F(CommandLineTest, LaterSourcesWin) {
  EXPECT_EQ(config({})["options"]["lr"], "0.1");
  Environment environment = {{"DPL_LR", "0.5"}, {"DPL_SEED", "3"}};
  EXPECT_EQ(config({}, environment)["options"]["lr"], "0.5");
  json both = config({"--lr", "0.25"}, environment);
  EXPECT_EQ(both["options"]["lr"], "0.25");
  EXPECT_EQ(both["seed"], 3);
}

TEST_F(CommandLineTest, FlagsReachTheConfiguration) {
  json result = config({"train", "--epochs", "7", "--batch", "6", "--threads",
                        "2", "--out", "here", "--resume", "--deterministic",
                        "--update", "bucketed", "--quiet", "--warm-up", "3"});
  EXPECT_EQ(result["stop"], "7 epochs");
  EXPECT_EQ(result["batch"], 6);
  EXPECT_EQ(result["devices"], "cpu:2");
  EXPECT_EQ(result["out"], "here");
  EXPECT_EQ(result["resume"], "auto");
  EXPECT_EQ(result["deterministic"], true);
  EXPECT_EQ(result["update"], "bucketed");
  EXPECT_EQ(result["options"]["quiet"], "true");
  EXPECT_EQ(result["options"]["warm_up"], "3 epochs");
}

TEST_F(CommandLineTest, HelpShowsTypesUnitsAndDefaults) {
  std::string help = run({"--help"}).out;
  for (const char *piece :
       {"learning rate (default: 0.1)", "--epochs N", "(default: 4 epochs)",
        "at most 12", "DPL_LR", "N epochs", "(default: 2 epochs)", "eval",
        "info", "plot"})
    EXPECT_THAT(help, HasSubstr(piece));
}

TEST_F(CommandLineTest, UsageErrorsAreOneLineWithTheNearestName) {
  refused({"--epohcs", "3"}, 2, "did you mean `--epochs`?");
  refused({"trian"}, 2, "did you mean `train`?");
  refused({"--epochs", "many"}, 2, "--epochs: `many` is not a number");
  refused({"--epochs", "0"}, 2, "not positive");
  refused({"--batch", "13"}, 2, "13 is more than 12");
  refused({"--batch", "0"}, 2, "less than 1");
  refused({"--update", "fussed"}, 2, "did you mean `fused`?");
  refused({"--warm_up", "3 iterations"}, 2, "is not in epochs");
  refused({}, 2, "DPL_BATCH: `x` is not an integer", {{"DPL_BATCH", "x"}});
  refused({"--devices", "cpu:2", "--threads", "3"}, 2, "contradict");
  refused({"--out", ""}, 2, "the value of --out is empty");
  refused({"--lr", ""}, 2, "the value of --lr is empty");
  refused({"--out=", "--epochs", "1"}, 2, "`--out=` has no value");
}

TEST_F(CommandLineTest, OtherDevicesAreRefusedWithTheWayOut) {
  refused({"--devices", "cuda:0"}, 5, "--devices cpu");
  json patch = {{"train", {{"devices", {"cuda:0", "cuda:1"}}}}};
  Environment environment = {{"FAKE_PATCH", patch.dump()}};
  refused({}, 5, "the `devices` line of fake.dpl asks for `cuda:0`",
          environment);
  EXPECT_EQ(run({"--devices", "cpu", "--epochs", "1"}, environment).code, 0);
}

TEST_F(CommandLineTest, DataIsFoundByFlagRootAndName) {
  EXPECT_EQ(run({"--dry-run"}, {{"DPL_DATA", "/nonexistent"}}).code, 3);
  EXPECT_EQ(run({"--dry-run", "--data", "missing"}).code, 3);
  EXPECT_EQ(run({"--dry-run", "--data", "train_set=data"}).code, 0);
}

TEST_F(CommandLineTest, DryRunWritesNothing) {
  TrainerResult result = run({"--dry-run"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("170 parameters"));
  EXPECT_FALSE(dpl::rt::fileExists(folder.file("result")));
}

TEST_F(CommandLineTest, InfoShowsThePlan) {
  std::string info = run({"info"}).out;
  for (const char *piece : {"model Net", "fc.weight", "[10, 16]", "170",
                            "train.bucketed", "--lr", "11 kernels"})
    EXPECT_THAT(info, HasSubstr(piece));
}

TEST_F(CommandLineTest, EvalTakesAFileAndASnapshot) {
  ASSERT_EQ(run({"--epochs", "1"}).code, 0);
  std::string newest = run({"eval"}).out;
  std::string line = newest.substr(newest.find('\n'));
  for (const char *weights :
       {"result/snapshot_iter_5", "result/snapshot_iter_5/weights.safetensors"})
    EXPECT_THAT(run({"eval", "--weights", weights}).out, HasSubstr(line));
  EXPECT_EQ(run({"eval", "--out", "nowhere"}).code, 2);
  EXPECT_EQ(
      run({"eval", "--weights", "result/snapshot_iter_5/optimizer.safetensors"})
          .code,
      3);
}

TEST_F(CommandLineTest, PlotReadsALog) {
  ASSERT_EQ(run({"--epochs", "2"}).code, 0);
  EXPECT_THAT(run({"plot", "result"}).out, HasSubstr("o val/main/loss"));
  EXPECT_THAT(run({"plot", "result/log", "lr"}).out, HasSubstr("* lr"));
  // With the folder of a run, or in its default place, words are keys or none.
  EXPECT_THAT(run({"plot"}).out, HasSubstr("o val/main/loss"));
  EXPECT_THAT(run({"plot", "--out", "result"}).out,
              HasSubstr("o val/main/loss"));
  EXPECT_THAT(run({"plot", "--out", "result", "lr"}).out, HasSubstr("* lr"));
  refused({"plot", "--out", "nowhere"}, 3, "`nowhere`");
  refused({"plot", "result/log", "main/los"}, 2, "did you mean `main/loss`?");
  EXPECT_EQ(run({"plot", "result", "--file", "a.png"}).code, 0);
  EXPECT_TRUE(dpl::rt::fileExists(folder.file("a.png")));
  refused({"plot", "data/train-labels-idx1-ubyte"}, 3, "no log of a run");
}

TEST_F(CommandLineTest, ProgramsThatDoNotFitTheRuntimeAreRefused) {
  refused({}, 1, "ABI version 77", {{"FAKE_ABI", "77"}});
  json clash = {
      {"options",
       json::array({{{"name", "out"}, {"type", "int"}, {"default", 1}}})}};
  refused({}, 1, "name of a flag", {{"FAKE_PATCH", clash.dump()}});
  json every =
      json::array({{{"count", 1},
                    {"unit", "epoch"},
                    {"actions", json::array({json{{"name", "prnt"}}})}}});
  refused({}, 1, "did you mean `print`?",
          {{"FAKE_PATCH", json({{"train", {{"every", every}}}}).dump()}});
}

/// The description says which numbers an option may be.
TEST_F(CommandLineTest, OptionsHaveRanges) {
  json options = fakeDescription()["options"];
  options[0]["range"] = {{"above", 0}, {"at_most", 10.5}};
  Environment range = {{"FAKE_PATCH", json({{"options", options}}).dump()}};
  auto bad = [&](const std::string &text, const std::string &piece) {
    refused({"--lr", text}, 2, piece, range);
  };
  bad("0", "--lr: 0 is not more than 0 and at most 10.5");
  bad("11", "--lr: 11 is not more than 0 and at most 10.5");
  bad("nan", "--lr: ");
  EXPECT_EQ(config({"--lr", "10.5"}, range)["options"]["lr"], "10.5");
  range["DPL_LR"] = "-1";
  refused({}, 2, "DPL_LR: -1 is not more than 0", range);
}

/// The compiler refuses options with these names, so the list must be whole.
TEST_F(CommandLineTest, FlagsAreThoseOfTheList) {
  std::string help = run({"--help"}).out;
  std::string own = help.substr(0, help.find("Options of "));
  std::set<std::string> listed, shown;
#define DPL_FLAG(name) listed.insert(name);
#include "dpl/flags.def"
  std::regex flag("--([a-z-]+)");
  for (std::sregex_iterator it(own.begin(), own.end(), flag), end; it != end;
       ++it)
    shown.insert((*it)[1]);
  EXPECT_EQ(listed, shown);
}

} // namespace
