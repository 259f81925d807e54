//===- FakeData.cpp - Small pictures for the fake program -----------------===//

#include "FakeProgram.h"

#include "runtime/Base/Random.h"
#include "runtime/Testing/IdxFiles.h"

#include <filesystem>

namespace dpl::rt::testing {

static void writeSplit(const std::string &start, int64_t count, uint64_t salt) {
  Bytes images = idxHeader({static_cast<uint32_t>(count), 4, 4});
  Bytes labels = idxHeader({static_cast<uint32_t>(count)});
  for (int64_t sample = 0; sample < count; ++sample) {
    int64_t label = sample * 7 % fakeClasses;
    for (int64_t i = 0; i < fakeInputs; ++i) {
      uint64_t noise =
          mixBits(salt + static_cast<uint64_t>(sample * fakeInputs + i)) % 100;
      images.push_back(static_cast<uint8_t>(noise + (i == label ? 150 : 0)));
    }
    labels.push_back(static_cast<uint8_t>(label));
  }
  writeBytes(start + "-images-idx3-ubyte", images);
  writeBytes(start + "-labels-idx1-ubyte", labels);
}

void writeFakeData(const std::string &folder) {
  std::filesystem::create_directories(folder);
  writeSplit(folder + "/train", fakeTrainSamples, 1);
  writeSplit(folder + "/t10k", fakeTestSamples, 99991);
}

} // namespace dpl::rt::testing
