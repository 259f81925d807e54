//===- Differentiate.cpp - Reverse-mode differentiation -------------------===//
//
// The classical adjoint accumulation over a straight-line function (Griewank
// and Walther, Evaluating Derivatives, 2nd ed., chapter 3).
//
//===----------------------------------------------------------------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace dpl {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

namespace {

/// Derivatives of one `dpl.grad`.
class Adjoint {
public:
  explicit Adjoint(GradOp grad)
      : grad(grad), builder(grad), loc(grad.getLoc()) {}

  LogicalResult run();

private:
  void markActive();
  LogicalResult visit(Operation *op);
  bool isReached(Operation *op);
  void accumulate(Value of, Value gradient);
  Value constant(RankedTensorType type, double value);

  GradOp grad;
  OpBuilder builder;
  Location loc;
  llvm::DenseSet<Value> active; ///< values that depend on a requested one
  llvm::DenseMap<Value, Value> cotangents;
};

} // namespace

Value Adjoint::constant(RankedTensorType type, double value) {
  return ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, builder.getFloatAttr(type.getElementType(), value).getValue()));
}

void Adjoint::markActive() {
  active.insert(grad.getWrt().begin(), grad.getWrt().end());
  for (Operation &op : *grad->getBlock()) {
    if (&op == grad.getOperation())
      return;
    if (llvm::any_of(op.getOperands(),
                     [&](Value v) { return active.contains(v); }))
      active.insert(op.result_begin(), op.result_end());
  }
}

void Adjoint::accumulate(Value of, Value gradient) {
  // The law of gradients: what samples do to a uniform value is summed over
  // the batch.
  if (isPerSample(gradient.getType()) && !isPerSample(of.getType()))
    gradient = BatchSumOp::create(builder, loc, gradient);
  Value &total = cotangents[of];
  total = total ? AddOp::create(builder, loc, total, gradient) : gradient;
}

/// Does a gradient flow into a result of `op`, and on to a requested value?
bool Adjoint::isReached(Operation *op) {
  return llvm::any_of(op->getResults(), [&](Value v) {
    return active.contains(v) && cotangents.contains(v) &&
           !llvm::is_contained(grad.getWrt(), v);
  });
}

LogicalResult Adjoint::visit(Operation *op) {
  Value cotangent = cotangents.lookup(op->getResult(0));
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule) {
    if (op->hasTrait<ZeroGradient>() || op->getNumOperands() == 0)
      return success();
    return op->emitOpError("has no gradient");
  }
  llvm::SmallBitVector needed(op->getNumOperands());
  for (auto [i, v] : llvm::enumerate(op->getOperands()))
    needed[i] = active.contains(v);
  SmallVector<Value> gradients(op->getNumOperands());
  rule.buildVjp(builder, cotangent, needed, gradients);
  for (auto [i, v] : llvm::enumerate(op->getOperands()))
    if (needed[i] && gradients[i])
      accumulate(v, gradients[i]);
  return success();
}

LogicalResult Adjoint::run() {
  markActive();
  auto scalar = cast<RankedTensorType>(grad.getValue().getType());
  if (active.contains(grad.getValue()))
    cotangents[grad.getValue()] = constant(scalar, 1);

  SmallVector<Operation *> order;
  for (Operation &op : *grad->getBlock()) {
    if (&op == grad.getOperation())
      break;
    order.push_back(&op);
  }
  for (Operation *op : llvm::reverse(order)) {
    if (!isReached(op))
      continue;
    builder.setInsertionPoint(grad);
    loc = op->getLoc();
    if (failed(visit(op)))
      return failure();
  }
  for (auto [value, result] : llvm::zip(grad.getWrt(), grad.getGradients())) {
    Value g = cotangents.lookup(value);
    if (!g)
      g = constant(cast<RankedTensorType>(value.getType()), 0);
    result.replaceAllUsesWith(g);
  }
  grad.erase();
  return success();
}

/// All reads of a parameter or state see the same value, that at the beginning
/// of the step: they become one, so that a derivative with respect to one of
/// them is that with respect to the parameter.
static void uniteReads(func::FuncOp func) {
  if (func.isExternal())
    return;
  Block &body = func.getBody().front();
  llvm::StringMap<ReadOp> first;
  for (ReadOp read : llvm::make_early_inc_range(body.getOps<ReadOp>())) {
    auto [it, fresh] = first.try_emplace(read.getSymbol(), read);
    if (fresh)
      continue;
    read.replaceAllUsesWith(it->second.getResult());
    read.erase();
  }
}

namespace {
struct Differentiate : dpl::impl::DifferentiatePassBase<Differentiate> {
  void runOnOperation() final {
    SmallVector<GradOp> grads;
    getOperation().walk([&](GradOp op) { grads.push_back(op); });
    if (!grads.empty())
      uniteReads(getOperation());
    for (GradOp op : grads)
      if (failed(Adjoint(op).run()))
        return signalPassFailure();
  }
};
} // namespace
