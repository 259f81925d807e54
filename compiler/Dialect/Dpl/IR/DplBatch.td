//===- DplBatch.td - Across the batch ----------------------*- tablegen -*-===//

#ifndef DPL_BATCH_TD
#define DPL_BATCH_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

def Dpl_BatchSumOp : Dpl_Primitive<"batch_sum", [Dpl_Differentiable]> {
  let summary = "sum over the true samples of the global batch";
  let arguments = (ins Dpl_Tensor:$x);
  let hasCanonicalizer = 1;
}

def Dpl_BatchSpreadOp : Dpl_Primitive<"batch_spread", [Dpl_Differentiable]> {
  let summary = "adjoint of `batch_sum`: the uniform value for each true sample, 0 for places behind them";
  let arguments = (ins Dpl_UniformTensor:$x);
}

def Dpl_BatchContractOp : Dpl_Primitive<"batch_contract", [Dpl_NoGradient]> {
  let summary = "`batch_sum` of a `contract`, as one contraction over the batch; made by fusion";
  let description = [{
    Labels as in `contract`. Samples are summed tile by tile: the products of a
    tile's samples in order from zero, then the tiles in order.
  }];
  let arguments = (ins Dpl_SampleTensor:$lhs, Dpl_SampleTensor:$rhs, DenseI64ArrayAttr:$lhs_labels,
                       DenseI64ArrayAttr:$rhs_labels, DenseI64ArrayAttr:$result_labels);
}

def Dpl_BatchCountOp : Dpl_Op<"batch_count", [Pure, Dpl_NoGradient]> {
  let summary = "number of true samples of the global batch";
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif // DPL_BATCH_TD
