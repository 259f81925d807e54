//===- LayoutTest.cpp - where a statement ends ----------------------------===//

#include "test/Syntax/Parsed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;
using llvm::cast;

namespace {

const Block &bodyOf(const Parsed &parsed) {
  return *cast<FunctionDecl>(parsed.file.decls.front())->body;
}

TEST(Layout, LinesGoOnBehindAnOperator) {
  Parsed parsed("fn f(x) {\n  let a = x +\n    1\n  a\n}\n");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(bodyOf(parsed).statements.size(), 2u);
}

TEST(Layout, LinesGoOnBeforePipeAndElse) {
  Parsed parsed(
      "fn f(x) {\n  let a = x\n    |> f\n  if true { a }\n  else { x }\n}\n");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(bodyOf(parsed).statements.size(), 2u);
}

TEST(Layout, LinesGoOnInBrackets) {
  Parsed parsed("fn f(x) = g(x\n  [1])\n  + 1");
  // The `[` on a line of its own is no index, even in brackets.
  EXPECT_EQ(parsed.codes(), "2:3 expected\n3:3 line_starts_with_operator\n");
}

TEST(Layout, StatementsEndInBlocksInBrackets) {
  Parsed parsed("fn f(x) = g(if true {\n  let a = x\n  a\n} else { x })\n");
  EXPECT_EQ(parsed.rendered(), "");
}

TEST(Layout, AMinusBeginsAStatement) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  x\n  - x\n}\n"), "2:3 unused_value\n");
}

TEST(Layout, SemicolonsEndStatements) {
  Parsed parsed("fn f(x) { let a = x; let b = a; b }\n");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(bodyOf(parsed).statements.size(), 3u);
}

TEST(Layout, AStatementClosesOpenBrackets) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  let a = g(x, [1\n  let b = 2\n  a\n}\n"),
            "2:18 unclosed_bracket\n");
}

TEST(Layout, ADeclarationClosesOpenBrackets) {
  EXPECT_EQ(syntaxCodes("const a = f(1,\n\nconst b = 2\n"),
            "1:15 unclosed_bracket\n");
}

TEST(Layout, ABraceInColumnOneClosesOpenBrackets) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  g(x\n}\nconst b = 2\n"),
            "2:6 unclosed_bracket\n");
}

// Else one forgotten brace would hide all that follows.
TEST(Layout, ADeclarationClosesOpenBraces) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  x\n\nfn g(x) = in\n"),
            "2:4 unclosed_bracket\n4:11 expected\n");
}

TEST(Layout, AnOptimizerInColumnOneMayBeAnEntry) {
  EXPECT_EQ(syntaxCodes("train M {\noptimizer sgd(lr: 1)\n}\n"), "");
}

TEST(Layout, SaysWhereTheBracketWasOpened) {
  Parsed parsed("fn f(x) {\n  let a = g(x\n  let b = 2\n  a\n}\n");
  EXPECT_EQ(parsed.rendered(),
            R"(test.dpl:2:14: error: unclosed `(` from 2:12 [unclosed_bracket]
    2 |   let a = g(x
      |              ^
test.dpl:2:12: note: `(` is opened here
)");
}

} // namespace
