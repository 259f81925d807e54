//===- TailZeros.cpp - What is zero behind the true samples ---------------===//

#include "compiler/Dialect/Dpl/IR/TailZeros.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dpl;

static bool isZeroConstant(ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  return dense && dense.isSplat() && isa<FloatType>(dense.getElementType()) &&
         dense.getSplatValue<APFloat>().isZero();
}

bool TailZeros::isZero(Operation *op) const {
  auto all = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value v) { return contains(v); });
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<BatchSpreadOp>([](auto) { return true; })
      .Case<ConstantOp>([](auto o) { return isZeroConstant(o); })
      .Case<AddOp, SubOp>([&](auto o) { return all({o.getLhs(), o.getRhs()}); })
      .Case<SelectOp>([&](auto o) { return all({o.getLhs(), o.getRhs()}); })
      .Case<MulOp, ContractOp>(
          [&](auto o) { return contains(o.getLhs()) || contains(o.getRhs()); })
      .Case<DivOp>([&](DivOp o) { return contains(o.getLhs()); })
      .Case<ConvFilterOp, PoolMaxGradOp>(
          [&](auto o) { return contains(o.getCotangent()); })
      .Case<PoolOp, ReduceOp>([&](auto o) {
        return o.getKind() == ReduceKind::sum && contains(o.getX());
      })
      .Case<PadOp>(
          [&](PadOp o) { return o.getValue().isZero() && contains(o.getX()); })
      .Case<ConcatOp>([&](ConcatOp o) { return all(o.getParts()); })
      .Case<ConvOp, BroadcastOp, ReshapeOp, TransposeOp, ReverseOp, SliceOp,
            CastOp, TakeOp, ScatterAddOp>(
          [&](auto o) { return contains(o->getOperand(0)); })
      .Default([](Operation *) { return false; });
}

TailZeros::TailZeros(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, DplDialect::kZeroInTailAttr))
      zeros.insert(func.getArgument(i));
  for (Operation &op : func.getBody().front())
    if (op.getNumResults() == 1 && isZero(&op))
      zeros.insert(op.getResult(0));
}
