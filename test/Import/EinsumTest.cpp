//===- EinsumTest.cpp - forms of einsum -----------------------------------===//

#include "test/Import/Imported.h"

#include "llvm/ADT/StringRef.h"
#include <gmock/gmock.h>

using namespace dpl::test;
using testing::HasSubstr;
using testing::Not;

static std::string forward(const std::string &result,
                           const std::string &expression) {
  Imported program("model M(a: f32[2, 3], b: f32[3, 4], c: f32[4]) -> " +
                   result + " =\n" + expression + "\n");
  EXPECT_EQ(program.rendered(), "");
  return program.function("M.forward");
}

TEST(Einsum, OfTwoFactorsIsAContraction) {
  EXPECT_THAT(forward("f32[2, 4]", "einsum(a[i, k] * b[k, j] -> [i, j])"),
              HasSubstr("lhs_labels = array<i64: 0, 1>, result_labels = "
                        "array<i64: 0, 2>, rhs_labels = array<i64: 1, 2>"));
}

TEST(Einsum, OfOneFactorSumsAndTransposes) {
  std::string ir = forward("f32[3, 2]", "einsum(a[i, j] -> [j, i])");
  EXPECT_THAT(ir, HasSubstr("dpl.transpose"));
  EXPECT_THAT(ir, Not(HasSubstr("dpl.reduce")));
  EXPECT_THAT(forward("f32[3]", "einsum(a[i, j] -> [j])"),
              HasSubstr("dpl.reduce"));
}

TEST(Einsum, OfThreeFactorsIsAChain) {
  std::string ir = forward("f32[2]", "einsum(a[i, k] * b[k, j] * c[j] -> [i])");
  EXPECT_EQ(llvm::StringRef(ir).count("dpl.contract"), 2u);
}

TEST(Einsum, TheRestStandsForTheOtherAxes) {
  EXPECT_THAT(forward("f32[2, 4]", "einsum(a[.., k] * b[k, j] -> [.., j])"),
              HasSubstr("dpl.contract"));
}

static std::string codes(const std::string &expression) {
  return codesOf("model M(a: f32[2, 3], b: f32[3, 4], c: f32[4]) =\n" +
                 expression + "\n");
}

TEST(Einsum, Errors) {
  EXPECT_EQ(codes("einsum(a[i, k] * c[k] -> [i])"), "2:1 einsum_size\n");
  EXPECT_EQ(codes("einsum(a[k] * c[k] -> [])"), "2:8 einsum_rank\n");
  EXPECT_EQ(codes("einsum(a[k, k] -> [k])"), "2:1 einsum_labels\n");
  EXPECT_EQ(codes("einsum(a[.., i, j, k] -> [i])"), "2:8 einsum_rest\n");
  EXPECT_EQ(codes("einsum(a[..] * c[..] -> [..])"), "2:16 einsum_rest\n");
}
