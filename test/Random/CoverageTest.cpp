//===- CoverageTest.cpp - What no random graph has, none tests ------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Prelude/Prelude.h"
#include "test/Random/GraphBuilder.h"
#include "test/Random/SourceProgram.h"
#include "test/Support/Random.h"

#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

/// So many that the rarest operation is in one of them, whatever the seed.
static constexpr uint64_t kGraphs = 500;

TEST(Coverage, EveryOperationIsDrawn) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::set<std::string> seen;
  for (uint64_t i = 0; i < kGraphs; ++i) {
    OwningOpRef<ModuleOp> module =
        randomGraph(context, Choice{testSeed(), i, {}});
    ASSERT_TRUE(module);
    auto note = [&] {
      module->walk([&](Operation *op) {
        seen.insert(op->getName().getStringRef().str());
      });
    };
    note();
    for (Phase phase : {Phase::Gradient, Phase::Layout, Phase::Kernels}) {
      ASSERT_TRUE(succeeded(runPhase(phase, *module, PipelineOptions())));
      note();
    }
  }
  for (RegisteredOperationName name : context.getRegisteredOperations())
    EXPECT_TRUE(name.getDialectNamespace() != "dpl" ||
                seen.count(name.getStringRef().str()))
        << name.getStringRef().str();
}

static void addWords(StringRef text, std::set<std::string> &words) {
  llvm::Regex word("[a-z_0-9]+");
  SmallVector<StringRef> match;
  for (; word.match(text, &match);
       text = text.substr(match[0].end() - text.begin()))
    words.insert(match[0].str());
}

/// The words of a file of the prelude, without those of its comments.
static void addCode(StringRef text, std::set<std::string> &words) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    addWords(line.split("//").first, words);
}

/// Names that a file of the prelude defines in the language.
static std::vector<std::string> definedIn(StringRef text) {
  llvm::Regex definition("^(layer|fn|optimizer) ([a-z_0-9]+)");
  std::vector<std::string> names;
  SmallVector<StringRef> lines, match;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (definition.match(line, &match))
      names.push_back(match[2].str());
  return names;
}

// In a program, or in a function of the prelude that one uses.
TEST(Coverage, EveryFunctionOfThePreludeIsDrawn) {
  std::set<std::string> words;
  for (uint64_t i = 0; i < kGraphs; ++i)
    addWords(randomProgram(Choice{testSeed(), i, {}}), words);
  for (size_t before = 0; before != words.size();) {
    before = words.size();
    for (const PreludeFile &file : prelude())
      for (const std::string &name : definedIn(file.text))
        if (words.count(name)) {
          addCode(file.text, words);
          break;
        }
  }
  for (const PreludeFile &file : prelude())
    for (const std::string &name : definedIn(file.text))
      EXPECT_TRUE(words.count(name)) << name << " of " << file.name.str();
}
