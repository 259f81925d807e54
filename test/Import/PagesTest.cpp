//===- PagesTest.cpp - the programs of pages and of the reference ---------===//
//
// `dplc --explain` and docs/language.md show programs. Those that are said to
// be wrong have exactly the error that is named, where it is said; all others
// compile without a word.
//
//===----------------------------------------------------------------------===//

#include "compiler/Diagnostics/Pages.h"
#include "test/Import/Imported.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace dpl;
using namespace dpl::test;
using llvm::StringRef;

namespace {

/// What `-D name=value ..` says.
Overrides overridesOf(StringRef flags) {
  Overrides overrides;
  llvm::SmallVector<StringRef> words;
  flags.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (word != "-D")
      overrides.push_back(
          {word.split('=').first.str(), word.split('=').second.str()});
  return overrides;
}

/// Programs that exhaust a limit are too long for a page.
bool hasExamples(const diag::Info &info) {
  return info.layer != diag::Layer::Driver && info.code != "chain_too_long" &&
         info.code != "nested_too_deep" && info.code != "too_many_steps";
}

bool standsAlone(const diag::Info &info) {
  return info.severity == Severity::Error || info.severity == Severity::Warning;
}

TEST(Pages, EachMessageHasOne) {
  llvm::StringSet<> codes;
  for (const Page &page : pages()) {
    EXPECT_TRUE(codes.insert(page.code).second) << page.code.str();
    EXPECT_FALSE(page.text.empty()) << page.code.str();
  }
  unsigned messages = 0;
  for (const diag::Info &info : diag::registry()) {
    if (!standsAlone(info))
      continue;
    ++messages;
    const Page *page = findPage(info.code);
    ASSERT_TRUE(page) << "no page for `" << info.code.str()
                      << "` in compiler/Diagnostics/Pages";
    EXPECT_EQ(!page->wrong.text.empty(), hasExamples(info)) << info.code.str();
    EXPECT_EQ(!page->right.text.empty(), hasExamples(info)) << info.code.str();
  }
  EXPECT_EQ(messages, pages().size());
}

TEST(Pages, WrongProgramsHaveThisErrorAlone) {
  unsigned programs = 0;
  for (const Page &page : pages()) {
    if (page.wrong.text.empty())
      continue;
    std::string place = page.wrong.place.str();
    EXPECT_EQ(codesOf(page.wrong.text, overridesOf(page.wrong.flags)),
              place + (place.empty() ? "" : " ") + page.code.str() + "\n");
    ++programs;
  }
  EXPECT_GE(programs, 150u);
}

TEST(Pages, RightProgramsCompile) {
  for (const Page &page : pages())
    if (!page.right.text.empty())
      EXPECT_EQ(
          Imported(page.right.text, overridesOf(page.right.flags)).rendered(),
          "")
          << page.code.str();
}

struct Fence {
  std::string info; ///< what stands behind the backquotes
  std::string text;
  unsigned line = 0;
};

std::vector<Fence> fencesOf(const std::string &path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<Fence> fences;
  std::string line;
  bool isInside = false;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    bool isFence = StringRef(line).starts_with("```");
    if (isFence && !isInside)
      fences.push_back({line.substr(3), "", number});
    else if (!isFence && isInside)
      fences.back().text += line + "\n";
    isInside ^= isFence;
  }
  return fences;
}

/// `dpl` compiles; `dpl wrong CODE..` has these errors in this order.
TEST(Reference, ProgramsOfTheLanguageAreAsTheySay) {
  unsigned programs = 0;
  for (const Fence &fence : fencesOf(DPL_SOURCE "/docs/language.md")) {
    StringRef info = fence.info;
    if (!info.consume_front("dpl"))
      continue;
    ++programs;
    Imported program(fence.text);
    if (!info.consume_front(" wrong ")) {
      EXPECT_EQ(program.rendered(), "") << "line " << fence.line;
      continue;
    }
    std::string codes;
    for (const Diagnostic *d : program.diags.sorted())
      codes += (codes.empty() ? "" : " ") + d->code.str();
    EXPECT_EQ(codes, info.str()) << "line " << fence.line;
  }
  EXPECT_GE(programs, 20u);
}

/// Rules have labels such as **[pipe.mix]**, once each; codes that the page
/// names exist.
TEST(Reference, LabelsAreUniqueAndCodesExist) {
  std::ifstream file(DPL_SOURCE "/docs/language.md");
  std::stringstream all;
  all << file.rdbuf();
  std::string text = all.str();
  llvm::StringSet<> labels;
  for (size_t at = text.find("**["); at != std::string::npos;
       at = text.find("**[", at + 1)) {
    std::string label = text.substr(at + 3, text.find("]**", at) - at - 3);
    EXPECT_TRUE(labels.insert(label).second) << label;
  }
  EXPECT_GE(labels.size(), 60u);
  // Codes follow an arrow: → `unknown_name`, `declared_twice`.
  const std::string arrow = "→ ";
  unsigned codes = 0;
  for (size_t at = text.find(arrow); at != std::string::npos;
       at = text.find(arrow, at + 1)) {
    StringRef rest = StringRef(text).substr(at + arrow.size());
    do {
      EXPECT_TRUE(rest.consume_front("`")) << rest.take_front(40).str();
      EXPECT_TRUE(findPage(rest.split('`').first)) << rest.take_front(40).str();
      rest = rest.split('`').second;
      ++codes;
    } while (rest.consume_front(", "));
  }
  EXPECT_GE(codes, 80u);
}

} // namespace
