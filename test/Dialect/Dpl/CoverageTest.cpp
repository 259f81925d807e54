//===- CoverageTest.cpp - No operation, no refusal is left untested -------===//
//
// The lit tests of this folder, read as text.
//
//===----------------------------------------------------------------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace dpl;

static std::string read(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(DPL_ROOT "/" + path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST(Coverage, EveryOperationMakesTheRoundTrip) {
  MLIRContext context;
  context.loadDialect<DplDialect>();
  std::string text = read("test/Dialect/Dpl/roundtrip.mlir");
  for (RegisteredOperationName name : context.getRegisteredOperations())
    EXPECT_TRUE(name.getDialectNamespace() != "dpl" ||
                StringRef(text).contains(name.getStringRef().str() + " "))
        << name.getStringRef().str();
}

// Codes of failures that the IR can show; Import has the others.
TEST(Coverage, EveryFailureOfAShapeRuleIsProvoked) {
  std::string rules = read("compiler/Dialect/Dpl/IR/ShapeRules.cpp");
  std::string tests = read("test/Dialect/Dpl/invalid.mlir") +
                      read("test/Dialect/Dpl/invalid-windows.mlir");
  llvm::Regex code("error\\(\"([a-z0-9_]+)\"");
  SmallVector<StringRef> match;
  int codes = 0;
  for (StringRef rest = rules; code.match(rest, &match);
       rest = rest.substr(match[0].end() - rest.begin())) {
    ++codes;
    // Reached through Import only: the IR has no implicit broadcast, and a
    // filter of the wrong rank fails in its window before.
    if (match[1] == "broadcast_shapes" || match[1] == "conv_filter_rank")
      continue;
    EXPECT_NE(tests.find("[" + match[1].str() + "]"), std::string::npos)
        << match[1].str();
  }
  EXPECT_GE(codes, 20);
}
