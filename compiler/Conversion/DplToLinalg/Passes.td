//===- Passes.td - From dpl kernels to linalg --------------*- tablegen -*-===//

#ifndef DPL_DPLTOLINALG_PASSES_TD
#define DPL_DPLTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def DplToLinalgPass : Pass<"dpl-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lowers kernels of dpl operations to linalg on tensors";
  let description = [{
    Every function with a `dpl.kernel` attribute becomes one whose arguments
    are memrefs, one for each distinct buffer, and the sizes that it needs.
    Per-sample tensors get the samples of a tile as their first axis. Every
    structured primitive goes through one generic lowering; the others are
    slices, insertions and short sequences of generic operations.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // DPL_DPLTOLINALG_PASSES_TD
