//===- Pages.cpp - the pages of Pages/, taken apart -----------------------===//

#include "compiler/Diagnostics/Pages.h"

#include "llvm/ADT/Twine.h"

#include <vector>

using namespace dpl;
using llvm::StringRef;

namespace {
struct PageFile {
  StringRef name;
  StringRef text;
};
} // namespace

static constexpr llvm::StringLiteral kFence = "```";

/// The example whose fence has this word; takes it out of nothing.
static PageExample parseExample(StringRef section, StringRef word) {
  std::string opening = (llvm::Twine(kFence) + "dpl " + word).str();
  StringRef rest = section.substr(section.find(opening)).substr(opening.size());
  if (rest.empty())
    return {};
  auto [line, body] = rest.split('\n');
  PageExample example;
  example.text = body.split(kFence).first;
  line = line.trim();
  bool hasPlace = !line.empty() && line.front() != '-';
  if (hasPlace)
    std::tie(example.place, line) = line.split(' ');
  example.flags = line.trim();
  return example;
}

static void parseFile(const PageFile &file, std::vector<Page> &pages) {
  auto [head, rest] = file.text.split("\n### ");
  StringRef chapter = head.ltrim("# ").split('\n').first;
  while (!rest.empty()) {
    StringRef section;
    std::tie(section, rest) = rest.split("\n### ");
    auto [code, body] = section.split('\n');
    pages.push_back({chapter, code.trim(), body.split(kFence).first.trim(),
                     parseExample(body, "wrong"), parseExample(body, "right")});
  }
}

llvm::ArrayRef<Page> dpl::pages() {
  static const PageFile files[] = {
#include "compiler/Diagnostics/Pages.inc"
  };
  static const std::vector<Page> all = [] {
    std::vector<Page> pages;
    for (const PageFile &file : files)
      parseFile(file, pages);
    return pages;
  }();
  return all;
}

const Page *dpl::findPage(StringRef code) {
  for (const Page &page : pages())
    if (page.code == code)
      return &page;
  return nullptr;
}
