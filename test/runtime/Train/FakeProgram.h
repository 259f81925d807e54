//===- FakeProgram.h - A program whose kernels are C++ ----------*- C++ -*-===//
//
// A linear softmax classifier with momentum, written by hand against the ABI:
// what a compiled program looks like to the runtime. Its description can be
// changed by a JSON merge patch, so that a test can ask for other blocks,
// iterators or errors.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TEST_RUNTIME_TRAIN_FAKEPROGRAM_H
#define DPL_TEST_RUNTIME_TRAIN_FAKEPROGRAM_H

#include "dpl/abi.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dpl::rt::testing {

inline constexpr int64_t fakeInputs = 16;
inline constexpr int64_t fakeClasses = 10;
inline constexpr int64_t fakeTile = 4;
inline constexpr int64_t fakeTrainSamples = 50;
inline constexpr int64_t fakeTestSamples = 23;
inline constexpr int64_t fakeBatch = 12;
inline constexpr int64_t fakeBatchesPerEpoch = 5;

/// Writes the data sets that the program reads into the new folder `folder`:
/// pictures of 4 by 4 pixels whose brightest ones tell the class.
void writeFakeData(const std::string &folder);

/// The description without a patch.
nlohmann::json fakeDescription();

/// A program around `description`, which must outlive it.
dpl_program fakeProgram(const std::string &description);

} // namespace dpl::rt::testing

#endif // DPL_TEST_RUNTIME_TRAIN_FAKEPROGRAM_H
