//===- LayerReference.cpp - the reference of the prelude ------------------===//

#include "compiler/Driver/LayerReference.h"
#include "compiler/Import/Import.h"
#include "compiler/Syntax/Parser.h"

using namespace dpl;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {
struct Chapter {
  StringRef title;
  bool (*holds)(const FunctionDecl &function);
};
} // namespace

static bool gives(const FunctionDecl &function, StringRef type) {
  auto *result = llvm::dyn_cast_or_null<NamedType>(function.result);
  return result && result->name.text == type;
}

template <FunctionKind kind, bool isExtern = false>
static bool isKind(const FunctionDecl &f) {
  return f.functionKind == kind && f.isExtern == isExtern;
}

static bool isReader(const FunctionDecl &f) {
  return f.functionKind == FunctionKind::Reader && !f.twoLists &&
         !gives(f, "iterator");
}

static bool isTransform(const FunctionDecl &f) {
  return f.functionKind == FunctionKind::Reader && f.twoLists;
}

static bool isPrimitive(const FunctionDecl &f) {
  return isKind<FunctionKind::Fn, true>(f) && !f.twoLists &&
         !gives(f, "action");
}

/// Each declaration of the prelude is in exactly one chapter.
static constexpr Chapter kChapters[] = {
    {"Layers", isKind<FunctionKind::Layer>},
    {"Functions, losses and metrics", isKind<FunctionKind::Fn>},
    {"Optimizers", isKind<FunctionKind::Optimizer>},
    {"Initial values",
     [](const FunctionDecl &f) {
       return isKind<FunctionKind::Fn, true>(f) && f.twoLists;
     }},
    {"Readers", isReader},
    {"Transforms", isTransform},
    {"Iterators", [](const FunctionDecl &f) { return gives(f, "iterator"); }},
    {"Actions of `every`",
     [](const FunctionDecl &f) { return gives(f, "action"); }},
    {"Primitives", isPrimitive},
};

/// The declaration without its body and without `extern`.
static StringRef signature(const FunctionDecl &f,
                           const SourceManager &sources) {
  Range range = f.range;
  if (f.body)
    range.end = f.body->range.begin;
  StringRef text = sources.text(range).rtrim();
  text.consume_back("=");
  text.consume_front("extern ");
  return text.rtrim();
}

void dpl::renderLayerReference(raw_ostream &os) {
  SourceManager sources;
  DiagnosticEngine diags;
  ASTContext context;
  std::vector<const FunctionDecl *> functions;
  for (const SourceBuffer *buffer : addPrelude(sources))
    for (const Decl *decl : parse(*buffer, context, diags).decls)
      if (auto *function = llvm::dyn_cast<FunctionDecl>(decl))
        functions.push_back(function);
  os << "# What every program can name\n\n"
        "Made by `ninja docs` from the declarations of `compiler/Prelude`. "
        "[The language](../language.md) says how they are called.\n";
  for (const Chapter &chapter : kChapters) {
    os << "\n## " << chapter.title << '\n';
    for (const FunctionDecl *f : functions)
      if (chapter.holds(*f))
        os << "\n### " << f->name.text << "\n```dpl\n"
           << signature(*f, sources) << "\n```\n"
           << f->doc << '\n';
  }
}
