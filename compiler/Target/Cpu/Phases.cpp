//===- Phases.cpp - The CPU target's passes by phase ----------------------===//

#include "compiler/Target/Cpu/Phases.h"
#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace dpl::cpu {

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void addTilePhase(OpPassManager &pm, const PhaseOptions &options) {
  TileAndFuseOptions tile;
  tile.lanes = options.target.lanes;
  tile.registers = options.target.registers;

  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createWidenMasks());
  pm.addNestedPass<func::FuncOp>(createTileAndFuse(tile));
  // The sizes of remainders are static now, before unit dimensions go: where
  // one of the others turned out to be 1, MLIR would confuse the two.
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createVectorize());
  addCleanUp(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(createLoopInvariantSubsetHoistingPass());
  addCleanUp(pm);
}

void addBufferizePhase(OpPassManager &pm, const PhaseOptions &options) {
  CopiesToLoopsOptions copies;
  copies.allowConflicts = options.allowBufferCopies;

  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addNestedPass<func::FuncOp>(createFoldViews());
  // Copies of a buffer to itself fold once their views are equal.
  addCleanUp(pm);
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCopiesToLoops(copies));
  pm.addNestedPass<func::FuncOp>(createPlanArena());
  pm.addNestedPass<func::FuncOp>(createVerifyNoAlloc());
}

static void addVectorLowering(OpPassManager &kernel) {
  kernel.addPass(createConvertLinalgToLoopsPass());
  kernel.addPass(createPrefetch());
  kernel.addPass(createLowerVectors());
  addCleanUp(kernel);
  kernel.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll().setTargetRank(1)));
  addCleanUp(kernel);
  kernel.addPass(memref::createExpandStridedMetadataPass());
  kernel.addPass(createLowerAffinePass());
  addCleanUp(kernel);
  kernel.addPass(createLoopInvariantCodeMotionPass());
  kernel.addPass(createSCFToControlFlowPass());
}

void addLowerToLlvmPhase(OpPassManager &pm, const PhaseOptions &,
                         bool wrapKernels) {
  // Kernels are independent: what needs no symbol of the module runs on them
  // at the same time.
  addVectorLowering(pm.nest<func::FuncOp>());
  // What LLVM has no intrinsic for is called element by element, which makes
  // new vector operations, and declares the functions in the module.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  OpPassManager &kernel = pm.nest<func::FuncOp>();
  kernel.addPass(createArithToLLVMConversionPass());
  kernel.addPass(createConvertIndexToLLVMPass());
  kernel.addPass(createUBToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(function));
  pm.addPass(createConvertControlFlowToLLVMPass());
  OpPassManager &lowered = pm.nest<LLVM::LLVMFuncOp>();
  lowered.addPass(createReconcileUnrealizedCastsPass());
  if (wrapKernels)
    pm.addPass(createWrapKernels());
}

void buildCpuPipeline(OpPassManager &pm, const PhaseOptions &options,
                      bool wrapKernels) {
  addTilePhase(pm, options);
  addBufferizePhase(pm, options);
  addLowerToLlvmPhase(pm, options, wrapKernels);
}

} // namespace dpl::cpu
