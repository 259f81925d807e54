//===- RenderJson.cpp - diagnostics for a program -------------------------===//

#include "compiler/Diagnostics/Render.h"

#include "llvm/Support/JSON.h"

using namespace dpl;
using llvm::StringRef;

/// A text member. JSON is UTF-8, which names and quoted source need not be.
static void writeText(llvm::json::OStream &json, StringRef key,
                      StringRef text) {
  json.attribute(key, llvm::json::fixUTF8(text));
}

/// The members `file`, `start` and `end`; none for nowhere.
static void writeRange(llvm::json::OStream &json, Range range,
                       const SourceManager &sources) {
  const SourceBuffer *buffer = sources.buffer(range.begin);
  if (!buffer)
    return;
  writeText(json, "file", buffer->name());
  auto writePlace = [&](StringRef key, Location at) {
    LineColumn place = buffer->lineColumn(at);
    json.attributeObject(key, [&] {
      json.attribute("line", place.line);
      json.attribute("column", place.column);
    });
  };
  writePlace("start", range.begin);
  writePlace("end", range.end);
}

/// The array of a diagnostic's attachments of one kind.
static void writeAttachments(llvm::json::OStream &json, StringRef key,
                             Severity severity, const Diagnostic &diagnostic,
                             const SourceManager &sources) {
  json.attributeArray(key, [&] {
    for (const Attachment &a : diagnostic.attachments) {
      if (a.severity != severity)
        continue;
      json.object([&] {
        writeText(json, "message", a.message);
        writeRange(json, a.range, sources);
        if (a.hasReplacement)
          writeText(json, "replacement", a.replacement);
      });
    }
  });
}

void dpl::renderJson(const DiagnosticEngine &diags,
                     const SourceManager &sources, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const Diagnostic *d : diags.sorted()) {
      json.object([&] {
        json.attribute("severity",
                       d->severity == Severity::Error ? "error" : "warning");
        json.attribute("code", d->code);
        writeText(json, "message", d->message);
        writeRange(json, d->range, sources);
        writeAttachments(json, "labels", Severity::Label, *d, sources);
        writeAttachments(json, "notes", Severity::Note, *d, sources);
        writeAttachments(json, "hints", Severity::Hint, *d, sources);
        writeAttachments(json, "context", Severity::Context, *d, sources);
      });
    }
  });
  os << '\n';
}
