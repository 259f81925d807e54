//===- TensorTest.cpp - Strides and loop nests of reference tensors -------===//

#include "compiler/Reference/Tensor.h"
#include "compiler/Reference/Random.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace dpl;
using namespace dpl::reference;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tensor, ScalarHasOneElement) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(Tensor().size(), 1);
  EXPECT_THAT(offsets({}, {}), ElementsAre(0));
}

TEST(Tensor, StridesAreInCOrder) {
  EXPECT_THAT(strides({2, 3, 4}), ElementsAre(12, 4, 1));
  EXPECT_THAT(strides({}), IsEmpty());
}

TEST(Tensor, OffsetsFollowTheLoops) {
  EXPECT_THAT(offsets({2, 3}, {10, 1}), ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_THAT(offsets({2, 2}, {0, -1}), ElementsAre(0, -1, 0, -1));
}

TEST(Tensor, UniformValueIsTheSameForEverySample) {
  BatchValue u = BatchValue::uniform(Tensor({2}, 3));
  EXPECT_EQ(&u.at(0), &u.at(7));
  BatchValue s = BatchValue::samples({Tensor({2}, 3), Tensor({2}, 4)});
  EXPECT_EQ(s.at(1)[0], 4);
}

// A printed seed is worth something only if it gives the same numbers again.
TEST(Random, SameSeedSameNumbersInRange) {
  Random a(7), b(7);
  for (int i = 0; i < 100; ++i) {
    double v = a.uniform(-2, 3);
    EXPECT_EQ(v, b.uniform(-2, 3));
    EXPECT_GE(v, -2);
    EXPECT_LT(v, 3);
    int64_t n = a.between(-1, 1);
    EXPECT_EQ(n, b.between(-1, 1));
    EXPECT_TRUE(n >= -1 && n <= 1);
  }
}
