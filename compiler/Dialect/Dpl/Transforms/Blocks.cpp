//===- Blocks.cpp - Uniform kernels in blocks -----------------------------===//

#include "compiler/Dialect/Dpl/Transforms/Blocks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace dpl;

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

RankedTensorType BlockPlan::blockType(Value v) const {
  auto it = axis.find(v);
  if (it == axis.end())
    return typeOf(v);
  Shape shape(typeOf(v).getShape());
  shape[it->second] = size;
  return tensorType(shape, typeOf(v).getElementType(),
                    isPerSample(v.getType()));
}

namespace {

/// Propagates the cut of one value through a group.
class Cutter {
public:
  explicit Cutter(ArrayRef<Operation *> group)
      : group(group.begin(), group.end()) {}

  /// Cuts `v` along `axis` and whatever follows; false if something couples
  /// the places of the axis.
  bool cut(Value v, int64_t axis) {
    if (!assign(v, axis))
      return false;
    while (!pending.empty()) {
      Value next = pending.pop_back_val();
      Operation *def = next.getDefiningOp();
      if (def && group.contains(def) && !throughResult(def))
        return false;
      for (Operation *user : next.getUsers())
        if (group.contains(user) && user->getNumResults() &&
            !throughOperand(user, next))
          return false;
    }
    return true;
  }

  llvm::DenseMap<Value, int64_t> axes;

private:
  bool assign(Value v, int64_t axis) {
    auto [it, fresh] = axes.try_emplace(v, axis);
    if (fresh)
      pending.push_back(v);
    return it->second == axis;
  }

  /// The operation's result is cut: cut its operands.
  bool throughResult(Operation *op) {
    int64_t axis = axes.lookup(op->getResult(0));
    if (isa<ElementwiseOpInterface>(op)) {
      return llvm::all_of(op->getOperands(),
                          [&](Value v) { return assign(v, axis); });
    }
    if (auto t = dyn_cast<TransposeOp>(op))
      return assign(t.getX(), t.getPermutation()[axis]);
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      auto it = llvm::find(broadcast.getAxes(), axis);
      return it == broadcast.getAxes().end() ||
             assign(broadcast.getX(), it - broadcast.getAxes().begin());
    }
    if (auto contract = dyn_cast<BatchContractOp>(op)) {
      int64_t label = contract.getResultLabels()[axis];
      auto side = [&](Value v, ArrayRef<int64_t> labels) {
        auto it = llvm::find(labels, label);
        return it == labels.end() || assign(v, it - labels.begin());
      };
      return side(contract.getLhs(), contract.getLhsLabels()) &&
             side(contract.getRhs(), contract.getRhsLabels());
    }
    if (auto constant = dyn_cast<ConstantOp>(op))
      return cast<ElementsAttr>(constant.getValue()).isSplat();
    return false;
  }

  /// An operand is cut: cut the result.
  bool throughOperand(Operation *op, Value operand) {
    int64_t axis = axes.lookup(operand);
    if (isa<ElementwiseOpInterface>(op))
      return assign(op->getResult(0), axis);
    if (auto t = dyn_cast<TransposeOp>(op))
      return assign(t.getResult(), llvm::find(t.getPermutation(), axis) -
                                       t.getPermutation().begin());
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      return assign(broadcast.getResult(), broadcast.getAxes()[axis]);
    return axes.contains(op->getResult(0));
  }

  llvm::SmallPtrSet<Operation *, 16> group;
  SmallVector<Value> pending;
};

} // namespace

/// The largest divisor of `n` that is at most `limit`; one that is a multiple
/// of a cache line's floats if there is any.
static int64_t divisor(int64_t n, int64_t limit) {
  constexpr int64_t line = 16;
  int64_t best = 1, aligned = 0;
  for (int64_t d = 1; d <= std::min(n, limit); ++d) {
    if (n % d)
      continue;
    best = d;
    if (d % line == 0)
      aligned = d;
  }
  return aligned ? aligned : best;
}

/// Does the group write a parameter or state that each block reads as a whole?
/// One block would then read what another one wrote.
static bool overwritesWhole(ArrayRef<Operation *> group, const Cutter &cutter) {
  llvm::SmallPtrSet<Attribute, 4> read;
  for (Operation *op : group)
    for (Value v : op->getOperands())
      if (auto def = v.getDefiningOp<ReadOp>(); def && !cutter.axes.contains(v))
        read.insert(def.getSymbolAttr());
  return llvm::any_of(group, [&](Operation *op) {
    auto write = dyn_cast<WriteOp>(op);
    return write && read.contains(write.getSymbolAttr());
  });
}

/// Is every tensor that the group makes cut? Scalars may be made by each block.
static bool cutsAll(ArrayRef<Operation *> group, const Cutter &cutter) {
  return llvm::all_of(group, [&](Operation *op) {
    return llvm::all_of(op->getResults(), [&](Value v) {
      return typeOf(v).getRank() == 0 || cutter.axes.contains(v);
    });
  });
}

BlockPlan dpl::planBlocks(ArrayRef<Operation *> group, int64_t elements) {
  Value widest;
  for (Operation *op : group) {
    if (isa<ReportOp>(op))
      return BlockPlan();
    for (Value v : op->getResults())
      if (!widest ||
          typeOf(v).getNumElements() > typeOf(widest).getNumElements())
        widest = v;
  }
  if (!widest || typeOf(widest).getNumElements() <= elements)
    return BlockPlan();
  ArrayRef<int64_t> shape = typeOf(widest).getShape();
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-shape[a], a) < std::pair(-shape[b], b);
  });
  for (int64_t axis : order) {
    Cutter cutter(group);
    if (!cutter.cut(widest, axis) || !cutsAll(group, cutter) ||
        overwritesWhole(group, cutter))
      continue;
    BlockPlan plan;
    int64_t row = typeOf(widest).getNumElements() / shape[axis];
    plan.size = divisor(shape[axis], std::max<int64_t>(1, elements / row));
    plan.count = shape[axis] / plan.size;
    plan.axis = std::move(cutter.axes);
    return plan.count > 1 ? plan : BlockPlan();
  }
  return BlockPlan();
}
