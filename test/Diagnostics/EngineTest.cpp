//===- EngineTest.cpp - collecting and the registry -----------------------===//

#include "compiler/Diagnostics/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace dpl;

namespace {

Range at(uint32_t begin, uint32_t end) { return {{begin}, {end}}; }

TEST(Engine, SortsBySource) {
  DiagnosticEngine diags;
  diags.report(diag::unmatched_bracket, at(9, 10), ")");
  diags.report(diag::reserved_word, at(3, 5), "in");
  auto sorted = diags.sorted();
  ASSERT_EQ(sorted.size(), 2u);
  EXPECT_EQ(sorted[0]->code, "reserved_word");
  EXPECT_EQ(sorted[0]->message, "`in` is a reserved word and no name");
  EXPECT_EQ(sorted[1]->code, "unmatched_bracket");
}

// A phase that sees the same expression twice may report it twice.
TEST(Engine, ShowsOneOfEachPlace) {
  DiagnosticEngine diags;
  diags.report(diag::reserved_word, at(3, 5), "in");
  diags.report(diag::reserved_word, at(3, 5), "in");
  diags.report(diag::unmatched_bracket, at(3, 5), ")");
  EXPECT_EQ(diags.sorted().size(), 2u);
}

TEST(Engine, ShowsOneOfEachCause) {
  DiagnosticEngine diags;
  diags.report(diag::reserved_word, at(3, 5), "in").cause("in");
  diags.report(diag::reserved_word, at(7, 9), "in").cause("in");
  diags.report(diag::reserved_word, at(11, 13), "or").cause("or");
  EXPECT_EQ(diags.sorted().size(), 2u);
}

TEST(Engine, PutsContextsBehindNotesInnermostFirst) {
  DiagnosticEngine diags;
  {
    DiagnosticContext outer(diags, diag::in_layer, at(1, 2), "outer", "a");
    DiagnosticContext inner(diags, diag::in_layer, at(2, 3), "inner", "b");
    diags.report(diag::reserved_word, at(3, 5), "in")
        .note(diag::opened_here, at(4, 5), "(");
  }
  diags.report(diag::reserved_word, at(8, 9), "in");
  auto sorted = diags.sorted();
  std::vector<std::string> texts;
  for (const Attachment &a : sorted[0]->attachments)
    texts.push_back(a.message);
  EXPECT_EQ(texts, (std::vector<std::string>{"`(` is opened here",
                                             "in `inner`, applied to `b`",
                                             "in `outer`, applied to `a`"}));
  EXPECT_TRUE(sorted[1]->attachments.empty());
}

TEST(Engine, IsAFailure) {
  DiagnosticEngine diags;
  auto fails = [&]() -> llvm::LogicalResult {
    return diags.report(diag::reserved_word, at(3, 5), "in");
  };
  EXPECT_TRUE(llvm::failed(fails()));
  EXPECT_TRUE(diags.hasErrors());
}

TEST(Sizes, AreWrittenWithCrosses) {
  EXPECT_EQ(diag::Sizes({3, 3}).text, "3x3");
  EXPECT_EQ(diag::Sizes(llvm::ArrayRef<int64_t>()).text, "()");
}

// The style of all messages: a code in snake case, once; text in lower case
// without a period.
TEST(Registry, HasOneStyle) {
  llvm::StringSet<> codes;
  for (const diag::Info &info : diag::registry()) {
    SCOPED_TRACE(info.code.str());
    EXPECT_TRUE(codes.insert(info.code).second);
    EXPECT_FALSE(info.text.ends_with("."));
    EXPECT_FALSE(llvm::isUpper(info.text.front()));
    for (char c : info.code)
      EXPECT_TRUE(llvm::isLower(c) || llvm::isDigit(c) || c == '_');
  }
}

} // namespace
