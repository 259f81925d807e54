//===- WrongFilesTest.cpp - what each syntax error is called --------------===//

#include "test/Syntax/Parsed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;

namespace {

TEST(WrongText, Characters) {
  EXPECT_EQ(syntaxCodes("const a = 1 @ 2\n"), "1:13 unexpected_character\n");
  EXPECT_EQ(syntaxCodes("const a = b && c\n"), "1:13 unexpected_character\n");
  EXPECT_EQ(syntaxCodes("const a = !b\n"), "1:11 unexpected_character\n");
  EXPECT_EQ(syntaxCodes("const → = 1\n"), "1:7 unexpected_character\n");
}

TEST(WrongText, OffersTheOtherSpelling) {
  EXPECT_EQ(
      Parsed("const a = b || c\n").rendered(),
      R"(test.dpl:1:13: error: `||` has no meaning here [unexpected_character]
    1 | const a = b || c
      |             ^^
test.dpl:1:13: hint: write `or`
)");
}

TEST(WrongText, Strings) {
  EXPECT_EQ(syntaxCodes("const a = \"b\nconst c = 1\n"),
            "1:11 unterminated_string\n");
  EXPECT_EQ(syntaxCodes("const a = \"\\q \\u{} \\u{110000}\"\n"),
            "1:12 unknown_escape\n1:15 unknown_escape\n1:20 unknown_escape\n");
}

TEST(WrongText, Numbers) {
  EXPECT_EQ(syntaxCodes("const a = 1.\nconst b = 1e+\n"),
            "1:11 malformed_number\n2:11 malformed_number\n");
  EXPECT_EQ(syntaxCodes("const a = 9223372036854775808\nconst b = 1e999\n"),
            "1:11 number_too_large\n2:11 number_too_large\n");
  EXPECT_EQ(syntaxCodes("const a = 10 epohcs\nconst b = 3 apples\n"),
            "1:14 unknown_unit\n2:13 unknown_unit\n");
}

TEST(WrongBrackets, Unclosed) {
  EXPECT_EQ(syntaxCodes("const a = (1\n"), "1:13 unclosed_bracket\n");
  EXPECT_EQ(syntaxCodes("const a = [1)\n"), "1:13 unmatched_bracket\n");
  EXPECT_EQ(syntaxCodes("const a = ([1)\n"), "1:14 unclosed_bracket\n");
}

TEST(WrongBrackets, Unmatched) {
  EXPECT_EQ(syntaxCodes("const a = 1)\n"), "1:12 unmatched_bracket\n");
  EXPECT_EQ(syntaxCodes("const a = 1\n}\n"), "2:1 unmatched_bracket\n");
}

TEST(WrongLines, BeginWithAnOperator) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  x\n    + 1\n}\n"),
            "3:5 line_starts_with_operator\n");
  EXPECT_EQ(syntaxCodes("const a = b\n  and c\n"),
            "2:3 line_starts_with_operator\n");
}

TEST(WrongDeclarations, UnknownWord) {
  EXPECT_EQ(
      Parsed("modle M(x) = x\n").rendered(),
      R"(test.dpl:1:1: error: expected a declaration, found `modle` [expected_declaration]
    1 | modle M(x) = x
      | ^^^^^
test.dpl:1:1: hint: did you mean `model`?
)");
  EXPECT_EQ(syntaxCodes("let a = 1\n"), "1:1 expected_declaration\n");
}

TEST(WrongDeclarations, MissingParts) {
  EXPECT_EQ(syntaxCodes("const = 1\n"), "1:7 expected\n");
  EXPECT_EQ(syntaxCodes("const a\n"), "1:8 expected\n");
  EXPECT_EQ(syntaxCodes("const a =\n"), "1:10 expected\n");
  EXPECT_EQ(syntaxCodes("import b\n"), "1:8 expected\n");
  EXPECT_EQ(syntaxCodes("fn f = 1\n"), "1:6 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x)\n"), "1:8 expected\n");
  EXPECT_EQ(syntaxCodes("dataset d: f32 = x\n"), "1:12 expected\n");
  EXPECT_EQ(syntaxCodes("extern model M(x)\n"), "1:8 expected\n");
  EXPECT_EQ(syntaxCodes("const a = 1 2\n"), "1:13 expected\n");
  EXPECT_EQ(syntaxCodes("train M\n"), "1:8 expected\n");
}

TEST(WrongDeclarations, ReservedNames) {
  EXPECT_EQ(syntaxCodes("const scan = 1\n"), "1:7 reserved_word\n");
  EXPECT_EQ(syntaxCodes("fn f(in: int) = 1\n"), "1:6 reserved_word\n");
}

TEST(WrongDeclarations, Bodies) {
  EXPECT_EQ(syntaxCodes("fn f(x) = { x }\n"), "1:9 equal_before_block\n");
  EXPECT_EQ(syntaxCodes("extern fn f(x) = x\n"), "1:16 extern_with_body\n");
  EXPECT_EQ(syntaxCodes("model M(a: int)(x) = x\n"),
            "1:16 model_with_two_lists\n");
}

TEST(WrongTypes, MissingParts) {
  EXPECT_EQ(syntaxCodes("fn f(x: 3) = x\n"), "1:9 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x: a |) = x\n"), "1:12 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x: (a: f32, b)) = x\n"), "1:19 expected\n");
}

TEST(WrongStatements, MissingParts) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  let = 1\n  x\n}\n"), "2:7 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  let a 1\n  x\n}\n"), "2:9 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  param w = 1\n  x\n}\n"),
            "2:11 expected\n");
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  for i 0..3 { }\n  x\n}\n"),
            "2:9 expected\n");
}

TEST(WrongStatements, UnusedValues) {
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  g(x)\n  x\n}\n"), "2:3 unused_value\n");
  EXPECT_EQ(syntaxCodes("fn f(x) {\n  if c { x } else { y }\n  x\n}\n"), "");
}

TEST(WrongExpressions, MissingParts) {
  EXPECT_EQ(syntaxCodes("const a = b +\n"), "1:14 expected\n");
  EXPECT_EQ(syntaxCodes("const a = f(b c)\n"), "1:15 expected\n");
  EXPECT_EQ(syntaxCodes("const a = ()\n"), "1:12 expected\n");
  EXPECT_EQ(syntaxCodes("const a = b.1\n"), "1:13 expected\n");
  EXPECT_EQ(syntaxCodes("const a = [x for in y]\n"), "1:18 reserved_word\n");
  EXPECT_EQ(syntaxCodes("const a = scan z in y { z }\n"), "1:23 expected\n");
  EXPECT_EQ(syntaxCodes("const a = (b: 1, 2)\n"), "1:18 field_without_name\n");
}

TEST(WrongExpressions, Pipes) {
  EXPECT_EQ(syntaxCodes("const a = b + c |> f\n"), "1:17 pipe_mixed\n");
  EXPECT_EQ(syntaxCodes("const a = -c |> f\n"), "1:14 pipe_mixed\n");
  EXPECT_EQ(syntaxCodes("const a = c |> f + 1\n"), "1:18 pipe_mixed\n");
  EXPECT_EQ(syntaxCodes("const a = (b + c) |> f\n"), "");
}

TEST(WrongExpressions, PipesOfferBothMeanings) {
  Parsed parsed("const a = b + c |> f |> g\n");
  auto sorted = parsed.diags.sorted();
  ASSERT_EQ(sorted.size(), 1u);
  ASSERT_EQ(sorted[0]->attachments.size(), 2u);
  EXPECT_EQ(sorted[0]->attachments[0].replacement, "(b + c)");
  EXPECT_EQ(sorted[0]->attachments[1].replacement, "(c |> f |> g)");
}

TEST(WrongExpressions, Comparisons) {
  EXPECT_EQ(syntaxCodes("const a = b < c < d\n"), "1:17 chained_comparison\n");
}

TEST(WrongExpressions, Einsum) {
  EXPECT_EQ(syntaxCodes("const a = einsum(b * c[i] -> [i])\n"),
            "1:18 einsum_without_labels\n");
  EXPECT_EQ(syntaxCodes("const a = einsum(c[i])\n"), "1:22 expected\n");
}

TEST(WrongTrainings, Entries) {
  EXPECT_EQ(syntaxCodes("train M {\n  stop\n  data a\n}\n"), "2:7 expected\n");
  EXPECT_EQ(syntaxCodes("train M {\n  every { log }\n}\n"), "2:9 expected\n");
  EXPECT_EQ(syntaxCodes("train M {\n  every 1 epoch { 1 + }\n}\n"),
            "2:21 expected\n");
}

TEST(WrongExpressions, TooDeep) {
  std::string brackets(250, '('), closers(250, ')');
  EXPECT_EQ(syntaxCodes("const a = " + brackets + "1" + closers + "\n"),
            "1:211 nested_too_deep\n");
  EXPECT_EQ(syntaxCodes("const a = " + std::string(100000, '-') + "1\n"),
            "1:210 nested_too_deep\n");
  std::string types;
  for (int i = 0; i < 300; ++i)
    types += "(a: ";
  EXPECT_EQ(
      syntaxCodes("fn f(x: " + types + "f32) = x\n").find("nested_too_deep"),
      6u);
}

TEST(WrongExpressions, TooLong) {
  std::string sum = "const a = 1", calls = "const a = f";
  for (int i = 0; i < 3000; ++i) {
    sum += "+1";
    calls += "(1)";
  }
  EXPECT_EQ(syntaxCodes(sum + "\n"), "1:4012 chain_too_long\n");
  EXPECT_NE(syntaxCodes(calls + "\n").find("chain_too_long"),
            std::string::npos);
  std::string fits = "const a = 1";
  for (int i = 0; i < 1500; ++i)
    fits += "+1";
  EXPECT_EQ(syntaxCodes(fits + "\nconst b = " + fits.substr(10) + "\n"), "");
}

TEST(WrongTypes, BehindAnError) {
  EXPECT_EQ(syntaxCodes("dataset d: (a b: (c: f32)) = x\n"), "1:15 expected\n");
}

// One run shows all errors of a file, each once.
TEST(Recovery, SeveralErrors) {
  EXPECT_EQ(syntaxCodes(R"(modle N(x) = x
const a =
model M(x: f32[1, 28, 28) -> f32[10] {
  let = conv2d(16)
  let b = x |> conv1 +
  let c = f(x y)
  if c { let 3 } else { x + }
  c
}
const d = 3 apples
train M {
  data
  stop 10 epohcs
  every 1 epoch { evaluate(a b); log }
}
)"),
            "1:1 expected_declaration\n"
            "2:10 expected\n"
            "3:25 unclosed_bracket\n"
            "4:7 expected\n"
            "5:22 pipe_mixed\n"
            "5:23 expected\n"
            "6:15 expected\n"
            "7:14 expected\n"
            "7:29 expected\n"
            "10:13 unknown_unit\n"
            "12:7 expected\n"
            "13:11 unknown_unit\n"
            "14:30 expected\n");
}

TEST(Recovery, EndsForEveryPrefixOfAProgram) {
  std::string text = "layer L(a: int = 1)(x: f32[.., n]) -> f32[n] {\n"
                     "  let y = einsum(x[i] * w[i] -> [i])\n"
                     "  scan z in y carry h = 1 { h = (if a { z } else { [h "
                     "for q in 0..2 if q] }); h }\n"
                     "}\ntrain M { data a; every 1 epoch { print(a) } }\n";
  for (size_t n = 0; n <= text.size(); ++n)
    Parsed(llvm::StringRef(text).take_front(n));
  // Nonsense in the middle must not hang either.
  for (size_t n = 0; n <= text.size(); ++n)
    EXPECT_TRUE(Parsed(text.substr(0, n) + "}]) ,in{(" + text.substr(n))
                    .diags.hasErrors());
}

} // namespace
