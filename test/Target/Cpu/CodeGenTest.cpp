//===- CodeGenTest.cpp - Targets, program table, symbols ------------------===//

#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Cpu/ObjectSymbols.h"
#include "compiler/Target/Cpu/Phases.h"
#include "test/Target/Cpu/CompiledKernels.h"
#include "test/Target/Cpu/KernelText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <gmock/gmock.h>

using namespace dpl::cpu;
using namespace dpl::test;
using testing::HasSubstr;

TEST(TargetInfoTest, WidthsOfTheX86Levels) {
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    GTEST_SKIP() << "not an x86 machine";
  struct Level {
    const char *name;
    int64_t lanes, registers;
    bool fma;
  };
  for (const Level &level :
       {Level{"x86-64", 4, 16, false}, Level{"x86-64-v2", 4, 16, false},
        Level{"x86-64-v3", 8, 16, true}, Level{"x86-64-v4", 16, 32, true},
        Level{"skylake-avx512", 16, 32, true},
        Level{"ivybridge", 8, 16, false}}) {
    auto target = describeTarget(level.name, [](const llvm::Twine &message) {
      ADD_FAILURE() << message.str();
    });
    ASSERT_TRUE(succeeded(target)) << level.name;
    EXPECT_EQ(target->lanes, level.lanes) << level.name;
    EXPECT_EQ(target->registers, level.registers) << level.name;
    EXPECT_EQ(target->fma, level.fma) << level.name;
  }
}

TEST(TargetInfoTest, UnknownCpuIsOneError) {
  std::vector<std::string> errors;
  EXPECT_TRUE(failed(describeTarget(
      "x86-64-v9", [&](const llvm::Twine &m) { errors.push_back(m.str()); })));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("'x86-64-v9'"));
  EXPECT_THAT(errors[0], HasSubstr("'native'"));
}

namespace {
/// A kernel that adds `amount` to three numbers.
std::string addText(const std::string &name, const std::string &amount) {
  KernelText k(name);
  Tensor x = k.output({3});
  k.store(k.map({x}, {"%k = arith.constant " + amount + " : f32",
                      "%r = arith.addf %a0, %k : f32", "%r"}),
          x);
  return k.text();
}
} // namespace

TEST(ProgramTableTest, KernelsInTheOrderOfTheirNumbers) {
  std::string description("{\"a\": \"\0\"}", 10);
  auto kernels =
      CompiledKernels::compile(addText("one", "1.0") + addText("ten", "10.0"),
                               "native", {"ten", "one", "ten"}, description);
  ASSERT_TRUE(kernels);
  auto *program =
      static_cast<const dpl_program *>(kernels->lookup("dpl_main_program"));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->abi_version, uint32_t(DPL_ABI_VERSION));
  ASSERT_EQ(program->kernel_count, 3u);
  EXPECT_EQ(std::string(program->description, program->description_size),
            description);
  Floats x(3), arena(16);
  void *buffers[] = {x.raw(), arena.raw()};
  int64_t sizes[DPL_SIZE_COUNT] = {};
  const float expected[] = {10, 11, 21};
  for (int kernel = 0; kernel < 3; ++kernel) {
    program->kernels[kernel](buffers, sizes);
    EXPECT_EQ(x[1], expected[kernel]) << kernel;
  }
}

TEST(ProgramTableTest, UnknownKernelIsAnError) {
  mlir::DialectRegistry registry;
  registerCpuDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> errors;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    errors.push_back(d.str());
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>("", &context);
  EXPECT_TRUE(failed(addProgramTable(*module, {"lost"}, "{}")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("'lost'"));
}

TEST(ObjectSymbolsTest, OnlyMathematicsAndMemory) {
  for (const char *name : {"expf", "exp", "powf", "erff", "memset", "memcpy"})
    EXPECT_TRUE(isAllowedSymbol(name)) << name;
  for (const char *name : {"malloc", "free", "printf", "f", "__chkstk", "abort",
                           "memcpyf", "expff"})
    EXPECT_FALSE(isAllowedSymbol(name)) << name;
}

TEST(ObjectSymbolsTest, UnexpectedSymbolFailsTheObject) {
  mlir::DialectRegistry registry;
  registerCpuDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> errors;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    errors.push_back(d.str());
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.func @puts()\n"
      "llvm.func @k() { llvm.call @puts() : () -> () llvm.return }",
      &context);
  auto target = describeTarget("native", [](const llvm::Twine &) {});
  ASSERT_TRUE(succeeded(target));
  llvm::SmallVector<char, 0> object;
  EXPECT_TRUE(failed(emitObject(*module, *target, OptLevel::O1, object)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("puts"));
}
