//===- Passes.td - Passes from dpl to dpl ------------------*- tablegen -*-===//

#ifndef DPL_TRANSFORMS_PASSES_TD
#define DPL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"dpl-differentiate", "::mlir::func::FuncOp"> {
  let summary = "replaces `dpl.grad` by reverse-mode derivatives";
  let description = [{
    Walks the function backwards from the differentiated value and asks each
    operation for its vector-Jacobian product, for the operands only that a
    requested gradient depends on. The gradient of a uniform value that a
    per-sample operation uses is a `dpl.batch_sum`. What the backward part
    reads from the forward part is visible as operands. Calls must have been
    inlined. Several reads of a parameter become one before.
  }];
}

def ChannelsLastPass : Pass<"dpl-channels-last", "::mlir::func::FuncOp"> {
  let summary = "puts the channels of windowed operations last";
  let description = [{
    Vector units read channels best when they are contiguous. Window operations
    are rewritten to `channels_last` between transposes; transposes of
    per-sample values then move down through elementwise operations and
    reductions until they meet their inverse.
  }];
}

def SplitPoolsPass : Pass<"dpl-split-pools", "::mlir::func::FuncOp"> {
  let summary = "makes pools of large windows one pool for each axis";
  let description = [{
    A maximum or sum over a window is that of its rows: with one pool for each
    axis, work and code grow with the sum of the window's sizes, not with their
    product. The value is the same, for sums up to rounding, and so is the
    element of a maximum that has the gradient.
  }];
}

def ExpandWindowsPass : Pass<"dpl-expand-windows", "::mlir::func::FuncOp"> {
  let summary = "makes padding and input dilation explicit";
  let description = [{
    Padding and input dilation of window operations become `dpl.pad`, so that
    every window has a structured body. Where a value is used padded and
    unpadded, the unpadded uses read a slice of the padded one: the value is
    then computed in its padded place.
  }];
}

def FuseUpdatePass : Pass<"dpl-fuse-update", "::mlir::ModuleOp"> {
  let summary = "makes the fused and the bucketed form of every training step";
  let description = [{
    Clones each training step into `<name>.bucketed`, which stays as it is, and
    `<name>.fused`. There the batch sum of an outer product becomes
    `dpl.batch_contract` where the product is much larger than its factors: the update owns a part of the weights and keeps its
    gradient in registers, instead of every chunk of the batch writing one as
    large as the weights.
  }];
}

def OutlineStepsPass : Pass<"dpl-outline-steps", "::mlir::ModuleOp"> {
  let summary = "cuts step functions into kernels and writes their step programs";
  let description = [{
    See docs/design/0001 and 0002. Every step function becomes kernels in
    phases: uniform stages, and tile stages between them. Buffers are chosen
    here, and stand as attributes at arguments and results of the kernels.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", /*default=*/"8", "samples of a tile, at most">,
    Option<"block", "block", "int64_t", /*default=*/"16384", "elements of a block of a uniform kernel, about">];
}

#endif // DPL_TRANSFORMS_PASSES_TD
