//===- Base/LogTest.cpp ---------------------------------------------------===//

#include "runtime/Base/Log.h"

#include <gtest/gtest.h>
#include <string>

using namespace dpl::rt;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

TEST(LogTest, LinesSayWhatTheyAre) {
  CaptureStderr();
  logInfo("epoch 1");
  logWarning("a label is ignored");
  logError("cannot train\n  because: no data");
  EXPECT_EQ(GetCapturedStderr(), "epoch 1\n"
                                 "warning: a label is ignored\n"
                                 "error: cannot train\n"
                                 "  because: no data\n");
}

TEST(LogTest, EveryLineHasThePrefix) {
  setLogPrefix("rank 3: ");
  CaptureStderr();
  logError("a\nb");
  EXPECT_EQ(GetCapturedStderr(), "rank 3: error: a\nrank 3: b\n");
  setLogPrefix("");
}

TEST(LogTest, LowerLevelsAreDropped) {
  CaptureStderr();
  log(LogLevel::Debug, "not shown");
  setLogLevel(LogLevel::Error);
  logWarning("not shown");
  setLogLevel(LogLevel::Info);
  EXPECT_EQ(GetCapturedStderr(), "");
}
