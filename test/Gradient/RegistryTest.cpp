//===- RegistryTest.cpp - No primitive lacks a part -----------------------===//

#include "test/Gradient/Case.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

// Pure operations of the dialect that are no primitives: they name something
// of the program, or stand for what differentiation will write.
static const llvm::StringSet<> kProgramOps = {
    "dpl.read", "dpl.option_value", "dpl.setting_value",
    "dpl.grad", "dpl.random_key",   "dpl.sample_index"};

// Primitives without operands write their result's type.
static const llvm::StringSet<> kTyped = {"dpl.constant", "dpl.iota",
                                         "dpl.batch_count", "dpl.random"};

// Primitives that the lowering treats one by one, because a loop nest over one
// sample cannot say them: they move memory (reshape, slice, pad, concat), need
// more than one accumulator or write where the data says (pools, argmax), cross
// the batch, or are no computation.
static const llvm::StringSet<> kUnstructured = {
    "dpl.reshape",        "dpl.slice",       "dpl.pad",
    "dpl.concat",         "dpl.pool",        "dpl.pool_max_grad",
    "dpl.argmax",         "dpl.batch_sum",   "dpl.batch_spread",
    "dpl.batch_contract", "dpl.batch_count", "dpl.constant",
    "dpl.stop_gradient"};

/// Names of the pure operations with one result that compute something.
static std::vector<RegisteredOperationName> primitives(MLIRContext &context) {
  std::vector<RegisteredOperationName> names;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "dpl" &&
        name.hasInterface<ConditionallySpeculatable>() &&
        !kProgramOps.contains(name.getStringRef()))
      names.push_back(name);
  return names;
}

TEST(Registry, EveryPrimitiveHasEveryPart) {
  MLIRContext context;
  loadDialects(context);
  std::vector<RegisteredOperationName> names = primitives(context);
  ASSERT_GE(names.size(), 30u);
  for (RegisteredOperationName name : names) {
    StringRef text = name.getStringRef();
    SCOPED_TRACE(text.str());
    EXPECT_TRUE(name.hasInterface<InferTypeOpInterface>() ||
                kTyped.contains(text))
        << "no shape rule";
    EXPECT_TRUE(name.hasInterface<DifferentiableOpInterface>() ||
                name.hasTrait<ZeroGradient>() || text == "dpl.constant")
        << "neither a gradient nor the statement that it is zero";
    EXPECT_NE(name.hasInterface<StructuredOpInterface>(),
              kUnstructured.contains(text))
        << "a structured body and the list of exceptions must not disagree";
    EXPECT_TRUE(llvm::any_of(primitiveCases(), [&](const Case &c) {
      return c.op == text;
    })) << "no case for PrimitiveTest";
  }
}

// A case that never builds its operation would check nothing.
TEST(Registry, EveryCaseContainsItsPrimitive) {
  MLIRContext context;
  loadDialects(context);
  for (const Case &c : primitiveCases()) {
    SCOPED_TRACE(c.op + ", " + c.what);
    for (unsigned mask : c.allMasks()) {
      OwningOpRef<ModuleOp> module = buildStep(context, c, mask, false);
      ASSERT_TRUE(module);
      bool found = false;
      module->walk([&](Operation *op) {
        found |= op->getName().getStringRef() == c.op;
      });
      EXPECT_TRUE(found);
    }
  }
}

TEST(Registry, NoExceptionIsStale) {
  MLIRContext context;
  loadDialects(context);
  for (const llvm::StringSet<> *list : {&kProgramOps, &kTyped, &kUnstructured})
    for (const auto &entry : *list)
      EXPECT_TRUE(
          RegisteredOperationName::lookup(entry.getKey(), &context).has_value())
          << entry.getKey().str();
}
