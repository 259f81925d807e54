//===- DplInterfaces.td - Interfaces of the primitives -----*- tablegen -*-===//

#ifndef DPL_INTERFACES_TD
#define DPL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Dpl_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::dpl";
  let description = [{
    A primitive with a vector-Jacobian product. The rule is written per sample
    and in the types of the operands as they are: what sums over the batch is
    added by differentiation, not by the rule.
  }];
  let methods = [
    InterfaceMethod<[{
      Adds to `gradients`, one place for each operand, the cotangent of every
      operand for which `needed` is set; a null value is a zero gradient.
      `cotangent` is the cotangent of the only result, of the result's shape
      and per sample where the result is. A rule may read operands and the
      result; what it reads is what the backward pass keeps.
    }], "void", "buildVjp", (ins "::mlir::OpBuilder &":$builder,
        "::mlir::Value":$cotangent, "const ::llvm::SmallBitVector &":$needed,
        "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>,
  ];
}

def Dpl_StructuredOpInterface : OpInterface<"StructuredOpInterface"> {
  let cppNamespace = "::dpl";
  let description = [{
    A primitive that is a loop nest over one sample: an affine map for each
    operand and for the result, and a scalar body. One generic lowering turns
    it into linalg; the batch becomes one more loop there.
  }];
  let methods = [
    InterfaceMethod<[{The loops and the maps; one input map per operand.}],
        "::dpl::Structure", "getStructure", (ins)>,
    InterfaceMethod<[{
      The scalar body: from one element of each operand and, in a reduction,
      the accumulator (null otherwise) to the element of the result or the
      new accumulator. The structure's first loop is loop `first_loop` of the
      nest that is built: loops of the batch may be in front.
    }], "::mlir::Value", "buildScalar", (ins "::mlir::OpBuilder &":$builder,
        "::mlir::Location":$loc, "::mlir::ValueRange":$elements,
        "::mlir::Value":$accumulator, "int64_t":$first_loop)>,
  ];
}

def Dpl_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::dpl";
  let description = [{
    A primitive that computes each element of its result from the elements of
    the operands at the same place.
  }];
  let methods = [
    InterfaceMethod<[{
      The value of one element in f64: constant folding and the reference
      evaluator are made of it. Booleans are 0 and 1.
    }], "double", "evaluate", (ins "::llvm::ArrayRef<double>":$elements)>,
  ];
}

#endif // DPL_INTERFACES_TD
