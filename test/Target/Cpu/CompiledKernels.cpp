//===- CompiledKernels.cpp - Compiles and runs test kernels ---------------===//

#include "test/Target/Cpu/CompiledKernels.h"

#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Cpu/Phases.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace dpl::test;
using namespace mlir;

std::vector<std::string> dpl::test::runnableTargets() {
  auto features = llvm::sys::getHostCPUFeatures();
  auto has = [&](const char *feature) { return features.lookup(feature); };
  std::vector<std::string> targets;
  if (has("sse4.2"))
    targets.push_back("x86-64-v2");
  if (has("avx2") && has("fma") && has("bmi2"))
    targets.push_back("x86-64-v3");
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq"))
    targets.push_back("x86-64-v4");
  if (targets.empty())
    targets.push_back("native");
  return targets;
}

std::string
dpl::test::targetName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

CompiledKernels::CompiledKernels() = default;
CompiledKernels::~CompiledKernels() = default;

static void fail(const llvm::Twine &message) { ADD_FAILURE() << message.str(); }

/// Compiles to an object; reads the arena sizes on the way.
static LogicalResult compileObject(const std::string &text,
                                   const std::string &march,
                                   const std::vector<std::string> &table,
                                   const std::string &description,
                                   std::map<std::string, int64_t> &arenas,
                                   llvm::SmallVectorImpl<char> &object) {
  auto target = dpl::cpu::describeTarget(march, fail);
  if (failed(target))
    return failure();
  DialectRegistry registry;
  dpl::cpu::registerCpuDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      fail(diagnostic.str());
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return failure();
  PassManager pm(&context);
  dpl::cpu::buildCpuPipeline(pm, {*target});
  if (failed(pm.run(*module)))
    return failure();
  module->walk([&](SymbolOpInterface symbol) {
    if (auto bytes = symbol->getAttrOfType<IntegerAttr>("dpl.arena"))
      arenas[symbol.getName().str()] = bytes.getInt();
  });
  SmallVector<StringRef> kernels(table.begin(), table.end());
  if (!kernels.empty() &&
      failed(dpl::cpu::addProgramTable(*module, kernels, description)))
    return failure();
  return dpl::cpu::emitObject(*module, *target, dpl::cpu::OptLevel::O1, object);
}

std::unique_ptr<CompiledKernels>
CompiledKernels::compile(const std::string &text, const std::string &march,
                         const std::vector<std::string> &table,
                         const std::string &description) {
  std::unique_ptr<CompiledKernels> kernels(new CompiledKernels);
  llvm::SmallVector<char, 0> object;
  if (failed(compileObject(text, march, table, description, kernels->arenas,
                           object)))
    return nullptr;
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit) {
    fail(llvm::toString(jit.takeError()));
    return nullptr;
  }
  kernels->jit = std::move(*jit);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      StringRef(object.data(), object.size()), "kernels");
  if (llvm::Error error = kernels->jit->addObjectFile(std::move(buffer))) {
    fail(llvm::toString(std::move(error)));
    return nullptr;
  }
  return kernels;
}

void *CompiledKernels::lookup(const std::string &symbol) {
  auto address = jit->lookup(symbol);
  if (address)
    return address->toPtr<void *>();
  llvm::consumeError(address.takeError());
  return nullptr;
}

void CompiledKernels::run(const std::string &kernel,
                          std::vector<void *> buffers,
                          const std::vector<int64_t> &sizes) {
  constexpr size_t kGuard = 64;
  auto function = reinterpret_cast<dpl_kernel>(lookup(kernel));
  ASSERT_NE(function, nullptr) << "no kernel " << kernel;
  Floats scratch((arena(kernel) + kGuard) / sizeof(float));
  std::memset(scratch.raw(), 0xff, arena(kernel) + kGuard);
  buffers.push_back(scratch.raw());
  std::vector<int64_t> all = sizes;
  all.resize(DPL_SIZE_COUNT);
  function(buffers.data(), all.data());
  auto *end = static_cast<unsigned char *>(scratch.raw()) + arena(kernel);
  for (size_t i = 0; i < kGuard; ++i)
    ASSERT_EQ(end[i], 0xff) << "write behind the arena of " << kernel;
}

void Floats::Free::operator()(float *memory) const { std::free(memory); }

Floats::Floats(size_t size, float value) : length(size) {
  size_t bytes = (size * sizeof(float) / DPL_ALIGNMENT + 1) * DPL_ALIGNMENT;
  data.reset(static_cast<float *>(std::aligned_alloc(DPL_ALIGNMENT, bytes)));
  std::fill_n(data.get(), size, value);
}

Floats Floats::random(size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Floats result(size);
  for (size_t i = 0; i < size; ++i)
    result[i] = float(engine() % 20001) / 10000 - 1;
  return result;
}

double dpl::test::relativeError(const Floats &values,
                                const std::vector<double> &expected) {
  EXPECT_EQ(values.size(), expected.size());
  double error = 0, scale = 1;
  for (size_t i = 0; i < expected.size(); ++i) {
    double difference = std::abs(values[i] - expected[i]);
    if (!(difference < INFINITY))
      return INFINITY;
    error = std::max(error, difference);
    scale = std::max(scale, std::abs(expected[i]));
  }
  return error / scale;
}
