//===- Dpl.h - The dpl dialect ----------------------------------*- C++ -*-===//
//
// Operations, attributes and types of the dpl dialect. Tensors are statically
// shaped; the encoding #dpl.per_sample says that a tensor exists once for each
// sample of the batch, no encoding that it is uniform.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_IR_DPL_H
#define DPL_DIALECT_DPL_IR_DPL_H

#include "compiler/Dialect/Dpl/IR/ShapeRules.h"
#include "compiler/Dialect/Dpl/Interfaces/DplInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace dpl {

/// The gradient with respect to every operand is zero by definition.
template <typename ConcreteOp>
class ZeroGradient : public mlir::OpTrait::TraitBase<ConcreteOp, ZeroGradient> {
};

/// Is `type` a ranked, statically shaped tensor, uniform or per sample?
bool isDplTensor(mlir::Type type);

/// Does `type` (a dpl tensor) exist once for each sample?
bool isPerSample(mlir::Type type);

/// `type` with the given bit.
mlir::RankedTensorType withPerSample(mlir::RankedTensorType type,
                                     bool perSample);

/// A tensor type; per sample if `perSample`.
mlir::RankedTensorType tensorType(llvm::ArrayRef<int64_t> shape,
                                  mlir::Type element, bool perSample);

} // namespace dpl

#include "compiler/Dialect/Dpl/IR/DplDialect.h.inc"
#include "compiler/Dialect/Dpl/IR/DplEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Dpl/IR/DplAttrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Dpl/IR/DplOps.h.inc"

#endif // DPL_DIALECT_DPL_IR_DPL_H
