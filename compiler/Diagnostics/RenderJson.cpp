//===- RenderJson.cpp - diagnostics for a program -------------------------===//

#include "compiler/Diagnostics/Render.h"

#include "llvm/Support/JSON.h"

using namespace dpl;
using llvm::StringRef;

/// The members `file`, `start` and `end`; none for nowhere.
static void writeRange(llvm::json::OStream &json, Range range,
                       const SourceManager &sources) {
  const SourceBuffer *buffer = sources.buffer(range.begin);
  if (!buffer)
    return;
  json.attribute("file", buffer->name());
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
        json.attribute("message", a.message);
        writeRange(json, a.range, sources);
        if (a.hasReplacement)
          json.attribute("replacement", a.replacement);
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
        json.attribute("message", d->message);
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
