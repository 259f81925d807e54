//===- dpl-opt.cpp - Runs passes on programs in textual IR ----------------===//

#include "compiler/Conversion/DplToLinalg/DplToLinalg.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Target/Cpu/Passes.h"
#include "compiler/Target/Cpu/Phases.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<dpl::DplDialect, mlir::func::FuncDialect>();
  mlir::func::registerInlinerExtension(registry);
  dpl::cpu::registerCpuDialects(registry);
  mlir::registerTransformsPasses();
  dpl::registerDplTransformsPasses();
  dpl::registerDplToLinalgPasses();
  dpl::cpu::registerCpuPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "dpl pass driver\n", registry));
}
