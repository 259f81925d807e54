//===- DplWindow.td - Windows: convolution and pooling -----*- tablegen -*-===//
//
// One axis holds channels, the others are spatial. The channel axis is the
// first; with `channels_last` it is the last, and filters are
// [window.., in, out] instead of [out, in, window..].
//
// Along a spatial axis of length n the window of size k sees the operand
// with `dilate_input` - 1 zeros between elements, `pad_low` zeros before and
// `pad_high` behind (negative: cut). Its taps are `dilation` apart, and it
// moves by `stride`.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_WINDOW_TD
#define DPL_WINDOW_TD

include "compiler/Dialect/Dpl/IR/DplReduce.td"

defvar Dpl_WindowAttrs = (ins DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad_low,
    DenseI64ArrayAttr:$pad_high, DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$dilate_input,
    UnitAttr:$channels_last);

defvar Dpl_ConvAttrs = !con(Dpl_WindowAttrs, (ins DefaultValuedAttr<I64Attr, "1">:$groups));

def Dpl_ConvOp : Dpl_Primitive<"conv", [Dpl_Differentiable, Dpl_Structured]> {
  let summary = "convolution (without reversal of the filter)";
  let description = [{
    x: [in, spatial..], filter: [out, in / groups, window..], result:
    [out, spatial..]. With `groups`, the channels on both sides are cut into
    that many equal parts, and each part of the result sees the same part of x.
    The gradient of x is again a `conv`, with the reversed filter and `stride`
    and `dilate_input` exchanged; that of the filter is `conv_filter`.
    The structured body exists once padding and input dilation are explicit
    (pads 0, input dilations 1).
  }];
  let arguments = !con((ins Dpl_Tensor:$x, Dpl_Tensor:$filter), Dpl_ConvAttrs);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$filter, "const ::dpl::Window &":$geometry)>];
  let extraClassDeclaration = [{ ::dpl::Window getGeometry(); }];
}

def Dpl_ConvFilterOp : Dpl_Primitive<"conv_filter", [Dpl_NoGradient, Dpl_Structured]> {
  let summary = "gradient of a convolution's filter; occurs only in backward";
  let description = [{
    x: [in, spatial..], cotangent: [out, spatial..], result: a filter whose
    window has the sizes `window`.
  }];
  let arguments = !con((ins Dpl_Tensor:$x, Dpl_Tensor:$cotangent, DenseI64ArrayAttr:$window), Dpl_ConvAttrs);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$cotangent, "const ::dpl::Window &":$geometry)>];
  let extraClassDeclaration = [{ ::dpl::Window getGeometry(); }];
}

def Dpl_PoolOp : Dpl_Primitive<"pool", [Dpl_Differentiable]> {
  let summary = "maximum or sum over windows, each channel by itself";
  let description = [{
    Padding counts as minus infinity for the maximum, as 0 for the sum.
  }];
  let arguments = !con((ins Dpl_ReduceKind:$kind, Dpl_Tensor:$x, DenseI64ArrayAttr:$window), Dpl_WindowAttrs);
  let assemblyFormat = "$kind $x attr-dict `:` functional-type(operands, results)";
  let hasCanonicalizer = 1;
  let builders = [OpBuilder<(ins "::dpl::ReduceKind":$kind, "::mlir::Value":$x, "const ::dpl::Window &":$geometry)>];
  let extraClassDeclaration = [{ ::dpl::Window getGeometry(); }];
}

def Dpl_PoolMaxGradOp : Dpl_Primitive<"pool_max_grad", [Dpl_NoGradient]> {
  let summary = "gradient of maximum pooling; occurs only in backward";
  let description = [{
    The cotangent of each window goes to the first (in C order) place of the
    window whose element of `x` equals the pooled maximum `y`.
  }];
  let arguments = !con((ins Dpl_Tensor:$x, Dpl_Tensor:$y, Dpl_Tensor:$cotangent, DenseI64ArrayAttr:$window), Dpl_WindowAttrs);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$y, "::mlir::Value":$cotangent, "const ::dpl::Window &":$geometry)>];
  let extraClassDeclaration = [{ ::dpl::Window getGeometry(); }];
}

#endif // DPL_WINDOW_TD
