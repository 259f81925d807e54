//===- Program.cpp - Parameters, options, data, training ------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace dpl;

LogicalResult GradOp::verify() {
  if (typeOf(getValue()).getRank() != 0)
    return emitOpError("differentiates a scalar, not ")
           << describeShape(shapeOf(getValue()));
  return success();
}

LogicalResult GradOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &results) {
  llvm::append_range(results, operands.drop_front().getTypes());
  return success();
}

void GradOp::build(OpBuilder &, OperationState &state, Value value,
                   ValueRange wrt) {
  state.addOperands(value);
  state.addOperands(wrt);
  state.addTypes(wrt.getTypes());
}

#define GET_OP_CLASSES
#include "compiler/Dialect/Dpl/IR/DplOps.cpp.inc"
