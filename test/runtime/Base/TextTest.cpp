//===- Base/TextTest.cpp --------------------------------------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Base/DType.h"

#include <gtest/gtest.h>

using namespace dpl::rt;

static const std::vector<std::string> names = {"train_set", "test_set", "x"};

TEST(TextTest, NearestNameFindsSlips) {
  EXPECT_EQ(nearestName("trian_set", names), "train_set");
  EXPECT_EQ(nearestName("test_sets", names), "test_set");
  EXPECT_EQ(nearestName("x", names), "x");
}

TEST(TextTest, NearestNameDoesNotGuessWildly) {
  EXPECT_EQ(nearestName("validation", names), "");
  EXPECT_EQ(nearestName("q", names), "");
}

TEST(TextTest, KnownNamesOffersOneOrAll) {
  EXPECT_EQ(knownNames("tain_set", names), "; did you mean `train_set`?");
  EXPECT_EQ(knownNames("validation", names),
            "; known are `train_set`, `test_set`, `x`");
  EXPECT_EQ(knownNames("a", {}), "; there are none");
}

TEST(TextTest, SplitKeepsEmptyPieces) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(split("a,,b,", ','), (Pieces{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Pieces{""});
}

TEST(TextTest, Shape) {
  const std::vector<int64_t> shape = {1, 28, 28};
  EXPECT_EQ(shapeText(shape), "[1, 28, 28]");
  EXPECT_EQ(shapeText({}), "[]");
}

TEST(TextTest, DTypesGoBothWays) {
  for (const DType type :
       {DType::U8, DType::I32, DType::I64, DType::F32, DType::F64})
    EXPECT_EQ(parseDType(dtypeName(type)), type);
  EXPECT_EQ(parseDType("f16"), std::nullopt);
  EXPECT_EQ(dtypeSize(DType::I64), 8u);
}
