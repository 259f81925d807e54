//===- Primitives.cpp - Reference evaluation of one primitive -------------===//

#include "compiler/Reference/Primitives.h"
#include "compiler/Reference/Evaluator.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

Tensor dpl::reference::elementwise(Operation *op,
                                   ArrayRef<const Tensor *> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto rule = cast<ElementwiseOpInterface>(op);
  bool whole = isa<IntegerType>(type.getElementType());
  Tensor y(type.getShape());
  SmallVector<double> elements(operands.size());
  for (int64_t i = 0; i < y.size(); ++i) {
    for (auto [k, t] : llvm::enumerate(operands))
      elements[k] = (*t)[i];
    double v = rule.evaluate(elements);
    y[i] = whole ? std::trunc(v) : v;
  }
  return y;
}

static Tensor contract(ContractOp op, const Tensor &lhs, const Tensor &rhs) {
  Tensor y(resultShape(op));
  addContraction(lhs, rhs, op.getLhsLabels(), op.getRhsLabels(),
                 op.getResultLabels(), y);
  return y;
}

std::optional<Tensor>
dpl::reference::evaluatePrimitive(Operation *op,
                                  ArrayRef<const Tensor *> operands) {
  using Result = std::optional<Tensor>;
  if (isa<ElementwiseOpInterface>(op))
    return elementwise(op, operands);
  auto in = [&](unsigned i) -> const Tensor & { return *operands[i]; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](ConstantOp o) { return constant(o); })
      .Case([&](IotaOp o) { return iota(o); })
      .Case([&](BroadcastOp o) { return broadcast(o, in(0)); })
      .Case([&](ReshapeOp o) { return reshape(o, in(0)); })
      .Case([&](TransposeOp o) { return transpose(o, in(0)); })
      .Case([&](ReverseOp o) { return reverse(o, in(0)); })
      .Case([&](SliceOp o) { return slice(o, in(0)); })
      .Case([&](PadOp o) { return pad(o, in(0)); })
      .Case([&](ConcatOp o) { return concat(o, operands); })
      .Case([&](StopGradientOp) { return in(0); })
      .Case([&](ReduceOp o) { return reduce(o, in(0)); })
      .Case([&](ArgmaxOp o) { return argmax(o, in(0)); })
      .Case([&](ContractOp o) { return contract(o, in(0), in(1)); })
      .Case([&](TakeOp o) { return take(o, in(0), in(1)); })
      .Case([&](RandomOp o) { return random(o, in(0), in(1), in(2)); })
      .Case([&](ScatterAddOp o) { return scatterAdd(o, in(0), in(1)); })
      .Case([&](ConvOp o) { return conv(o, in(0), in(1)); })
      .Case([&](ConvFilterOp o) { return convFilter(o, in(0), in(1)); })
      .Case([&](PoolOp o) { return pool(o, in(0)); })
      .Case(
          [&](PoolMaxGradOp o) { return poolMaxGrad(o, in(0), in(1), in(2)); })
      .Default([](Operation *) { return Result(); });
}
