//===- RenderTest.cpp - what a person and a program see -------------------===//

#include "compiler/Diagnostics/Render.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace dpl;

namespace {

struct Fixture {
  SourceManager sources;
  const SourceBuffer &buffer;
  DiagnosticEngine diags;

  explicit Fixture(llvm::StringRef text) : buffer(sources.add("a.dpl", text)) {}
  Range find(llvm::StringRef text) {
    Location begin = buffer.begin().advanced(buffer.text().find(text));
    return {begin, begin.advanced(text.size())};
  }
  std::string text() {
    std::string result;
    llvm::raw_string_ostream os(result);
    renderText(diags, sources, os);
    return result;
  }
};

TEST(RenderText, UnderlinesTheRangeAndListsTheRest) {
  Fixture f("const a = 1\nlet in = 2\n");
  DiagnosticContext context(f.diags, diag::in_layer, f.find("const"), "f", "a");
  f.diags.report(diag::reserved_word, f.find("in"), "in")
      .note(diag::declared_here, f.find("a ="), "a")
      .hint(diag::did_you_mean, "inn");
  EXPECT_EQ(
      f.text(),
      R"(a.dpl:2:5: error: `in` is a reserved word and no name [reserved_word]
    2 | let in = 2
      |     ^^
a.dpl:1:7: note: `a` is declared here
a.dpl:2:5: hint: did you mean `inn`?
a.dpl:1:1: note: in `f`, applied to `a`
)");
}

// The message stands where the statement begins, the carets at the culprit.
TEST(RenderText, PutsCaretsAtTheLabel) {
  Fixture f("let y = x |> conv1\n");
  f.diags.report(diag::reserved_word, f.find("x |>"), "in")
      .label(diag::in_layer_here, f.find("conv1"), "conv2d", "x");
  EXPECT_EQ(
      f.text(),
      R"(a.dpl:1:9: error: `in` is a reserved word and no name [reserved_word]
    1 | let y = x |> conv1
      |              ^^^^^ in `conv2d`, applied to `x`
)");
}

TEST(RenderText, CountsCharactersAndKeepsTabs) {
  Fixture f("\t\"wᵀ\" in\n");
  f.diags.report(diag::reserved_word, f.find("in"), "in");
  EXPECT_EQ(f.text(),
            "a.dpl:1:9: error: `in` is a reserved word and no name "
            "[reserved_word]\n    1 | \t\"wᵀ\" in\n      | \t     ^^\n");
}

TEST(RenderText, EndsCaretsWithTheLine) {
  Fixture f("f(a,\n  b)\n");
  f.diags.report(diag::reserved_word, f.find("f(a,\n  b)"), "in");
  EXPECT_EQ(f.text(), "a.dpl:1:1: error: `in` is a reserved word and no name "
                      "[reserved_word]\n    1 | f(a,\n      | ^^^^\n");
}

TEST(RenderText, ShowsThePartOfALongLine) {
  std::string line = std::string(200, 'a') + " in " + std::string(300, 'b');
  Fixture f((line + "\n").c_str());
  f.diags.report(diag::reserved_word, f.find(" in "), "in");
  std::string text = f.text();
  EXPECT_LT(text.size(), 600u);
  EXPECT_NE(text.find("| ..." + std::string(80, 'a') + " in b"),
            std::string::npos);
  EXPECT_NE(text.find(std::string(83, ' ') + "^^^^\n"), std::string::npos);
}

TEST(RenderText, StopsAfterAHundred) {
  Fixture f(std::string(300, 'x').c_str());
  for (unsigned i = 0; i < 250; ++i) {
    Range all = f.find(std::string(300, 'x').c_str());
    Location at = all.begin.advanced(i);
    f.diags.report(diag::reserved_word, {at, at.advanced(1)}, "in");
  }
  std::string text = f.text();
  EXPECT_NE(text.find("dplc: 150 more errors and warnings are not shown\n"),
            std::string::npos);
}

TEST(RenderText, NeedsNoPlace) {
  Fixture f("");
  f.diags.report(diag::reserved_word, Range(), "in");
  EXPECT_EQ(f.text(), "dplc: error: `in` is a reserved word and no name "
                      "[reserved_word]\n");
}

/// JSON is UTF-8, whatever the program is.
TEST(RenderJson, RepairsTextThatIsNotUtf8) {
  Fixture f("let \xff\xfe = 2\n");
  f.diags.report(diag::reserved_word, f.find("\xff\xfe"), "a\xff");
  std::string text;
  llvm::raw_string_ostream os(text);
  renderJson(f.diags, f.sources, os);
  EXPECT_TRUE(llvm::json::isUTF8(text));
  EXPECT_NE(text.find("`a\xef\xbf\xbd` is a reserved word"), std::string::npos);
}

TEST(RenderJson, HoldsPlacesAndFixes) {
  Fixture f("let in = 2\n");
  f.diags.report(diag::reserved_word, f.find("in"), "in")
      .fix(diag::did_you_mean, f.find("in"), "inn", "inn");
  std::string text;
  llvm::raw_string_ostream os(text);
  renderJson(f.diags, f.sources, os);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(json));
  const llvm::json::Object &first = *(*json->getAsArray())[0].getAsObject();
  EXPECT_EQ(first.getString("code"), "reserved_word");
  EXPECT_EQ(first.getString("severity"), "error");
  EXPECT_EQ(first.getString("file"), "a.dpl");
  EXPECT_EQ(first.getObject("start")->getInteger("column"), 5);
  EXPECT_EQ(first.getObject("end")->getInteger("column"), 7);
  const llvm::json::Object &hint = *(*first.getArray("hints"))[0].getAsObject();
  EXPECT_EQ(hint.getString("replacement"), "inn");
}

} // namespace
