//===- DplElementwise.td - Elementwise primitives ----------*- tablegen -*-===//
//
// One line each where the base class suffices: the f64 value of an element
// (`value`, over a, b, c) and the operation of the scalar body.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_ELEMENTWISE_TD
#define DPL_ELEMENTWISE_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

class Dpl_Elementwise<string mnemonic, string value, list<Trait> traits>
    : Dpl_Primitive<mnemonic, !listconcat([
        Dpl_StructuredOpInterface,
        Dpl_ElementwiseOpInterface], traits)> {
  let hasFolder = 1;
  code common = [{
    ::dpl::Structure getStructure() {
      return ::dpl::elementwiseStructure(getType().getShape(),
          getOperation()->getNumOperands(), getContext());
    }
    ::mlir::Value buildScalar(::mlir::OpBuilder &b, ::mlir::Location loc,
                              ::mlir::ValueRange e, ::mlir::Value accumulator,
                              int64_t firstLoop);
    double evaluate(::llvm::ArrayRef<double> e) {
      [[maybe_unused]] double a = e[0];
      [[maybe_unused]] double b = e.size() > 1 ? e[1] : 0;
      [[maybe_unused]] double c = e.size() > 2 ? e[2] : 0;
      return }] # value # [{;
    }
  }];
  let extraClassDeclaration = common;
}

class Dpl_Unary<string mnemonic, string value> : Dpl_Elementwise<mnemonic, value, [Dpl_Differentiable]> {
  let arguments = (ins Dpl_Tensor:$x);
}
class Dpl_Binary<string mnemonic, string value, list<Trait> traits = []>
    : Dpl_Elementwise<mnemonic, value, !listconcat([Dpl_Differentiable], traits)> {
  let arguments = (ins Dpl_Tensor:$lhs, Dpl_Tensor:$rhs);
}

def Dpl_AddOp : Dpl_Binary<"add", "a + b", [Commutative]> { let summary = "sum"; let hasCanonicalizer = 1; }
def Dpl_SubOp : Dpl_Binary<"sub", "a - b"> { let summary = "difference"; }
def Dpl_MulOp : Dpl_Binary<"mul", "a * b", [Commutative]> { let summary = "product"; }
def Dpl_DivOp : Dpl_Binary<"div", "a / b"> { let summary = "quotient"; }
def Dpl_PowOp : Dpl_Binary<"pow", "std::pow(a, b)"> { let summary = "power; the gradient of the exponent is 0 where the base is 0, that of the base where the exponent is 0"; }
def Dpl_MaxOp : Dpl_Binary<"max", "b > a || std::isnan(b) ? b : a"> {
  let summary = "the larger; NaN passes, without a gradient; the gradient goes to the larger, ties to the second";
}
def Dpl_ExpOp : Dpl_Unary<"exp", "std::exp(a)"> { let summary = "exponential"; }
def Dpl_LogOp : Dpl_Unary<"log", "std::log(a)"> { let summary = "natural logarithm"; }
def Dpl_SqrtOp : Dpl_Unary<"sqrt", "std::sqrt(a)"> { let summary = "square root; the gradient at 0 is infinite"; }
def Dpl_TanhOp : Dpl_Unary<"tanh", "std::tanh(a)"> { let summary = "hyperbolic tangent"; }
def Dpl_ErfOp : Dpl_Unary<"erf", "std::erf(a)"> { let summary = "error function"; }
def Dpl_SinOp : Dpl_Unary<"sin", "std::sin(a)"> { let summary = "sine"; }
def Dpl_AbsOp : Dpl_Unary<"abs", "std::fabs(a)"> { let summary = "absolute value; the gradient is the sign, 0 at 0"; }

def Dpl_Predicate : I32EnumAttr<"Predicate", "comparison", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
    I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::dpl";
}

def Dpl_CompareOp : Dpl_Elementwise<"compare", "compareValues(getPredicate(), a, b)", [Dpl_NoGradient]> {
  let summary = "comparison; the result is i1";
  let arguments = (ins Dpl_Predicate:$predicate, Dpl_Tensor:$lhs, Dpl_Tensor:$rhs);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = common # [{
    static double compareValues(::dpl::Predicate p, double a, double b);
  }];
}

def Dpl_SelectOp : Dpl_Elementwise<"select", "a != 0 ? b : c", [Dpl_Differentiable]> {
  let summary = "element of the second operand where the first is true, of the third elsewhere";
  let arguments = (ins Dpl_Tensor:$condition, Dpl_Tensor:$lhs, Dpl_Tensor:$rhs);
}

def Dpl_CastOp : Dpl_Elementwise<"cast", "castValue(a)", [Dpl_Differentiable]> {
  let summary = "conversion to another element type; to integers, toward zero, without a gradient";
  let arguments = (ins Dpl_Tensor:$x, TypeAttr:$to);
  let extraClassDeclaration = common # [{ double castValue(double a); }];
}

#endif // DPL_ELEMENTWISE_TD
