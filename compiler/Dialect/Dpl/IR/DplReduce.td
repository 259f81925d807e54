//===- DplReduce.td - Reductions and contractions ----------*- tablegen -*-===//

#ifndef DPL_REDUCE_TD
#define DPL_REDUCE_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

def Dpl_ReduceKind : I32EnumAttr<"ReduceKind", "what a reduction does", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>]> {
  let cppNamespace = "::dpl";
}

def Dpl_ReduceOp : Dpl_Primitive<"reduce", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "sum or maximum over `axes`, which are removed";
  let description = [{
    The gradient of a maximum is split in equal parts among the elements that
    reach it.
  }];
  let arguments = (ins Dpl_ReduceKind:$kind, Dpl_Tensor:$x, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$kind $x attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Dpl_ArgmaxOp : Dpl_Primitive<"argmax", [Dpl_NoGradient]> {
  let summary = "index of the first maximum along `axis`, which is removed; NaN is the largest; i32";
  let arguments = (ins Dpl_Tensor:$x, I64Attr:$axis);
}

def Dpl_ContractOp : Dpl_Primitive<"contract", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "sum of products over labelled axes (an einsum of two operands)";
  let description = [{
    Every axis of the operands has a label (a number); equal labels are the
    same index, so have the same size. The result has the axes `result_labels`
    in that order; every other label is summed over. A label occurs at most
    once in an operand, and those of the result occur in an operand.
  }];
  let arguments = (ins Dpl_Tensor:$lhs, Dpl_Tensor:$rhs, DenseI64ArrayAttr:$lhs_labels,
                       DenseI64ArrayAttr:$rhs_labels, DenseI64ArrayAttr:$result_labels);
}

#endif // DPL_REDUCE_TD
