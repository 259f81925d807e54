//===- Data/DataPathsTest.cpp ---------------------------------------------===//

#include "runtime/Data/DataPaths.h"

#include "runtime/Testing/StatusMatchers.h"

using namespace dpl::rt;
using namespace dpl::rt::testing;

static const std::vector<std::string> names = {"train_set", "test_set"};

TEST(DataPathsTest, RelativePathsStartAtTheRoot) {
  EXPECT_EQ(DataPaths().resolve("a", "data/mnist"), "data/mnist");
  EXPECT_EQ(DataPaths("/r").resolve("a", "data/mnist"), "/r/data/mnist");
  EXPECT_EQ(DataPaths("/r/").resolve("a", "mnist"), "/r/mnist");
  EXPECT_EQ(DataPaths("/r").resolve("a", "/mnist"), "/mnist");
}

TEST(DataPathsTest, FlagsReplaceOneOrAll) {
  DataPaths paths("/r");
  ASSERT_OK(paths.addFlag("train_set=here", names));
  EXPECT_EQ(paths.resolve("train_set", "m"), "here");
  EXPECT_EQ(paths.resolve("test_set", "m"), "/r/m");
  ASSERT_OK(paths.addFlag("./a=b", names));
  EXPECT_EQ(paths.resolve("train_set", "m"), "here");
  EXPECT_EQ(paths.resolve("test_set", "m"), "./a=b");
}

TEST(DataPathsTest, BadFlags) {
  DataPaths paths;
  expectFailure(paths.addFlag("trian_set=x", names), Exit::Usage,
                {"no data set `trian_set`", "did you mean `train_set`?"});
  expectFailure(paths.addFlag("train_set=", names), Exit::Usage, {"no path"});
  expectFailure(paths.addFlag("", names), Exit::Usage, {"no path"});
}
