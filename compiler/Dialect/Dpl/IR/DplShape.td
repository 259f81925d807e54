//===- DplShape.td - Primitives that make and rearrange ----*- tablegen -*-===//

#ifndef DPL_SHAPE_TD
#define DPL_SHAPE_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

def Dpl_ConstantOp : Dpl_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a uniform tensor known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Dpl_IotaOp : Dpl_Op<"iota", [Pure, Dpl_NoGradient, Dpl_Structured]> {
  let summary = "the index along one axis, as i32";
  let arguments = (ins I64Attr:$axis);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dpl_BroadcastOp : Dpl_Primitive<"broadcast", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "repeats the operand along new axes";
  let description = [{
    Axis i of the operand is axis `axes[i]` of the result (ascending); the
    result's other axes are new. Sizes of shared axes are equal: an axis of
    size 1 is removed by a reshape first.
  }];
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$shape, DenseI64ArrayAttr:$axes);
  let hasFolder = 1;
}

def Dpl_ReshapeOp : Dpl_Primitive<"reshape", [Dpl_Differentiable]> {
  let summary = "the same elements in C order under another shape";
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$shape);
  let hasFolder = 1;
}

def Dpl_TransposeOp : Dpl_Primitive<"transpose", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "axis i of the result is axis `permutation[i]` of the operand";
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let hasFolder = 1;
}

def Dpl_ReverseOp : Dpl_Primitive<"reverse", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "reverses the order along `axes`";
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$axes);
  let hasFolder = 1;
}

def Dpl_SliceOp : Dpl_Primitive<"slice", [Dpl_Differentiable]> {
  let summary = "`size` elements of each axis from `start` on, every `step`-th";
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$start, DenseI64ArrayAttr:$size, DenseI64ArrayAttr:$step);
  let hasFolder = 1;
}

def Dpl_PadOp : Dpl_Primitive<"pad", [Dpl_Differentiable]> {
  let summary = "adds `value` before, behind and between elements; negative counts cut";
  let description = [{
    Axis i of length n becomes `low + (n - 1) * (interior + 1) + 1 + high`
    long (n > 0). Negative `low` or `high` cut that many places of the dilated
    operand.
  }];
  let arguments = (ins Dpl_Tensor:$x, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior,
                       DefaultValuedAttr<F64Attr, "0.0">:$value);
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Does the padding only add places around the operand?
    bool isHalo();
  }];
}

def Dpl_ConcatOp : Dpl_Primitive<"concat", [Dpl_Differentiable]> {
  let summary = "the operands one behind the other along `axis`";
  let description = [{
    One or more operands, equal in every other axis and in their elements.
  }];
  let arguments = (ins Variadic<Dpl_Tensor>:$parts, I64Attr:$axis);
  let hasFolder = 1;
}

def Dpl_StopGradientOp : Dpl_Primitive<"stop_gradient", [Dpl_NoGradient]> {
  let summary = "the operand, as a constant of differentiation";
  let arguments = (ins Dpl_Tensor:$x);
}

#endif // DPL_SHAPE_TD
