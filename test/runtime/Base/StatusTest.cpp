//===- Base/StatusTest.cpp ------------------------------------------------===//

#include "runtime/Testing/StatusMatchers.h"

#include <cerrno>

using namespace dpl::rt;
using namespace dpl::rt::testing;

TEST(StatusTest, SuccessHasNoTextAndExitsWithZero) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.exitCode(), 0);
  EXPECT_EQ(status.text(), "");
}

TEST(StatusTest, ChainGoesFromWhatWasWantedToTheCause) {
  const Status status = Status::error(Exit::Data, "file is short")
                            .within("cannot read sample 3")
                            .within("cannot train");
  EXPECT_EQ(status.exitCode(), 3);
  EXPECT_EQ(status.text(), "cannot train\n"
                           "  because: cannot read sample 3\n"
                           "  because: file is short");
  EXPECT_EQ(status.copy().text(), status.text());
}

TEST(StatusTest, ContextDoesNotMakeASuccessAFailure) {
  EXPECT_TRUE(Status::success().within("cannot train").ok());
  EXPECT_TRUE(Status::success().as(Exit::Data).ok());
}

TEST(StatusTest, CategoryCanBeChanged) {
  EXPECT_EQ(Status::error(Exit::Runtime, "a").as(Exit::SnapshotIO).exitCode(),
            74);
  EXPECT_EQ(exitOfSignal(2), 130);
}

TEST(StatusTest, SystemErrorHasTheSystemsText) {
  expectFailure(Status::systemError(Exit::Data, "cannot open `a`", ENOENT),
                Exit::Data, {"cannot open `a`: No such file or directory"});
}

static Result<int> half(int x) {
  if (x % 2 != 0)
    return Status::error(Exit::Usage, "odd");
  return x / 2;
}

static Result<int> quarter(int x) {
  DPL_LET(const int h, half(x));
  DPL_LET(const int q, half(h));
  return q;
}

static Status check(int x) {
  DPL_TRY(quarter(x).takeStatus());
  return Status::success();
}

TEST(StatusTest, MacrosReturnTheFirstFailure) {
  EXPECT_EQ(*quarter(12), 3);
  expectFailure(quarter(6).status(), Exit::Usage, {"odd"});
  EXPECT_TRUE(check(4).ok());
  EXPECT_FALSE(check(5).ok());
}
