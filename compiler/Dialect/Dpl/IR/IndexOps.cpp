//===- IndexOps.cpp - take and scatter_add --------------------------------===//

#include "OpHelpers.h"

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

/// `value` where the loop of `axis` (of `rank` loops of the sample) is at the
/// index, zero elsewhere.
static Value whereIndex(OpBuilder &b, Location loc, int64_t axis, int64_t rank,
                        Value index, Value value) {
  // The lowering may put loops of the batch in front of those of the sample.
  auto generic = cast<linalg::LinalgOp>(b.getInsertionBlock()->getParentOp());
  int64_t extra = generic.getNumLoops() - rank;
  Value i = linalg::IndexOp::create(b, loc, axis + extra);
  i = arith::IndexCastOp::create(b, loc, index.getType(), i);
  Value hit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i, index);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(b, loc, hit, value, zero);
}

/// The identity map without one axis.
static AffineMap without(int64_t axis, int64_t rank, MLIRContext *context) {
  return AffineMap::getMultiDimIdentityMap(rank, context).dropResult(axis);
}

DPL_INFER(TakeOp) {
  return inferPrimitive(inferTakeShape(shapeOf(a.getX()), shapeOf(a.getIndices()),
                                       a.getAxis(), irError(loc)),
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
Value TakeOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value acc) {
  Value hit = whereIndex(b, loc, getAxis(), typeOf(getX()).getRank(), e[1], e[0]);
  return arith::AddFOp::create(b, loc, acc, hit);
}
DPL_VJP(TakeOp) {
  if (needed[0])
    d[0] = ScatterAddOp::create(b, getLoc(), g, getIndices(), getAxis(),
                                shapeOf(getX())[getAxis()]);
}

DPL_INFER(ScatterAddOp) {
  Shape shape(shapeOf(a.getX()));
  if (shape != Shape(shapeOf(a.getIndices())) || (int64_t)a.getAxis() > (int64_t)shape.size())
    return emitOptionalError(loc, "indices ", describeShape(shapeOf(a.getIndices())),
                             " for elements ", describeShape(shape));
  shape.insert(shape.begin() + a.getAxis(), a.getLength());
  return inferPrimitive(shape, typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}
Structure ScatterAddOp::getStructure() {
  Structure s = elementwiseStructure(getType().getShape(), 2, getContext());
  s.inputs[0] = s.inputs[1] = without(getAxis(), getType().getRank(), getContext());
  return s;
}
Value ScatterAddOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value) {
  return whereIndex(b, loc, getAxis(), getType().getRank(), e[1], e[0]);
}
DPL_VJP(ScatterAddOp) {
  if (needed[0])
    d[0] = TakeOp::create(b, getLoc(), g, getIndices(), getAxis());
}
