//===- Analyzed.cpp - programs in tests -----------------------------------===//

#include "test/Sema/Analyzed.h"

#include "llvm/Support/Path.h"

using namespace dpl;
using namespace dpl::test;
using llvm::StringRef;

static testing::Environment *const coverage =
    testing::AddGlobalTestEnvironment(new Coverage(diag::Layer::Sema));

Analyzed::Analyzed(StringRef text, StringRef name) {
  std::vector<const SourceBuffer *> prelude;
  for (const char *path :
       {DPL_SEMA_TESTS "/prelude.dpl", DPL_PRELUDE "/iterators.dpl",
        DPL_PRELUDE "/actions.dpl"}) {
    std::string error;
    prelude.push_back(sources.load(path, error));
    EXPECT_TRUE(prelude.back()) << path << ": " << error;
  }
  user = &sources.add(name, text);
  auto result = analyze(sources, prelude, *user, diags);
  if (llvm::succeeded(result))
    program = std::move(*result);
  recordCodes(diags);
}

std::string Analyzed::codes() const {
  std::string result;
  for (const Diagnostic *d : diags.sorted()) {
    const SourceBuffer *buffer = sources.buffer(d->range.begin);
    if (buffer != user)
      result += llvm::sys::path::filename(buffer->name()).str() + ":";
    LineColumn at = buffer->lineColumn(d->range.begin);
    result += std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
              d->code.str() + "\n";
  }
  return result;
}

std::string Analyzed::rendered() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  renderText(diags, sources, os);
  return text;
}

const Decl *Analyzed::decl(StringRef name) const {
  return program ? program->lookup(name) : nullptr;
}

std::string dpl::test::inModel(StringRef body) {
  return ("model M(x: f32[1, 28, 28]) -> f32[10] {" + body + "\n}\n").str();
}

std::string dpl::test::inTraining(StringRef entries) {
  return ("train M {" + entries + R"(
}
dataset train_set = mnist("a", split: train) |> to_float
dataset test_set = mnist("a", split: test) |> to_float
iterator train_iter = serial(train_set, batch: 64, repeat: true)
iterator test_iter = serial(test_set, batch: 64)
model M(x: f32[1, 28, 28]) -> f32[10] = x |> flatten |> linear(10)
)")
      .str();
}
