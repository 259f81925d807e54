//===- RefusalTest.cpp - Every wrong input, its line and its exit code ----===//

#include "FakeProgram.h"
#include "TrainerProcess.h"

#include "runtime/Device/Cpu/Instructions.h"
#include "runtime/Testing/IdxFiles.h"
#include "runtime/Train/Safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace dpl::rt;
using namespace dpl::rt::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Refusal {
  std::string name;
  std::function<void(const std::string &folder)> prepare;
  Words words;
  json patch;
  int code;
  std::string err; ///< the whole of it
};

const std::string openTrain =
    "error: cannot open data set `train_set` at `data`; `--data "
    "train_set=PATH` reads it from another place\n  because: ";
const std::string images = "data/train-images-idx3-ubyte";
const std::string labels = "data/train-labels-idx1-ubyte";

/// Replaces a file by one with this header and so many bytes behind it.
auto idx(const std::string &name, std::vector<uint32_t> sizes, size_t bytes,
         uint8_t value = 0) {
  return [=](const std::string &folder) {
    Bytes content = idxHeader(sizes);
    content.resize(content.size() + bytes, value);
    writeBytes(folder + "/" + name, content);
  };
}

/// Changes one byte of a file.
auto poke(const std::string &name, size_t offset, uint8_t value) {
  return [=](const std::string &folder) {
    std::fstream file(folder + "/" + name,
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(static_cast<char>(value));
  };
}

/// A weights file `w` with these tensors, all of a value.
auto weights(std::vector<std::pair<std::string, Shape>> tensors,
             float value = 0) {
  return [=](const std::string &folder) {
    std::vector<std::vector<float>> data;
    std::vector<TensorView> views;
    for (auto &[name, shape] : tensors)
      data.emplace_back(static_cast<size_t>(elementCount(shape)), value);
    for (size_t i = 0; i < tensors.size(); ++i)
      views.push_back({tensors[i].first, tensors[i].second, data[i]});
    std::vector<std::byte> bytes = writeSafetensors(views);
    std::ofstream(folder + "/w", std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
}

auto text(const std::string &name, const std::string &content) {
  return [=](const std::string &folder) {
    std::ofstream(folder + "/" + name, std::ios::binary) << content;
  };
}

/// A run of one epoch in `result`.
void trained(const std::string &folder) {
  ASSERT_EQ(runTrainer(folder, {"--epochs", "1"}).code, 0);
}

json everyEpoch(json action) {
  return {{"train",
           {{"every", json::array({{{"count", 1},
                                    {"unit", "epoch"},
                                    {"actions", json::array({action})}}})}}}};
}

std::vector<Refusal> dataRefusals() {
  auto none = [](const std::string &) {};
  return {
      {"missing folder",
       none,
       {"--data", "nowhere"},
       {},
       3,
       "error: cannot open data set `train_set` at `nowhere`; `--data "
       "train_set=PATH` reads it from another place\n  because: the folder "
       "`nowhere` does not exist\n"},
      {"missing file",
       [](const std::string &folder) { fs::remove(folder + "/" + labels); },
       {},
       {},
       3,
       openTrain + "neither `" + labels + "` nor `" + labels + ".gz` exists\n"},
      {"truncated",
       [](const std::string &folder) {
         fs::resize_file(folder + "/" + images, 700);
       },
       {},
       {},
       3,
       openTrain + images +
           ": the header says [50, 4, 4], which takes 816 bytes, but the file "
           "has 700; fetch the file again\n"},
      {"empty file",
       idx(images, {}, 0),
       {},
       {},
       3,
       openTrain + images +
           ": offset 3: 0 axes, expected 3; are the files of images and labels "
           "mixed up?\n"},
      {"empty data",
       idx(images, {0, 4, 4}, 0),
       {},
       {},
       3,
       openTrain + images +
           ": offset 4: the size of axis 0 is 0; there are no samples in it, "
           "give another file\n"},
      {"a count that lies",
       idx(labels, {60}, 50),
       {},
       {},
       3,
       openTrain + labels +
           ": the header says [60], which takes 68 bytes, but the file has 58; "
           "fetch the file again\n"},
      {"other counts",
       idx(labels, {49}, 49),
       {},
       {},
       3,
       openTrain + images + ": offset 4: 50 images, but " + labels +
           " has 49 labels; the two files do not belong together\n"},
      {"an element type",
       poke(images, 2, 0x0d),
       {},
       {},
       3,
       openTrain + images +
           ": offset 2: element type 0x0d (f32), expected 0x08 (u8); convert "
           "the file\n"},
      {"no IDX file",
       text(images, "P5 4 4 255 "),
       {},
       {},
       3,
       openTrain + images +
           ": offset 0: the bytes 0x50 0x35 are not the 0x00 0x00 of an IDX "
           "file; fetch the file again\n"},
      {"a label",
       poke(labels, 8 + 17, 10),
       {},
       {},
       3,
       openTrain + labels +
           ": offset 25: the label of sample 17 is 10, but labels are 0 to 9; "
           "mend the file or fetch it again\n"},
      {"pictures of another size",
       idx(images, {50, 4, 5}, 50 * 20),
       {},
       {},
       3,
       "error: cannot use what lies at `data`\n  because: data set "
       "`train_set`\n  because: what is stored has the fields (x: u8[1, 4, 5], "
       "y: class(10)), but the program was compiled for (x: u8[1, 4, 4], y: "
       "class(10)); give other data or change the declaration and compile "
       "again\n"},
      {"a batch larger than data that drop the rest",
       none,
       {},
       {{"iterators",
         [] {
           json list = fakeDescription()["iterators"];
           list[0]["batch"] = 51;
           list[0]["last"] = "drop";
           return list;
         }()},
        {"programs",
         [] {
           json list = fakeDescription()["programs"];
           list[0]["capacity"] = list[1]["capacity"] = 51;
           return list;
         }()}},
       3,
       "error: iterator `train_iter` cannot be made\n  because: data set "
       "`train_set` has 50 samples, fewer than the batch of 51, so that `last: "
       "drop` leaves no batch; lower the batch or use `last: keep`\n"},
  };
}

std::vector<Refusal> flagRefusals() {
  auto none = [](const std::string &) {};
  auto usage = [&](const char *flag, const char *value,
                   const std::string &what) {
    return Refusal{std::string(flag) + " " + value, none, {flag, value}, {}, 2,
                   "error: " + what + "\n"};
  };
  return {
      usage("--lr", "fast", "--lr: `fast` is not a number"),
      usage("--lr", "nan", "--lr: `nan` is not a number"),
      usage("--lr", "1e999",
            "--lr: `1e999` is beyond the numbers that can be held; give one "
            "that is nearer to zero"),
      usage("--seed", "-1", "--seed: -1 is less than 0"),
      usage("--seed", "99999999999999999999",
            "--seed: `99999999999999999999` is beyond the numbers that can be "
            "held; give one that is nearer to zero"),
      usage("--seed", "1.5", "--seed: `1.5` is not an integer"),
      usage("--epochs", "-2", "--epochs: `-2` is not positive"),
      usage("--batch", "13",
            "--batch: 13 is more than 12, the batch that fake.dpl declares and "
            "is compiled for"),
      usage("--workers", "0", "--workers: 0 is less than 1"),
      usage("--workers", "100000", "--workers: 100000 is more than 1024"),
      usage("--threads", "0", "--threads: 0 is less than 1"),
      usage("--warm_up", "2 iterations",
            "--warm_up: `2 iterations` is not in epochs, the unit that the "
            "program was compiled for"),
      usage("--quiet=maybe", "train",
            "--quiet: `maybe` is neither true nor false"),
      usage("--devices", "gpu",
            "unknown device `gpu`; known are `cpu` and `cpu:N` with N threads"),
      {"a trigger of nothing",
       none,
       {"--warm_up", "0"},
       {{"train",
         {{"every", json::array({{{"count", {{"option", "warm_up"}}},
                                  {"unit", "epoch"},
                                  {"actions", json::array()}}})}}}},
       2,
       "error: `every` needs a positive count, found 0 epochs; give --warm_up "
       "another value\n"},
      {"a file in the place of --out",
       text("file", ""),
       {"--out", "file"},
       {},
       1,
       "error: `file` is a file, but the run needs a folder; choose another "
       "name with --out\n"},
      {"--out below a file",
       text("file", ""),
       {"--out", "file/run"},
       {},
       1,
       "error: cannot create the folder `file/run`: Not a directory; choose "
       "another folder with --out\n"},
      {"a plot elsewhere",
       none,
       {},
       everyEpoch({{"name", "plot"},
                   {"args", {{"file", "../loss.png"}}},
                   {"positional", json::array({"main/loss"})}}),
       2,
       "error: `plot` cannot write `../loss.png`: a plot is a file in the "
       "folder of the run; give a name without `/`, and not `log`\n"},
      {"a plot of nothing",
       none,
       {},
       everyEpoch({{"name", "plot"}}),
       1,
       "error: `plot` needs at least one key\n"},
      {"a table of nothing",
       none,
       {},
       everyEpoch({{"name", "print"}}),
       1,
       "error: `print` needs at least one key\n"},
      {"another processor",
       none,
       {},
       {{"target", {{"cpu", "dream"}, {"needs", {"sse3", "levitation"}}}}},
       2,
       std::string("error: this trainer is made for the processor `dream`; "
                   "this one lacks levitation; compile fake.dpl again here, or "
                   "anywhere with --march=") +
           cpuLevel() + "\n"},
  };
}

std::vector<Refusal> weightRefusals() {
  Words use = {"--weights", "w", "--out", "new"};
  std::pair<std::string, Shape> bias = {"fc.bias", {10}};
  const std::string unfit = "error: `w` does not fit the program: ";
  const std::string wayOut = "; give weights of this model\n";
  return {
      {"no weights",
       [](const std::string &) {},
       use,
       {},
       3,
       "error: cannot open `w`: No such file or directory\n"},
      {"weights of another width",
       weights({{"fc.weight", {10, 12}}, bias}),
       use,
       {},
       3,
       unfit +
           "tensor `fc.weight` of layer `fc` (linear) has shape [10, 12] "
           "there and [10, 16] in the program" +
           wayOut},
      {"weights without a tensor",
       weights({bias}),
       use,
       {},
       3,
       unfit + "it has no tensor `fc.weight` of layer `fc` (linear)" + wayOut},
      {"weights with another tensor",
       weights({{"fc.weight", {10, 16}}, bias, {"fc2.bias", {1}}}),
       use,
       {},
       3,
       unfit + "the program has no tensor `fc2.bias`" + wayOut},
      {"weights that are not finite",
       weights({{"fc.weight", {10, 16}}, bias}, -NAN),
       use,
       {},
       4,
       "error: `w`: value 0 of tensor `fc.bias` is nan; these weights are of a "
       "run that diverged, give those of an earlier step\n"},
      {"a file of PyTorch",
       text("w", "PK\x03\x04rest"),
       use,
       {},
       3,
       "error: `w` is no safetensors file: it is a zip file, as PyTorch and "
       "NumPy write; save the tensors with the function save_file of the "
       "package safetensors\n"},
      {"a short file",
       text("w", "short"),
       use,
       {},
       3,
       "error: `w` is no safetensors file: it has 5 bytes\n"},
      {"no snapshot",
       [](const std::string &) {},
       {"--resume", "nowhere"},
       {},
       74,
       "error: snapshot `nowhere` is broken\n  because: cannot open "
       "`nowhere/manifest.json`: No such file or directory\n"},
      {"a run that is there",
       trained,
       {},
       {},
       2,
       "error: `result` holds a run already; go on with it by --resume, choose "
       "another folder with --out, or remove it\n"},
      {"another rate",
       trained,
       {"--resume", "--lr", "0.2"},
       {},
       2,
       "error: cannot resume from `result/snapshot_iter_5`: option `lr` was "
       "0.1 there and is 0.2 now; resume with --lr 0.1, or train into another "
       "folder with --out\n"},
      {"another solver",
       trained,
       {"--resume"},
       {{"states",
         [] {
           json list = fakeDescription()["states"];
           list[0]["name"] = "fc.weight.m";
           return list;
         }()}},
       2,
       "error: cannot resume from `result/snapshot_iter_5`: state of the "
       "solver or model `fc.weight.v` was [10, 16] there and is absent now; "
       "train into another folder with --out, or compile the program that made "
       "the snapshot\n"},
      {"another model",
       trained,
       {"--resume"},
       {{"hash", "beef"}},
       2,
       "error: cannot resume from `result/snapshot_iter_5`: the program's hash "
       "was f00d there and is beef now; model, loss or solver of fake.dpl "
       "changed: train into another folder with --out\n"},
      {"other data",
       [](const std::string &folder) {
         trained(folder);
         idx(images, {40, 4, 4}, 40 * 16)(folder);
         idx(labels, {40}, 40)(folder);
       },
       {"--resume"},
       {},
       2,
       "error: cannot resume from `result/snapshot_iter_5`: data set "
       "`train_set` had 50 samples there and has 40 now; give the same data, "
       "or train into another folder with --out\n"},
      {"nothing to evaluate",
       [](const std::string &) {},
       {"eval"},
       {},
       2,
       "error: `result` has no good snapshot; name weights with --weights "
       "FILE, or the run's folder with --out\n"},
  };
}

void PrintTo(const Refusal &refusal, std::ostream *out) {
  *out << refusal.name;
}

class RefusalTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, HasItsLineAndItsCode) {
  const Refusal &refusal = GetParam();
  TemporaryFolder folder;
  writeFakeData(folder.file("data"));
  refusal.prepare(folder.path());
  auto files = [&] {
    std::vector<std::string> list;
    for (auto &entry : fs::recursive_directory_iterator(folder.path()))
      list.push_back(entry.path().string());
    std::erase_if(list, [](const std::string &path) {
      return path.ends_with("/stdout") || path.ends_with("/stderr") ||
             path.ends_with("/.lock");
    });
    std::sort(list.begin(), list.end());
    return list;
  };
  auto before = files();
  Environment environment;
  if (!refusal.patch.is_null())
    environment["FAKE_PATCH"] = refusal.patch.dump();
  TrainerResult result = runTrainer(folder.path(), refusal.words, environment);
  EXPECT_EQ(result.code, refusal.code) << result.err;
  EXPECT_EQ(result.err, refusal.err);
  EXPECT_EQ(result.out, "");
  // Nothing is lost, and nothing is begun.
  EXPECT_EQ(files(), before);
}

std::string nameOf(const ::testing::TestParamInfo<Refusal> &info) {
  std::string name;
  for (char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Data, RefusalTest, ::testing::ValuesIn(dataRefusals()),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Flags, RefusalTest,
                         ::testing::ValuesIn(flagRefusals()), nameOf);
INSTANTIATE_TEST_SUITE_P(Weights, RefusalTest,
                         ::testing::ValuesIn(weightRefusals()), nameOf);

/// Not wrong, but rarely what was meant.
TEST(WarningTest, ABatchLargerThanTheDataIsOneStepAnEpoch) {
  TemporaryFolder folder;
  writeFakeData(folder.file("data"));
  idx(images, {7, 4, 4}, 7 * 16, 3)(folder.path());
  idx(labels, {7}, 7)(folder.path());
  TrainerResult result = runTrainer(folder.path(), {"--epochs", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err,
            "warning: iterator `train_iter`: its batch of 12 is larger than "
            "data set `train_set` with 7 samples, so that an epoch is one "
            "step; lower it with --batch\n");
}

} // namespace
