//===- Pipelines.cpp - The order of all passes ----------------------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Conversion/DplToLinalg/DplToLinalg.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Target/Cpu/Phases.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace dpl;

ArrayRef<PhaseInfo> dpl::allPhases() {
  static constexpr PhaseInfo phases[] = {
      {Phase::Syntax, "syntax",
       "the file has been read; it is printed in its standard form"},
      {Phase::Import, "import",
       "every shape is consistent; layers are functions"},
      {Phase::Gradient, "gradient",
       "layers are inlined; no derivative is left to be made"},
      {Phase::Layout, "layout", "channels are last, padding is explicit"},
      {Phase::Kernels, "kernels",
       "every operation is in one kernel, every value in one buffer"},
      {Phase::Linalg, "linalg", "kernels are loop nests on tensors"},
      {Phase::Tiles, "tiles", "loop nests are tiled, fused and vectors"},
      {Phase::Memory, "memory",
       "kernels have no tensors; temporaries are in one arena"},
      {Phase::Llvm, "llvm", "kernels are in the LLVM dialect"},
  };
  return phases;
}

std::optional<Phase> dpl::phaseNamed(StringRef name) {
  for (const PhaseInfo &info : allPhases())
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

void dpl::registerAllDialects(DialectRegistry &registry) {
  registry.insert<DplDialect, func::FuncDialect>();
  func::registerInlinerExtension(registry);
  cpu::registerCpuDialects(registry);
}

static void simplify(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void addPhase(Phase phase, OpPassManager &pm,
                     const PipelineOptions &options) {
  cpu::PhaseOptions cpuOptions;
  cpuOptions.target = options.target;
  // Odd sizes leave a few in the tails of loops; they are right, and small.
  cpuOptions.allowBufferCopies = true;
  switch (phase) {
  case Phase::Syntax:
  case Phase::Import:
    return;
  case Phase::Gradient:
    pm.addPass(createInlinerPass());
    pm.addPass(createSymbolDCEPass());
    simplify(pm);
    pm.addNestedPass<func::FuncOp>(createSplitPoolsPass());
    pm.addNestedPass<func::FuncOp>(createDifferentiatePass());
    simplify(pm);
    return;
  case Phase::Layout:
    pm.addNestedPass<func::FuncOp>(createChannelsLastPass());
    simplify(pm);
    pm.addNestedPass<func::FuncOp>(createExpandWindowsPass());
    simplify(pm);
    return;
  case Phase::Kernels: {
    pm.addPass(createFuseUpdatePass());
    OutlineStepsPassOptions outline;
    outline.tile = options.tile;
    outline.block = options.block;
    pm.addPass(createOutlineStepsPass(outline));
    return;
  }
  case Phase::Linalg:
    pm.addPass(createDplToLinalgPass());
    return;
  case Phase::Tiles:
    cpu::addTilePhase(pm, cpuOptions);
    return;
  case Phase::Memory:
    cpu::addBufferizePhase(pm, cpuOptions);
    return;
  case Phase::Llvm:
    cpu::addLowerToLlvmPhase(pm, cpuOptions);
    return;
  }
}

LogicalResult dpl::runPhase(Phase phase, ModuleOp module,
                            const PipelineOptions &options) {
  PassManager pm(module.getContext());
  if (options.timing)
    pm.enableTiming();
  addPhase(phase, pm, options);
  if (failed(pm.run(module)))
    return failure();
  return verifyPhase(phase, module);
}
