//===- SplitPools.cpp - Pools of large windows, axis by axis --------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace dpl {
#define GEN_PASS_DEF_SPLITPOOLSPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

/// Places of a window that are one pass over its operand, at most: the common
/// windows are, and 14x14 would be 196.
static constexpr int64_t kTapsAtOnce = 9;

/// What `w` does along axis `i`, as a window of the same rank.
static Window alongAxis(const Window &w, unsigned i) {
  Window p = Window::simple(Shape(w.rank(), 1));
  p.channelsLast = w.channelsLast;
  p.size[i] = w.size[i];
  p.stride[i] = w.stride[i];
  p.padLow[i] = w.padLow[i];
  p.padHigh[i] = w.padHigh[i];
  p.dilation[i] = w.dilation[i];
  p.dilateInput[i] = w.dilateInput[i];
  return p;
}

static bool changesNothing(const Window &w) {
  auto one = [](int64_t n) { return n == 1; };
  return w.isPlain() && llvm::all_of(w.size, one) &&
         llvm::all_of(w.stride, one);
}

static void split(IRRewriter &b, PoolOp op) {
  Window w = op.getGeometry();
  int64_t taps = 1;
  for (int64_t n : w.size)
    taps *= n;
  if (w.rank() < 2 || taps <= kTapsAtOnce)
    return;
  b.setInsertionPoint(op);
  Value v = op.getX();
  // The last axis first: of equal maxima, the first in C order has the
  // gradient then, too.
  for (unsigned i = w.rank(); i-- > 0;)
    if (Window p = alongAxis(w, i); !changesNothing(p))
      v = PoolOp::create(b, op.getLoc(), op.getKind(), v, p);
  b.replaceOp(op, v);
}

namespace {
struct SplitPools : dpl::impl::SplitPoolsPassBase<SplitPools> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<PoolOp> pools;
    getOperation().walk([&](PoolOp op) { pools.push_back(op); });
    for (PoolOp op : pools)
      split(rewriter, op);
  }
};
} // namespace
