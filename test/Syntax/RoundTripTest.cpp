//===- RoundTripTest.cpp - programs parse, print and parse again ----------===//

#include "test/Syntax/Parsed.h"

#include "compiler/Syntax/Lexer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;

namespace {

std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The tokens of a text; what layout alone decides is left out: ends of lines
/// and commas before closing brackets.
std::vector<std::string> tokensOf(const std::string &text) {
  SourceManager sources;
  ASTContext context;
  DiagnosticEngine diags;
  std::vector<Comment> comments;
  std::vector<std::string> result;
  for (const Token &t : lex(sources.add("t", text), context, diags, comments)) {
    bool closes = t.is(TokenKind::RightParen) || t.is(TokenKind::RightBracket);
    if (closes && !result.empty() && result.back() == ",")
      result.pop_back();
    if (t.is(TokenKind::Semicolon))
      continue;
    // A unit is printed in the number that fits its count.
    llvm::StringRef word = t.text;
    bool isUnit = t.is(TokenKind::Identifier) && !result.empty() &&
                  isdigit(result.back()[0]);
    result.push_back(isUnit ? word.rtrim('s').str() : word.str());
  }
  for (const Comment &c : comments)
    result.push_back(c.text.str());
  return result;
}

void expectRoundTrip(const std::string &text) {
  Parsed first(text);
  ASSERT_EQ(first.rendered(), "");
  std::string printed = first.printed();
  EXPECT_EQ(tokensOf(text), tokensOf(printed));
  Parsed second(printed);
  EXPECT_EQ(second.rendered(), "");
  EXPECT_EQ(second.printed(), printed);
}

class Program : public testing::TestWithParam<std::string> {};

TEST_P(Program, ParsesAndPrints) {
  std::string text = readFile(std::string(DPL_PROGRAMS) + "/" + GetParam());
  ASSERT_FALSE(text.empty());
  expectRoundTrip(text);
}

INSTANTIATE_TEST_SUITE_P(
    All, Program,
    testing::Values("a1_cnn.dpl", "a2_simplecnn.dpl", "b_resnet18.dpl",
                    "c_gpt.dpl", "d_lstm.dpl", "e1_autoencoder.dpl",
                    "e2_vae.dpl", "f_siamese.dpl", "g_dcgan.dpl",
                    "h_finetune.dpl", "i_multitask.dpl", "j_infonce.dpl",
                    "k_tabular.dpl", "l_detect.dpl", "prelude.dpl"),
    [](const auto &info) {
      return info.param.substr(0, info.param.find('.'));
    });

// Positional sizes, blocks in expressions and several entries on one line are
// forms that the programs do not all have.
TEST(RoundTrip, Snippets) {
  expectRoundTrip(R"(dataset test_set = cifar10("data/cifar10", split: test)
    |> resize(32, 32) |> to_float |> normalize(mean: 0.5, std: 0.5)
)");
  expectRoundTrip(R"(/// Affine map of the last axis: y = x wᵀ + b.
layer linear(out: int, bias: bool = true, init: initializer = he_uniform)(x: f32[.., n]) -> f32[.., out] {
  param weight: f32[out, n] = init
  let y = einsum(x[.., n] * weight[o, n] -> [.., o])
  if bias { param bias: f32[out] = zeros as bias; y + bias } else { y }
}
)");
  expectRoundTrip("fn f(x: f32[]) = -x ** 2 % 3 == 1 and not x < 2 or x[.., "
                  "1..2, _].y.z(a: 1,)(\n  2)\n");
  expectRoundTrip(
      "fn f(x) = (if true { 1 } else if false { 2 } else {\n  3\n})\n");
  expectRoundTrip("fn f(x) {\n  for i in 0..3 { v = v + x[i] }\n  var a, b: "
                  "f32 = x\n  state s: f32[2] = zeros\n  a\n}\n");
  expectRoundTrip("option s = \"a \\\"b\\\" \\\\ \\n \\t\"  \"help\"\n");
  expectRoundTrip(
      "train A, B {\n  loss { let a = 1; a }\n  step d { update D }\n}\n");
}

TEST(Printer, KeepsCommentsInTheirPlaces) {
  std::string text = R"(// First.

/// A doc.
const a = 1  // behind

// Alone.
layer L(
    /// How many.
    out: int,  // channels
    bias: bool = true
)(x: f32[n]) {  // open
  // before
  let y = x  // y

  // last
  y
  // end
}
// end of file
)";
  Parsed parsed(text);
  std::string printed = parsed.printed();
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(printed, text);
}

TEST(Printer, BreaksLongLists) {
  std::string names = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  Parsed parsed("const b = f(" + names + ", " + names + ")\n");
  EXPECT_EQ(parsed.printed(),
            "const b = f(" + names + ",\n            " + names + ")\n");
}

TEST(Printer, BreaksLongPipes) {
  std::string stage = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  Parsed parsed("const b = x |> " + stage + " |> " + stage + "\n");
  EXPECT_EQ(parsed.printed(),
            "const b = x |> " + stage + "\n    |> " + stage + "\n");
}

TEST(Printer, AlignsTheValuesOfATraining) {
  Parsed parsed("train M {\n  data a\n  optimizer sgd(lr: 1)\n}\n");
  EXPECT_EQ(parsed.printed(),
            "train M {\n  data      a\n  optimizer sgd(lr: 1)\n}\n");
}

} // namespace
