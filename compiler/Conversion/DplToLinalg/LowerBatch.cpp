//===- LowerBatch.cpp - Across the batch ----------------------------------===//

#include "compiler/Conversion/DplToLinalg/KernelLowering.h"

#include "dpl/abi.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace dpl;

bool KernelLowering::isFusedIntoSum(Operation *op) const {
  auto structured = dyn_cast<StructuredOpInterface>(op);
  if (!structured || op->getNumResults() != 1 || !op->getResult(0).hasOneUse())
    return false;
  Value v = op->getResult(0);
  if (!isPerSample(v.getType()) || !isa<BatchSumOp>(*v.user_begin()) ||
      !zeros.contains(v))
    return false;
  return isa<ContractOp>(op) ||
         structured.getStructure().combiner == Combiner::Sum;
}

Value KernelLowering::isTrueSample() {
  Value i = linalg::IndexOp::create(b, 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i,
                               size(DPL_SIZE_VALID));
}

Value KernelLowering::lowerBatchSpread(BatchSpreadOp op) {
  RankedTensorType type = lowered(op.getType());
  AffineMap out = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  return linalg::GenericOp::create(
             b, TypeRange(type), ValueRange(get(op.getX())), ValueRange(empty),
             ArrayRef{out.dropResult(0), out}, loops,
             [&](OpBuilder &inner, Location loc, ValueRange e) {
               OpBuilder::InsertionGuard guard(b);
               b.setInsertionPointToEnd(inner.getInsertionBlock());
               Value zero = scalar(type.getElementType(), 0);
               Value v = arith::SelectOp::create(b, isTrueSample(), e[0], zero);
               linalg::YieldOp::create(b, loc, v);
             })
      .getResult(0);
}

Value KernelLowering::lowerBatchSum(BatchSumOp op) {
  // The accumulator is this chunk's copy, so the sum goes on where the tile
  // before stopped.
  Value accumulator;
  auto end = cast<func::ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [value, index] : llvm::zip(end.getOperands(), resultSlots))
    if (value == op.getResult())
      accumulator = loadTensor(slots[index]);
  Operation *producer = op.getX().getDefiningOp();
  if (producer && isFusedIntoSum(producer))
    return lowerStructured(cast<StructuredOpInterface>(producer), accumulator);

  bool masked = !zeros.contains(op.getX());
  Value x = get(op.getX());
  auto type = cast<RankedTensorType>(x.getType());
  AffineMap in = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  loops[0] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, TypeRange(accumulator.getType()), ValueRange(x),
             ValueRange(accumulator), ArrayRef{in, in.dropResult(0)}, loops,
             [&](OpBuilder &inner, Location loc, ValueRange e) {
               OpBuilder::InsertionGuard guard(b);
               b.setInsertionPointToEnd(inner.getInsertionBlock());
               Value v = e[0];
               // A selection, not a product: NaN behind the true samples stays
               // there.
               if (masked)
                 v = arith::SelectOp::create(b, isTrueSample(), v,
                                             scalar(type.getElementType(), 0));
               linalg::YieldOp::create(
                   b, loc, arith::AddFOp::create(b, e[1], v).getResult());
             })
      .getResult(0);
}

Value KernelLowering::sumProducts(BatchContractOp op, Value lhs, Value rhs) {
  // The loops of a contraction, with the samples as one more reduction.
  OpBuilder::InsertionGuard guard(b);
  Shape lhsLabels(op.getLhsLabels()), rhsLabels(op.getRhsLabels());
  auto labels = llvm::to_vector(op.getResultLabels());
  for (ArrayRef<int64_t> operand : {op.getLhsLabels(), op.getRhsLabels()})
    for (int64_t label : operand)
      if (!llvm::is_contained(labels, label))
        labels.push_back(label);
  unsigned loops = labels.size() + 1;
  auto mapOf = [&](ArrayRef<int64_t> names, bool samples) {
    SmallVector<AffineExpr> e;
    if (samples)
      e.push_back(b.getAffineDimExpr(0));
    for (int64_t label : names)
      e.push_back(
          b.getAffineDimExpr(1 + (llvm::find(labels, label) - labels.begin())));
    return AffineMap::get(loops, 0, e, b.getContext());
  };
  SmallVector<utils::IteratorType> kinds(loops, utils::IteratorType::reduction);
  for (unsigned i = 0; i < op.getResultLabels().size(); ++i)
    kinds[i + 1] = utils::IteratorType::parallel;
  Value zero = filled(op.getType(), 0);
  return linalg::GenericOp::create(
             b, TypeRange(op.getType()), ValueRange{lhs, rhs}, ValueRange(zero),
             ArrayRef{mapOf(lhsLabels, true), mapOf(rhsLabels, true),
                      mapOf(op.getResultLabels(), false)},
             kinds,
             [](OpBuilder &body, Location loc, ValueRange e) {
               auto contract = arith::FastMathFlags::contract;
               Value p = arith::MulFOp::create(body, loc, e[0], e[1], contract);
               Value s = arith::AddFOp::create(body, loc, e[2], p, contract);
               linalg::YieldOp::create(body, loc, s);
             })
      .getResult(0);
}

/// The samples of tile `t`.
static Value tileOf(ImplicitLocOpBuilder &b, Value all, Value first,
                    int64_t tile) {
  auto type = cast<RankedTensorType>(all.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), extents,
      steps(type.getRank(), b.getIndexAttr(1));
  offsets[0] = first;
  for (int64_t n : type.getShape())
    extents.push_back(b.getIndexAttr(n));
  extents[0] = b.getIndexAttr(tile);
  return tensor::ExtractSliceOp::create(b, all, offsets, extents, steps);
}

Value KernelLowering::lowerBatchContract(BatchContractOp op) {
  // Each tile's products are summed from zero and then added: the order in
  // which the chunks of a tile each are summed elsewhere.
  Value lhs = get(op.getLhs()), rhs = get(op.getRhs());
  Value zero = arith::ConstantIndexOp::create(b, 0),
        one = arith::ConstantIndexOp::create(b, 1);
  Value samples = arith::ConstantIndexOp::create(b, programTile);
  Value start = filledOwn(op.getType(), 0);
  auto loop =
      scf::ForOp::create(b, zero, size(DPL_SIZE_TILES), one, ValueRange(start));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value first = arith::MulIOp::create(b, loop.getInductionVar(), samples);
  Value products = sumProducts(op, tileOf(b, lhs, first, programTile),
                               tileOf(b, rhs, first, programTile));
  AffineMap identity = b.getMultiDimIdentityMap(op.getType().getRank());
  SmallVector<utils::IteratorType> kinds(op.getType().getRank(),
                                         utils::IteratorType::parallel);
  Value total = linalg::GenericOp::create(
                    b, TypeRange(op.getType()), ValueRange(products),
                    ValueRange(loop.getRegionIterArg(0)),
                    ArrayRef{identity, identity}, kinds,
                    [](OpBuilder &body, Location loc, ValueRange e) {
                      Value s = arith::AddFOp::create(body, loc, e[1], e[0]);
                      linalg::YieldOp::create(body, loc, s);
                    })
                    .getResult(0);
  scf::YieldOp::create(b, total);
  return loop.getResult(0);
}
