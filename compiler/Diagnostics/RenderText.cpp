//===- RenderText.cpp - diagnostics for a person --------------------------===//

#include "compiler/Diagnostics/Render.h"

#include "llvm/Support/Format.h"

#include <algorithm>

using namespace dpl;
using llvm::raw_ostream;
using llvm::StringRef;

static StringRef word(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
  case Severity::Context:
    return "note";
  case Severity::Hint:
    return "hint";
  case Severity::Label:
    break;
  }
  return "";
}

/// `file:line:column: ` for a place, the compiler's name for nowhere.
static void renderPlace(Range range, const SourceManager &sources,
                        raw_ostream &os) {
  if (const SourceBuffer *buffer = sources.buffer(range.begin)) {
    LineColumn at = buffer->lineColumn(range.begin);
    os << buffer->name() << ':' << at.line << ':' << at.column << ": ";
  } else {
    os << "dplc: ";
  }
}

/// Blanks that are as wide as the text, with its tabs.
static void renderIndent(StringRef text, raw_ostream &os) {
  for (char c : text) {
    bool continuesCharacter = (c & 0xC0) == 0x80;
    if (!continuesCharacter)
      os << (c == '\t' ? '\t' : ' ');
  }
}

static size_t countCharacters(StringRef text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (c & 0xC0) != 0x80; });
}

/// Bytes of a line that are shown around the beginning of a range, and
/// diagnostics that are shown at most: a file that is no program at all has
/// long lines and errors without end.
static constexpr size_t kMostBefore = 80, kMostBehind = 120;
static constexpr size_t kMostDiagnostics = 100;

/// Cuts a line that is too long to be read; `start` moves along.
static std::string shorten(StringRef line, size_t &start) {
  std::string text = line.substr(start, kMostBehind).str();
  if (line.size() - start > kMostBehind)
    text += "...";
  StringRef before = line.take_front(start);
  std::string lead = before.size() > kMostBefore ? "..." : "";
  lead += before.take_back(kMostBefore);
  start = lead.size();
  return lead + text;
}

/// The line of a range and carets under the range's part of it.
static void renderExcerpt(Range range, StringRef label,
                          const SourceManager &sources, raw_ostream &os) {
  const SourceBuffer *buffer = sources.buffer(range.begin);
  if (!buffer)
    return;
  LineColumn at = buffer->lineColumn(range.begin);
  size_t start = std::min<size_t>(at.column - 1, buffer->line(at.line).size());
  std::string shown = shorten(buffer->line(at.line), start);
  StringRef line = shown;
  os << llvm::format("%5u | ", at.line) << line << "\n      | ";
  renderIndent(line.take_front(start), os);
  size_t width = countCharacters(line.substr(start, range.size()));
  os << std::string(std::max<size_t>(1, width), '^');
  if (!label.empty())
    os << ' ' << label;
  os << '\n';
}

static void render(const Diagnostic &diagnostic, const SourceManager &sources,
                   raw_ostream &os) {
  renderPlace(diagnostic.range, sources, os);
  os << word(diagnostic.severity) << ": " << diagnostic.message << " ["
     << diagnostic.code << "]\n";

  auto isLabel = [](const Attachment &a) {
    return a.severity == Severity::Label;
  };
  const auto &list = diagnostic.attachments;
  auto label = std::find_if(list.begin(), list.end(), isLabel);
  if (label == list.end())
    renderExcerpt(diagnostic.range, "", sources, os);
  else
    renderExcerpt(label->range.isValid() ? label->range : diagnostic.range,
                  label->message, sources, os);

  for (const Attachment &a : list) {
    if (isLabel(a))
      continue;
    // A hint without a place belongs to the place of its error.
    renderPlace(a.range.isValid() ? a.range : diagnostic.range, sources, os);
    os << word(a.severity) << ": " << a.message << '\n';
    // What is no file cannot be looked up.
    const SourceBuffer *buffer = sources.buffer(a.range.begin);
    if (buffer && buffer->name().starts_with("<"))
      renderExcerpt(a.range, "", sources, os);
  }
}

void dpl::renderText(const DiagnosticEngine &diags,
                     const SourceManager &sources, raw_ostream &os) {
  size_t shown = 0;
  for (const Diagnostic *diagnostic : diags.sorted()) {
    if (shown == kMostDiagnostics) {
      os << "dplc: " << diags.sorted().size() - shown
         << " more errors and warnings are not shown\n";
      return;
    }
    render(*diagnostic, sources, os);
    ++shown;
  }
}
