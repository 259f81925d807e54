//===- Passes.td - Passes of the CPU target ----------------*- tablegen -*-===//
//
// From linalg on tensors to vectors, one arena and LLVM. Phases.h puts them in
// order.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_PASSES
#define DPL_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def FuseElementwise : Pass<"dpl-cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise producers into their only consumer";
  let description = [{
    Fuses a `linalg.generic` without reductions into the operation that reads
    its results, if nothing else does; producers with several results too.
    Never into a contraction, which would repeat the work for each product, and
    never across a reshape, which would turn a matrix product into one of
    higher rank.
  }];
}

def WidenMasks : Pass<"dpl-cpu-widen-masks", "::mlir::func::FuncOp"> {
  let summary = "Store truth values as bytes";
  let description = [{
    Tensors and memrefs of `i1` become ones of `i8`, with 0 and 1; inside the
    bodies of operations the values stay `i1`. A vector of `i1` is stored as
    bits and a single `i1` as a byte, so that without this a mask would not be
    read as it was written. Runs after fusion, which leaves few masks.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileAndFuse : Pass<"dpl-cpu-tile-and-fuse", "::mlir::func::FuncOp"> {
  let summary = "Tile linalg operations for registers and fuse producers";
  let description = [{
    One schedule for every linalg operation on tensors. From the last
    operation to the first, the parallel loops are tiled in the output space to
    what fits the vector registers; a producer that only this operation reads
    is computed inside the tile (so a contraction keeps its accumulators in
    registers through bias and activation). Reductions are tiled inside, short
    last tiles are peeled, and the sample loop of a weight gradient goes
    outermost. TileSizes.h has the choices.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8", "f32 elements of a vector">,
    Option<"registers", "registers", "int64_t", "16", "vector registers">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def Vectorize : Pass<"dpl-cpu-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Turn tiled linalg operations into vector operations";
  let description = [{
    Folds unit dimensions, rewrites strided and constant indices into slices
    (the vectoriser reads projected permutations only), and vectorises every
    linalg operation of static or bounded size. What cannot be vectorised stays
    and is lowered to scalar loops later.
  }];
  let statistics = [
    Statistic<"numScalar", "scalar", "Operations left for scalar loops">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def FoldViews : Pass<"dpl-cpu-fold-views", "::mlir::func::FuncOp"> {
  let summary = "Fold views of buffers into the operations that use them";
  let description = [{
    What MLIR's `fold-memref-alias-ops` does, without its folds of vectors of
    several dimensions into a buffer of another shape: these read other
    elements.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

def CopiesToLoops : Pass<"dpl-cpu-copies-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn memory copies into loops, refuse those of a conflict";
  let description = [{
    A `memref.copy` becomes a `linalg.generic`. A copy of one whole temporary
    buffer to another is bufferisation's answer to two writers of one value; it
    is refused with an error, unless `allow-conflicts` is given.
  }];
  let options = [
    Option<"allowConflicts", "allow-conflicts", "bool", "false",
           "Copy whole temporary buffers too">
  ];
  let statistics = [
    Statistic<"numCopies", "copies", "Copies that became loops">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def PlanArena : Pass<"dpl-cpu-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "Place every temporary buffer in one arena";
  let description = [{
    Each `memref.alloc` becomes a view into one `i8` buffer, which the function
    takes as its last argument, aligned to DPL_ALIGNMENT. The function's
    attribute `dpl.arena` is its size in bytes (0: no temporary). Buffers are
    packed largest first, each at the lowest offset that does not meet a buffer
    which is alive at the same time. Buffers need a static size; one that
    leaves the function, or the iteration of the loop which makes it, is an
    error.
  }];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arenas">,
    Statistic<"bufferBytes", "buffer-bytes", "Bytes of all buffers">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def VerifyNoAlloc : Pass<"dpl-cpu-verify-no-alloc", "::mlir::func::FuncOp"> {
  let summary = "Check that a kernel allocates, frees and copies nothing";
  let description = [{
    An error at each `memref.alloc`, `alloca`, `realloc`, `dealloc`, `copy` or
    `bufferization.clone`. Changes nothing.
  }];
}

def Prefetch : Pass<"dpl-cpu-prefetch", "::mlir::func::FuncOp"> {
  let summary = "Fetch the next tile of a large operand";
  let description = [{
    After bufferisation, before vectors are lowered. A contraction reads its
    larger operand once, in tiles whose rows are far apart, which the hardware
    does not fetch ahead. Where such an operand does not stay in cache, the
    innermost loop prefetches the rows of the next tile, or, in a long tile,
    rows of the same tile some steps ahead. Addresses stay inside the operand.
    What is read from a large argument after a reduction, to be updated from its
    sum, is fetched before the reduction.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LowerVectors : Pass<"dpl-cpu-lower-vectors", "::mlir::func::FuncOp"> {
  let summary = "Lower contractions, reductions and transposes of vectors";
  let description = [{
    After bufferisation: contractions become outer products of multiply-adds,
    transposes shuffles of registers, multi-dimensional reductions elementwise
    ones with one horizontal reduction at the end.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def WrapKernels : Pass<"dpl-cpu-wrap-kernels", "::mlir::ModuleOp"> {
  let summary = "Give every kernel the signature of dpl/abi.h";
  let description = [{
    On the LLVM dialect. Each defined `llvm.func @k` becomes a function of that
    name with the signature `void(ptr buffers, ptr sizes)`, and keeps its body
    in a private `@k.body`. Pointer arguments are loaded from `buffers` in
    their order, integer arguments from the place of `sizes` that their
    attribute `dpl.size` names.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // DPL_TARGET_CPU_PASSES
