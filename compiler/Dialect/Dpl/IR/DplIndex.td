//===- DplIndex.td - Indexing ------------------------------*- tablegen -*-===//

#ifndef DPL_INDEX_TD
#define DPL_INDEX_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

def Dpl_TakeOp : Dpl_Primitive<"take", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "for each place, the element along `axis` that the index there names";
  let description = [{
    x: [a.., n, b..], indices: [a.., b..] of i32, result: [a.., b..]. An index
    outside 0..n-1 takes 0.
  }];
  let arguments = (ins Dpl_Tensor:$x, Dpl_Tensor:$indices, I64Attr:$axis);
}

def Dpl_ScatterAddOp : Dpl_Primitive<"scatter_add", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "adjoint of `take`: puts each element at its index along a new `axis` of length `length`";
  let arguments = (ins Dpl_Tensor:$x, Dpl_Tensor:$indices, I64Attr:$axis, I64Attr:$length);
}

#endif // DPL_INDEX_TD
