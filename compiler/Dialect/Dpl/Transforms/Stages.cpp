//===- Stages.cpp - Stages of a step function -----------------------------===//

#include "compiler/Dialect/Dpl/Transforms/Stages.h"

using namespace mlir;
using namespace dpl;

bool dpl::isLeaf(Operation *op) {
  return isa<ReadOp, SettingValueOp, BatchCountOp, RandomKeyOp, SampleIndexOp>(
      op);
}

bool dpl::isFree(Operation *op) {
  return isa<ConstantOp, IotaOp, BroadcastOp, ReshapeOp>(op) &&
         !isPerSample(op->getResult(0).getType());
}

static bool isSum(Operation *op) {
  return isa<BatchSumOp, BatchContractOp>(op);
}
static bool isSampleOp(Operation *op) {
  return op->getNumResults() && isPerSample(op->getResult(0).getType());
}
static bool isEffect(Operation *op) { return isa<WriteOp, ReportOp>(op); }

int64_t Stages::ofValue(Value v) const {
  Operation *def = v.getDefiningOp();
  return def ? stage.lookup(def) : 1;
}

int64_t Stages::earliest(Operation *op) const {
  int64_t s = 0;
  for (Value v : op->getOperands())
    s = std::max(s, ofValue(v));
  if (isSum(op))
    return s + 1;
  return isSampleOp(op) ? s | 1 : s;
}

int64_t Stages::latest(Operation *op) const {
  int64_t s = lastStage;
  for (Operation *user : op->getUsers()) {
    int64_t u = isFree(user) ? latest(user) : stage.lookup(user);
    s = std::min(s, isSampleOp(user) ? u - 1 : u);
  }
  return s;
}

Stages::Stages(func::FuncOp step) {
  Block &body = step.getBody().front();
  for (Operation &op : body.without_terminator()) {
    stage[&op] = earliest(&op);
    lastStage = std::max(lastStage, stage[&op]);
  }
  lastStage += lastStage & 1;
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (isEffect(&op))
      stage[&op] = lastStage;
    else if (!isSampleOp(&op) && !isSum(&op) && !isLeaf(&op) && !isFree(&op))
      stage[&op] = std::max(stage[&op], latest(&op));
  }
  byStage.resize(lastStage + 1);
  for (Operation &op : body.without_terminator()) {
    if (isLeaf(&op) || isFree(&op))
      continue;
    byStage[isa<BatchSumOp>(op) ? stage[&op] - 1 : stage[&op]].push_back(&op);
  }
}
