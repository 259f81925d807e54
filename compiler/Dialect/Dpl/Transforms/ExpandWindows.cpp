//===- ExpandWindows.cpp - Padding and input dilation made explicit -------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

namespace dpl {
#define GEN_PASS_DEF_EXPANDWINDOWSPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

/// The window without padding and input dilation, for a padded operand.
static Window plain(const Window &w) {
  Window p = w;
  p.padLow.assign(w.rank(), 0);
  p.padHigh = p.padLow;
  p.dilateInput.assign(w.rank(), 1);
  return p;
}

/// `x` with the padding and dilation of `w`, the new places being `value`.
static Value padOperand(OpBuilder &b, Value x, const Window &w, double value) {
  Shape low(w.rank() + 1, 0), high = low, interior = low;
  for (unsigned i = 0; i < w.rank(); ++i) {
    low[w.spatialAxis(i)] = w.padLow[i];
    high[w.spatialAxis(i)] = w.padHigh[i];
    interior[w.spatialAxis(i)] = w.dilateInput[i] - 1;
  }
  return PadOp::create(b, x.getLoc(), x, low, high, interior, APFloat(value));
}

static void expand(IRRewriter &b, PoolMaxGradOp op, const Window &w) {
  // The gradient of a padded operand, and of it the places that are no
  // padding: what negative padding cut gets none.
  Value x =
      padOperand(b, op.getX(), w, -std::numeric_limits<double>::infinity());
  Value d = PoolMaxGradOp::create(b, op.getLoc(), x, op.getY(),
                                  op.getCotangent(), plain(w));
  Shape low(w.rank() + 1, 0), high = low, interior = low, step(w.rank() + 1, 1);
  for (unsigned i = 0; i < w.rank(); ++i) {
    low[w.spatialAxis(i)] = -w.padLow[i];
    high[w.spatialAxis(i)] = -w.padHigh[i];
    step[w.spatialAxis(i)] = w.dilateInput[i];
  }
  Value inner =
      b.createOrFold<PadOp>(op.getLoc(), d, low, high, interior, APFloat(0.0));
  b.replaceOp(op,
              b.createOrFold<SliceOp>(op.getLoc(), inner, Shape(step.size(), 0),
                                      op.getType().getShape(), step));
}

static void expand(IRRewriter &b, Operation *op) {
  b.setInsertionPoint(op);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    Window w = conv.getGeometry();
    if (!w.isPlain())
      b.replaceOpWithNewOp<ConvOp>(op, padOperand(b, conv.getX(), w, 0),
                                   conv.getFilter(), plain(w));
  } else if (auto filter = dyn_cast<ConvFilterOp>(op)) {
    Window w = filter.getGeometry();
    if (!w.isPlain())
      b.replaceOpWithNewOp<ConvFilterOp>(op, padOperand(b, filter.getX(), w, 0),
                                         filter.getCotangent(), plain(w));
  } else if (auto pool = dyn_cast<PoolOp>(op)) {
    Window w = pool.getGeometry();
    double edge = pool.getKind() == ReduceKind::max
                      ? -std::numeric_limits<double>::infinity()
                      : 0;
    if (!w.isPlain())
      b.replaceOpWithNewOp<PoolOp>(
          op, pool.getKind(), padOperand(b, pool.getX(), w, edge), plain(w));
  } else if (auto grad = dyn_cast<PoolMaxGradOp>(op)) {
    Window w = grad.getGeometry();
    if (!w.isPlain())
      expand(b, grad, w);
  }
}

//===----------------------------------------------------------------------===//
// Sharing of padded values
//===----------------------------------------------------------------------===//

static bool sameAttributes(PadOp a, PadOp b) {
  return a.getX() == b.getX() &&
         a->getAttrDictionary() == b->getAttrDictionary();
}

/// Equal paddings of one value become one, right behind the value; if it is
/// the only one, other uses of the value read a slice of it.
static void sharePadding(IRRewriter &rewriter, ArrayRef<PadOp> pads) {
  PadOp kept = pads.front();
  for (PadOp other : pads.drop_front())
    if (!sameAttributes(kept, other))
      return;
  Value x = kept.getX();
  if (Operation *def = x.getDefiningOp())
    kept->moveAfter(def);
  else
    kept->moveBefore(&kept->getBlock()->front());
  for (PadOp other : pads.drop_front())
    rewriter.replaceOp(other, kept.getResult());
  if (!x.getDefiningOp() || x.hasOneUse())
    return;
  rewriter.setInsertionPointAfter(kept);
  auto shape = cast<RankedTensorType>(x.getType()).getShape();
  Value slice = SliceOp::create(rewriter, kept.getLoc(), kept.getResult(),
                                kept.getLow(), shape, Shape(shape.size(), 1));
  rewriter.replaceAllUsesExcept(x, slice, kept);
}

static void shareAllPadding(IRRewriter &rewriter, func::FuncOp func) {
  llvm::MapVector<Value, SmallVector<PadOp>> byOperand;
  func.walk([&](PadOp pad) {
    if (pad.isHalo() && isPerSample(pad.getType()))
      byOperand[pad.getX()].push_back(pad);
  });
  for (auto &[x, pads] : byOperand)
    sharePadding(rewriter, pads);
}

namespace {
struct ExpandWindows : dpl::impl::ExpandWindowsPassBase<ExpandWindows> {
  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> windows;
    getOperation().walk([&](Operation *op) {
      if (isa<ConvOp, ConvFilterOp, PoolOp, PoolMaxGradOp>(op))
        windows.push_back(op);
    });
    for (Operation *op : windows)
      expand(rewriter, op);
    shareAllPadding(rewriter, getOperation());
  }
};
} // namespace
