//===- GraphsTest.cpp - Random whole graphs, compiled ---------------------===//
//
// DPL_TEST_SEED decides all graphs; DPL_TEST_GRAPH=N runs only number N.
//
//===----------------------------------------------------------------------===//

#include "test/Random/Check.h"
#include "test/Random/GraphBuilder.h"
#include "test/Random/SourceProgram.h"
#include "test/Support/Random.h"

#include "compiler/Diagnostics/Render.h"
#include "compiler/Import/Import.h"
#include "compiler/Sema/Sema.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

namespace {

uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}
/// Graphs of primitives; half as many are of layers, whose code is larger. A
/// long run has 2,000 of both together.
uint64_t graphCount() { return isLongRun() ? 1334 : 200; }

/// Parts that the graphs of a kind are run in, so that processes can share.
constexpr int kParts = 10;

DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

/// Makes the module of a choice, and what to print of it.
using Generator = std::function<OwningOpRef<ModuleOp>(
    MLIRContext &, const Choice &, std::string &text)>;

OwningOpRef<ModuleOp> generateGraph(MLIRContext &context, const Choice &choice,
                                    std::string &text) {
  OwningOpRef<ModuleOp> module = randomGraph(context, choice);
  if (module)
    llvm::raw_string_ostream(text) << *module;
  return module;
}

OwningOpRef<ModuleOp> importText(MLIRContext &context, const std::string &text,
                                 std::string &messages) {
  SourceManager sources;
  dpl::DiagnosticEngine diags;
  std::vector<const SourceBuffer *> prelude = addPrelude(sources);
  const SourceBuffer &user = sources.add("random.dpl", text);
  OwningOpRef<ModuleOp> module;
  auto program = analyze(sources, prelude, user, diags);
  if (succeeded(program))
    module = importProgram(context, sources, **program, {}, diags);
  if (!module) {
    llvm::raw_string_ostream os(messages);
    renderText(diags, sources, os);
  }
  return module;
}

OwningOpRef<ModuleOp> generateProgram(MLIRContext &context,
                                      const Choice &choice, std::string &text) {
  text = randomProgram(choice);
  return importText(context, text, text);
}

Verdict run(const Generator &generate, const Choice &choice,
            std::string &text) {
  MLIRContext context(allDialects(), MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  text.clear();
  OwningOpRef<ModuleOp> module = generate(context, choice, text);
  if (!module)
    return {Verdict::NoReference, "the generator made no valid program"};
  return checkCompiled(*module, choice.whole().next());
}

/// Leaves operations out as long as the rest fails in the same way.
Verdict minimise(const Generator &generate, Choice choice, Verdict verdict,
                 std::string &text) {
  for (unsigned i = 0, n = choice.operations(); i < n; ++i) {
    Choice smaller = choice;
    smaller.without.insert(i);
    std::string smallerText;
    Verdict other = run(generate, smaller, smallerText);
    if (other.kind != verdict.kind)
      continue;
    choice = smaller;
    verdict = other;
    text = smallerText;
  }
  return verdict;
}

// What a signal handler can say about a graph that crashed the compiler.
char current[128];
void printCurrent(void *) {
  llvm::errs() << "while running " << current << "\n";
}

class Graphs : public testing::TestWithParam<int> {
protected:
  static void SetUpTestSuite() {
    llvm::sys::AddSignalHandler(printCurrent, nullptr);
  }

  /// One graph may be nothing but rounding; all of them must say something.
  static void TearDownTestSuite() {
    std::printf("%lld of %lld tensors are compared loosely\n", (long long)loose,
                (long long)compared);
    if (!std::getenv("DPL_TEST_GRAPH"))
      EXPECT_LE(loose, compared / 20);
  }

  void runPart(const Generator &generate, const char *kind, uint64_t count) {
    int64_t failures = 0;
    uint64_t only = numberFrom("DPL_TEST_GRAPH", UINT64_MAX);
    for (uint64_t i = GetParam(); i < count; i += kParts) {
      if (only != UINT64_MAX && i != only)
        continue;
      std::snprintf(current, sizeof current,
                    "%s: DPL_TEST_SEED=%llu DPL_TEST_GRAPH=%llu", kind,
                    (unsigned long long)testSeed(), (unsigned long long)i);
      Choice choice{testSeed(), i, {}};
      std::string text;
      Verdict verdict = run(generate, choice, text);
      compared += verdict.compared;
      loose += verdict.loose;
      if (verdict.kind == Verdict::Good)
        continue;
      ADD_FAILURE() << current << "\n" << verdict.failure;
      if (++failures > 1)
        continue; // one of a part is made smaller, which takes its time
      verdict = minimise(generate, choice, verdict, text);
      ADD_FAILURE() << "smallest graph of that kind: " << verdict.failure
                    << "\n"
                    << text;
    }
  }

  inline static int64_t loose = 0, compared = 0;
};

} // namespace

TEST_P(Graphs, OfPrimitivesAgree) {
  runPart(generateGraph, "primitives", graphCount());
}
TEST_P(Graphs, OfLayersAgree) {
  runPart(generateProgram, "layers", graphCount() / 2);
}

INSTANTIATE_TEST_SUITE_P(Part, Graphs, testing::Range(0, kParts));
