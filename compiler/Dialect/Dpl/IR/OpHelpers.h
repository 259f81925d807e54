//===- OpHelpers.h - Shared by the files of the primitives ------*- C++ -*-===//
//
// Private to the dialect: type inference from shape rules, and the small
// builders of gradients.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_IR_OPHELPERS_H
#define DPL_DIALECT_DPL_IR_OPHELPERS_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

namespace dpl {

/// A shape rule's failure as an error of the IR.
inline auto irError(std::optional<mlir::Location> loc) {
  return [loc](llvm::StringRef code, const llvm::Twine &message) {
    (void)mlir::emitOptionalError(loc, message, " [", code, "]");
  };
}

/// Result type of a primitive: `shape`, and per sample if an operand is.
llvm::LogicalResult inferPrimitive(mlir::FailureOr<Shape> shape,
                                   mlir::Type element,
                                   mlir::ValueRange operands,
                                   llvm::SmallVectorImpl<mlir::Type> &results);

/// The first element type among `operands` that is not the first one's, or not
/// a floating point one; null if there is none.
mlir::Type findMixedElement(mlir::ValueRange operands);

/// Have all `operands` one element type, a floating point one? An error
/// otherwise.
llvm::LogicalResult requireFloat(std::optional<mlir::Location> loc,
                                 mlir::ValueRange operands);

inline mlir::RankedTensorType typeOf(mlir::Value v) {
  return llvm::cast<mlir::RankedTensorType>(v.getType());
}
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value v) {
  return typeOf(v).getShape();
}

/// A uniform constant of the shape and element type of `like`.
mlir::Value splatLike(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like,
                      double value);

/// Product of the two elements, plus the accumulator if there is one: one
/// rounding where the target has fused multiply-add.
mlir::Value multiplyAdd(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange elements, mlir::Value accumulator);

/// The axes 0..n-1.
inline Shape allAxes(int64_t n) {
  return llvm::to_vector(llvm::seq<int64_t>(0, n));
}

} // namespace dpl

#endif // DPL_DIALECT_DPL_IR_OPHELPERS_H
