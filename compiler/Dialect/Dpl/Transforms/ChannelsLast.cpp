//===- ChannelsLast.cpp - Channels of windowed operations last ------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

/// Axis i of the result is axis permutation[i] of the operand: channels from
/// the first to the last of n axes.
static Shape channelsToLast(unsigned n) {
  Shape p = llvm::to_vector(llvm::seq<int64_t>(1, n));
  p.push_back(0);
  return p;
}
static Shape channelsToFirst(unsigned n) {
  Shape p = {n - 1};
  llvm::append_range(p, llvm::seq<int64_t>(0, n - 1));
  return p;
}
/// [out, in, window..] to [window.., in, out].
static Shape filterToLast(unsigned n) {
  Shape p = llvm::to_vector(llvm::seq<int64_t>(2, n));
  p.append({1, 0});
  return p;
}
static Shape filterToFirst(unsigned n) {
  Shape p = {n - 1, n - 2};
  llvm::append_range(p, llvm::seq<int64_t>(0, n - 2));
  return p;
}
/// Marks a transpose on its way down. One that an operand needs in exchange is
/// not marked: it stays, so that the two do not chase each other.
static constexpr llvm::StringLiteral kSinking = "dpl.sinking";

static Value transpose(OpBuilder &b, Value v, ArrayRef<int64_t> permutation) {
  return b.createOrFold<TransposeOp>(v.getLoc(), v, permutation);
}
/// The transpose that leads back from the layout of an operation's result.
static Value transposeBack(OpBuilder &b, Value v,
                           ArrayRef<int64_t> permutation) {
  Value result = transpose(b, v, permutation);
  if (auto op = result.getDefiningOp<TransposeOp>(); op && result != v)
    op->setAttr(kSinking, b.getUnitAttr());
  return result;
}
/// The transpose that makes `v`, if it is on its way down.
static TransposeOp sinking(Value v) {
  auto op = v.getDefiningOp<TransposeOp>();
  return op && op->hasAttr(kSinking) ? op : TransposeOp();
}
static unsigned rankOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getRank();
}
static Value toLast(OpBuilder &b, Value v) {
  return transpose(b, v, channelsToLast(rankOf(v)));
}

namespace {

struct ConvLast : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvOp op, PatternRewriter &b) const final {
    Window w = op.getGeometry();
    if (w.channelsLast)
      return failure();
    w.channelsLast = true;
    Value filter = transpose(b, op.getFilter(), filterToLast(w.rank() + 2));
    Value y = ConvOp::create(b, op.getLoc(), toLast(b, op.getX()), filter, w);
    b.replaceOp(op, transposeBack(b, y, channelsToFirst(w.rank() + 1)));
    return success();
  }
};

struct ConvFilterLast : OpRewritePattern<ConvFilterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvFilterOp op,
                                PatternRewriter &b) const final {
    Window w = op.getGeometry();
    if (w.channelsLast)
      return failure();
    w.channelsLast = true;
    Value f = ConvFilterOp::create(b, op.getLoc(), toLast(b, op.getX()),
                                   toLast(b, op.getCotangent()), w);
    b.replaceOp(op, transposeBack(b, f, filterToFirst(w.rank() + 2)));
    return success();
  }
};

struct PoolLast : OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PoolOp op, PatternRewriter &b) const final {
    Window w = op.getGeometry();
    if (w.channelsLast)
      return failure();
    w.channelsLast = true;
    Value y =
        PoolOp::create(b, op.getLoc(), op.getKind(), toLast(b, op.getX()), w);
    b.replaceOp(op, transposeBack(b, y, channelsToFirst(w.rank() + 1)));
    return success();
  }
};

struct PoolMaxGradLast : OpRewritePattern<PoolMaxGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PoolMaxGradOp op,
                                PatternRewriter &b) const final {
    Window w = op.getGeometry();
    if (w.channelsLast)
      return failure();
    w.channelsLast = true;
    Value d = PoolMaxGradOp::create(b, op.getLoc(), toLast(b, op.getX()),
                                    toLast(b, op.getY()),
                                    toLast(b, op.getCotangent()), w);
    b.replaceOp(op, transposeBack(b, d, channelsToFirst(w.rank() + 1)));
    return success();
  }
};

/// op(transpose(a), b) = transpose(op(a, inverse transpose(b))) for an
/// elementwise, per-sample operation.
struct SinkThroughElementwise : RewritePattern {
  explicit SinkThroughElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &b) const final {
    if (!isa<ElementwiseOpInterface>(op) ||
        !isPerSample(op->getResult(0).getType()))
      return failure();
    TransposeOp first;
    for (Value v : op->getOperands())
      if (TransposeOp t = sinking(v); t && isPerSample(v.getType()))
        first = first ? first : t;
    if (!first)
      return failure();
    Shape undo = invertPermutationVector(first.getPermutation());
    SmallVector<Value> operands;
    for (Value v : op->getOperands())
      operands.push_back(transpose(b, v, undo));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Shape shape;
    for (int64_t axis : undo)
      shape.push_back(type.getDimSize(axis));
    Operation *inner = b.create(
        op->getLoc(), op->getName().getIdentifier(), operands,
        tensorType(shape, type.getElementType(), true), op->getAttrs());
    b.replaceOp(op,
                transposeBack(b, inner->getResult(0), first.getPermutation()));
    return success();
  }
};

/// The same for tensors that are joined, along the axis that the transpose
/// moves theirs to.
struct SinkThroughConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &b) const final {
    TransposeOp first;
    for (Value v : op.getParts())
      if (TransposeOp t = sinking(v); t && isPerSample(v.getType()))
        first = first ? first : t;
    if (!first)
      return failure();
    Shape undo = invertPermutationVector(first.getPermutation());
    SmallVector<Value> parts;
    for (Value v : op.getParts())
      parts.push_back(transpose(b, v, undo));
    Value joined = ConcatOp::create(b, op.getLoc(), parts,
                                    first.getPermutation()[op.getAxis()]);
    b.replaceOp(op, transposeBack(b, joined, first.getPermutation()));
    return success();
  }
};

/// A reduction reads its operand in any order of axes; what stays is
/// transposed if the order of the kept axes changes.
struct SinkThroughReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const final {
    TransposeOp t = sinking(op.getX());
    if (!t || !isPerSample(op.getType()))
      return failure();
    ArrayRef<int64_t> p = t.getPermutation();
    Shape axes, kept;
    for (auto [i, axis] : llvm::enumerate(p))
      (llvm::is_contained(op.getAxes(), (int64_t)i) ? axes : kept)
          .push_back(axis);
    llvm::sort(axes);
    Value r = ReduceOp::create(b, op.getLoc(), op.getKind(), t.getX(), axes);
    Shape sorted = kept, order;
    llvm::sort(sorted);
    for (int64_t axis : kept)
      order.push_back(std::distance(sorted.begin(), llvm::find(sorted, axis)));
    b.replaceOp(op, transposeBack(b, r, order));
    return success();
  }
};

/// transpose(broadcast(v)) = broadcast(v) along other axes, if the axes of v
/// keep their order.
struct FoldIntoBroadcast : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &b) const final {
    auto inner = op.getX().getDefiningOp<BroadcastOp>();
    if (!inner)
      return failure();
    Shape undo = invertPermutationVector(op.getPermutation()), axes;
    for (int64_t axis : inner.getAxes())
      axes.push_back(undo[axis]);
    if (!llvm::is_sorted(axes))
      return failure();
    b.replaceOpWithNewOp<BroadcastOp>(op, inner.getX(), op.getType().getShape(),
                                      axes);
    return success();
  }
};

/// Sums over the batch and copies to its samples keep the order of axes.
template <typename Op> struct SinkThroughBatch : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const final {
    TransposeOp t = sinking(op.getX());
    if (!t)
      return failure();
    Value v = Op::create(b, op.getLoc(), t.getX());
    b.replaceOp(op, transposeBack(b, v, t.getPermutation()));
    return success();
  }
};

struct ChannelsLast : dpl::impl::ChannelsLastPassBase<ChannelsLast> {
  void runOnOperation() final {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ConvLast, ConvFilterLast, PoolLast, PoolMaxGradLast,
                 SinkThroughElementwise, SinkThroughConcat, SinkThroughReduce,
                 FoldIntoBroadcast, SinkThroughBatch<BatchSumOp>,
                 SinkThroughBatch<BatchSpreadOp>>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([](TransposeOp op) { op->removeAttr(kSinking); });
  }
};

} // namespace
