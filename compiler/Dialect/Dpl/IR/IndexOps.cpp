//===- IndexOps.cpp - take and scatter_add --------------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace dpl;

#define DPL_VJP(OP)                                                            \
  void OP::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &needed, \
                    MutableArrayRef<Value> d)
#define DPL_INFER(OP)                                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *context,                     \
                                     std::optional<Location> loc, Adaptor a,   \
                                     SmallVectorImpl<Type> &results)

/// `value` where loop `loop` is at the index, zero elsewhere.
static Value whereIndex(OpBuilder &b, Location loc, int64_t loop, Value index,
                        Value value) {
  Value i = linalg::IndexOp::create(b, loc, loop);
  i = arith::IndexCastOp::create(b, loc, index.getType(), i);
  Value hit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i, index);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(b, loc, hit, value, zero);
}

/// The identity map without one axis.
static AffineMap without(int64_t axis, int64_t rank, MLIRContext *context) {
  return AffineMap::getMultiDimIdentityMap(rank, context).dropResult(axis);
}

DPL_INFER(TakeOp) {
  if (failed(requireFloat(loc, a.getX())))
    return failure();
  return inferPrimitive(
      inferTakeShape(shapeOf(a.getX()), shapeOf(a.getIndices()), a.getAxis(),
                     irError(loc)),
      typeOf(a.getX()).getElementType(), a.getOperands(), results);
}
Structure TakeOp::getStructure() {
  int64_t rank = typeOf(getX()).getRank();
  Structure s = elementwiseStructure(shapeOf(getX()), 2, getContext());
  s.inputs[1] = s.output = without(getAxis(), rank, getContext());
  s.iterators[getAxis()] = utils::IteratorType::reduction;
  s.combiner = Combiner::Sum;
  return s;
}
Value TakeOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value acc,
                          int64_t firstLoop) {
  Value hit = whereIndex(b, loc, firstLoop + getAxis(), e[1], e[0]);
  return arith::AddFOp::create(b, loc, acc, hit);
}
DPL_VJP(TakeOp) {
  if (needed[0])
    d[0] = ScatterAddOp::create(b, getLoc(), g, getIndices(), getAxis(),
                                shapeOf(getX())[getAxis()]);
}

DPL_INFER(ScatterAddOp) {
  if (failed(requireFloat(loc, a.getX())))
    return failure();
  return inferPrimitive(
      inferScatterShape(shapeOf(a.getX()), shapeOf(a.getIndices()), a.getAxis(),
                        a.getLength(), irError(loc)),
      typeOf(a.getX()).getElementType(), a.getOperands(), results);
}
Structure ScatterAddOp::getStructure() {
  Structure s = elementwiseStructure(getType().getShape(), 2, getContext());
  s.inputs[0] = s.inputs[1] =
      without(getAxis(), getType().getRank(), getContext());
  return s;
}
Value ScatterAddOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                                int64_t firstLoop) {
  return whereIndex(b, loc, firstLoop + getAxis(), e[1], e[0]);
}
DPL_VJP(ScatterAddOp) {
  if (needed[0])
    d[0] = TakeOp::create(b, getLoc(), g, getIndices(), getAxis());
}
