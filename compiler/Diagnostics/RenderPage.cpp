//===- RenderPage.cpp - pages for a terminal and for the docs -------------===//

#include "compiler/Diagnostics/Pages.h"
#include "compiler/Diagnostics/Registry.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace dpl;
using llvm::raw_ostream;
using llvm::StringRef;

static const diag::Info *findInfo(StringRef code) {
  for (const diag::Info &info : diag::registry())
    if (info.code == code)
      return &info;
  return nullptr;
}

/// The message with `..` for what depends on the program. Empty for a message
/// that is nothing else.
static std::string outline(StringRef text) {
  if (text == "{0}")
    return "";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isPlace = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    result += isPlace ? ".." : text.substr(i, 1).str();
    i += isPlace ? 2 : 0;
  }
  return result;
}

static StringRef severityOf(const diag::Info &info) {
  return info.severity == Severity::Warning ? "warning" : "error";
}

/// Words in lines of at most 79 columns.
static void renderWrapped(StringRef text, raw_ostream &os) {
  size_t column = 0;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  for (StringRef word : words) {
    if (column + word.size() + 1 > 79) {
      os << '\n';
      column = 0;
    }
    os << (column ? " " : "") << word;
    column += word.size() + (column ? 1 : 0);
  }
  os << '\n';
}

static void renderIndented(StringRef title, const PageExample &example,
                           raw_ostream &os) {
  if (example.text.empty())
    return;
  os << '\n' << title;
  if (!example.flags.empty())
    os << " with `dplc " << example.flags << "`";
  os << ":\n\n";
  llvm::SmallVector<StringRef> lines;
  example.text.rtrim().split(lines, '\n');
  for (StringRef line : lines)
    os << (line.empty() ? "" : "    ") << line << '\n';
}

void dpl::renderPage(const Page &page, raw_ostream &os) {
  const diag::Info *info = findInfo(page.code);
  assert(info && "a page of no message");
  std::string message = outline(info->text);
  os << severityOf(*info) << (message.empty() ? "" : ": ") << message << " ["
     << page.code << "]\n\n";
  renderWrapped(page.text, os);
  renderIndented("This fails", page.wrong, os);
  renderIndented("This works", page.right, os);
}

static void renderFenced(StringRef title, const PageExample &example,
                         raw_ostream &os) {
  if (example.text.empty())
    return;
  os << '\n' << title;
  if (!example.place.empty())
    os << " at " << example.place;
  if (!example.flags.empty())
    os << " with `dplc " << example.flags << '`';
  os << ":\n```dpl\n" << example.text.rtrim() << "\n```\n";
}

void dpl::renderReference(raw_ostream &os) {
  os << "# Errors and warnings\n\n"
        "Made by `ninja docs` from the registry of messages and its pages; "
        "`dplc --explain CODE` shows one of them.\n";
  StringRef chapter;
  for (const Page &page : pages()) {
    if (page.chapter != chapter)
      os << "\n## " << page.chapter << '\n';
    chapter = page.chapter;
    const diag::Info *info = findInfo(page.code);
    assert(info && "a page of no message");
    os << "\n### " << page.code << '\n';
    if (std::string message = outline(info->text); !message.empty())
      os << "*" << severityOf(*info) << ": " << message << "*\n\n";
    os << page.text << '\n';
    renderFenced("Fails", page.wrong, os);
    renderFenced("Works", page.right, os);
  }
}
