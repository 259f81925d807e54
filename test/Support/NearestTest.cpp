//===- NearestTest.cpp - the name that a typo meant -----------------------===//

#include "compiler/Support/Nearest.h"

#include <gtest/gtest.h>

using dpl::nearest;

TEST(Nearest, FindsATypo) {
  EXPECT_EQ(nearest("accuraccy", {"loss", "accuracy"}), "accuracy");
}

TEST(Nearest, CountsExchangedLettersOnce) {
  EXPECT_EQ(nearest("modle", {"train", "model"}), "model");
}

TEST(Nearest, FindsLettersThatWentAstray) {
  EXPECT_EQ(nearest("reapet", {"batch", "repeat"}), "repeat");
  EXPECT_EQ(nearest("polcy", {"police", "policy"}), "policy");
}

TEST(Nearest, FindsOtherSpellings) {
  EXPECT_EQ(nearest("batchNorm2D", {"batch_norm", "batch_norm2d"}),
            "batch_norm2d");
}

TEST(Nearest, PrefersTheNearer) {
  EXPECT_EQ(nearest("conv2", {"conv1d", "conv2d"}), "conv2d");
}

TEST(Nearest, IsSilentAboutStrangers) {
  EXPECT_EQ(nearest("momentum", {"lr", "nesterov"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("x", {}), "");
}
