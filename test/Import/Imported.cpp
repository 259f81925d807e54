//===- Imported.cpp - imported programs in tests --------------------------===//

#include "test/Import/Imported.h"

#include "compiler/Diagnostics/Render.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Sema/Sema.h"
#include "test/Diagnostics/Coverage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace dpl;
using namespace dpl::test;
using llvm::StringRef;

static testing::Environment *const coverage =
    testing::AddGlobalTestEnvironment(new Coverage(diag::Layer::Import));

Imported::Imported(StringRef text, const Overrides &overrides) {
  std::vector<const SourceBuffer *> prelude = addPrelude(sources);
  const SourceBuffer &user = sources.add("test.dpl", text);
  auto analyzed = analyze(sources, prelude, user, diags);
  if (llvm::succeeded(analyzed)) {
    program = std::move(*analyzed);
    ImportOptions options;
    for (const auto &[name, value] : overrides)
      options.overrides[name] = value;
    module = importProgram(context, sources, *program, options, diags);
    EXPECT_EQ(!module, diags.hasErrors());
  }
  recordCodes(diags);
}

std::string Imported::codes() const {
  std::string result;
  for (const Diagnostic *d : diags.sorted()) {
    if (const SourceBuffer *buffer = sources.buffer(d->range.begin)) {
      LineColumn at = buffer->lineColumn(d->range.begin);
      if (buffer->name() != "test.dpl")
        result += buffer->name().str() + ":";
      result += std::to_string(at.line) + ":" + std::to_string(at.column) + " ";
    }
    result += d->code.str() + "\n";
  }
  return result;
}

std::string Imported::rendered() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  renderText(diags, sources, os);
  return text;
}

std::string Imported::ir() {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (module)
    module->print(os);
  return text;
}

std::string Imported::function(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto found =
      module ? module->lookupSymbol<mlir::func::FuncOp>(name) : nullptr;
  if (found)
    found.print(os);
  return text;
}

std::string Imported::parameters() {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (module)
    for (ParameterOp p : module->getOps<ParameterOp>())
      os << p.getSymName() << ": " << p.getType() << "\n";
  return text;
}

std::string dpl::test::codesOf(StringRef text, const Overrides &overrides) {
  return Imported(text, overrides).codes();
}

std::string dpl::test::trained(StringRef model, StringRef entries) {
  return (model + R"(
option rate = 0.1
dataset digits = mnist("digits", split: train) |> to_float
iterator batches = serial(digits, batch: 64, repeat: true)
iterator tests = serial(digits, batch: 50)
train M {
  data      batches
  optimizer sgd(lr: rate, momentum: 0.9)
  stop      1 epoch
  every 1 epoch { evaluate(tests) }
)" + entries +
          "\n}\n")
      .str();
}
