//===- DplBase.td - The dpl dialect ------------------------*- tablegen -*-===//

#ifndef DPL_BASE_TD
#define DPL_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/Dialect/Dpl/Interfaces/DplInterfaces.td"

def Dpl_Dialect : Dialect {
  let name = "dpl";
  let cppNamespace = "::dpl";
  let summary = "learning programs: a closed set of primitives over samples";
  let description = [{
    A program of the `.dpl` language: data, models and training steps over a
    closed set of primitives, each with a shape rule, a gradient, a structured
    body and a reference evaluation.

    Models are written for one sample. A tensor is either *uniform*
    (`tensor<16xf32>`: it exists once) or *per sample*
    (`tensor<16xf32, #dpl.per_sample>`: one for each sample of the batch). A
    primitive with a per-sample operand has a per-sample result; only the
    operations of the batch family cross between the two.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Marks the function of a layer: the maker's name, and its path.
    static constexpr llvm::StringLiteral kLayerAttr = "dpl.layer";
    static constexpr llvm::StringLiteral kPathAttr = "dpl.path";
    /// Marks a step function: "train" or "eval"; and its iterator's name.
    static constexpr llvm::StringLiteral kStepAttr = "dpl.step";
    static constexpr llvm::StringLiteral kIteratorAttr = "dpl.iterator";
    /// Form of a training step: "fused" or "bucketed".
    static constexpr llvm::StringLiteral kUpdateAttr = "dpl.update";
    /// Marks a kernel: {program, phase, domain, count?}.
    static constexpr llvm::StringLiteral kKernelAttr = "dpl.kernel";
    /// Where an argument or result of a kernel is: a buffer of the program
    /// description.
    static constexpr llvm::StringLiteral kBufferAttr = "dpl.buffer";
    /// Marks an argument of a kernel that is zero behind the true samples.
    static constexpr llvm::StringLiteral kZeroInTailAttr = "dpl.zero_in_tail";
    /// Names of the fields that the arguments of a step function take.
    static constexpr llvm::StringLiteral kFieldAttr = "dpl.field";
  }];
}

def Dpl_PerSampleAttr : AttrDef<Dpl_Dialect, "PerSample", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "per_sample";
  let summary = "encoding of a tensor that exists once for each sample";
}

def Dpl_Tensor : Type<CPred<"::dpl::isDplTensor($_self)">,
                      "statically shaped tensor, uniform or per sample",
                      "::mlir::RankedTensorType">;
def Dpl_UniformTensor : Type<And<[Dpl_Tensor.predicate,
    CPred<"!::dpl::isPerSample($_self)">]>, "uniform tensor", "::mlir::RankedTensorType">;
def Dpl_SampleTensor : Type<And<[Dpl_Tensor.predicate,
    CPred<"::dpl::isPerSample($_self)">]>, "per-sample tensor", "::mlir::RankedTensorType">;

class Dpl_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dpl_Dialect, mnemonic, traits>;

/// A primitive: pure, with a shape rule that infers and verifies, and a
/// gradient (`buildVjp`; an op without one says so with `NoGradient`).
class Dpl_Primitive<string mnemonic, list<Trait> traits = []>
    : Dpl_Op<mnemonic, !listconcat([Pure, InferTypeOpAdaptor], traits)> {
  let results = (outs Dpl_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Dpl_Differentiable : DeclareOpInterfaceMethods<Dpl_DifferentiableOpInterface>;
def Dpl_Structured : DeclareOpInterfaceMethods<Dpl_StructuredOpInterface>;
/// The gradient is zero by definition (integers, comparisons, stop_gradient).
def Dpl_NoGradient : NativeOpTrait<"ZeroGradient"> { let cppNamespace = "::dpl"; }

#endif // DPL_BASE_TD
