//===- Window.cpp - Convolution and pooling -------------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace dpl;

#define DPL_VJP(OP)                                                            \
  void OP::buildVjp(OpBuilder &b, Value g, const llvm::SmallBitVector &needed, \
                    MutableArrayRef<Value> d)
#define DPL_INFER(OP)                                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *context,                     \
                                     std::optional<Location> loc, Adaptor a,   \
                                     SmallVectorImpl<Type> &results)

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

/// The window of an operation or adaptor, with the given window sizes.
template <typename OpOrAdaptor>
static Window geometryOf(OpOrAdaptor op, ArrayRef<int64_t> size) {
  Window w;
  w.size.assign(size.begin(), size.end());
  auto set = [](Shape &to, ArrayRef<int64_t> from) {
    to.assign(from.begin(), from.end());
  };
  set(w.stride, op.getStride());
  set(w.padLow, op.getPadLow());
  set(w.padHigh, op.getPadHigh());
  set(w.dilation, op.getDilation());
  set(w.dilateInput, op.getDilateInput());
  w.channelsLast = op.getChannelsLast();
  return w;
}

/// Window axes of a filter.
static Shape filterWindow(ArrayRef<int64_t> filter, bool channelsLast) {
  if (filter.size() < 3)
    return {};
  return Shape(channelsLast ? filter.drop_back(2) : filter.drop_front(2));
}

/// Do all attributes have one entry for each window axis?
static LogicalResult checkEntries(std::optional<Location> loc,
                                  const Window &w) {
  for (const Shape *v :
       {&w.stride, &w.padLow, &w.padHigh, &w.dilation, &w.dilateInput})
    if (v->size() != w.size.size())
      return emitOptionalError(loc, "a window of rank ", w.size.size(),
                               " with ", v->size(), " entries in an attribute");
  return success();
}

/// Fills in a window operation; its result type comes from the shape rule.
template <typename Op>
static void buildWindowOp(OpBuilder &b, OperationState &state,
                          ValueRange operands, const Window &w,
                          std::optional<ReduceKind> kind = std::nullopt) {
  state.addOperands(operands);
  auto &p = state.getOrAddProperties<typename Op::Properties>();
  p.stride = b.getDenseI64ArrayAttr(w.stride);
  p.pad_low = b.getDenseI64ArrayAttr(w.padLow);
  p.pad_high = b.getDenseI64ArrayAttr(w.padHigh);
  p.dilation = b.getDenseI64ArrayAttr(w.dilation);
  p.dilate_input = b.getDenseI64ArrayAttr(w.dilateInput);
  if (w.channelsLast)
    p.channels_last = b.getUnitAttr();
  if constexpr (requires { p.window; })
    p.window = b.getDenseI64ArrayAttr(w.size);
  if constexpr (requires { p.kind; })
    p.kind = ReduceKindAttr::get(b.getContext(), *kind);
  SmallVector<Type> results;
  if (failed(Op::inferReturnTypes(b.getContext(), state.location, operands, {},
                                  state.getRawProperties(), {}, results)))
    llvm::report_fatal_error("a window operation of wrong shape was built");
  state.addTypes(results);
}

Window ConvOp::getGeometry() {
  return geometryOf(*this,
                    filterWindow(shapeOf(getFilter()), getChannelsLast()));
}
Window ConvFilterOp::getGeometry() { return geometryOf(*this, getWindow()); }
Window PoolOp::getGeometry() { return geometryOf(*this, getWindow()); }
Window PoolMaxGradOp::getGeometry() { return geometryOf(*this, getWindow()); }

void ConvOp::build(OpBuilder &b, OperationState &state, Value x, Value filter,
                   const Window &w) {
  buildWindowOp<ConvOp>(b, state, {x, filter}, w);
}
void ConvFilterOp::build(OpBuilder &b, OperationState &state, Value x,
                         Value cotangent, const Window &w) {
  buildWindowOp<ConvFilterOp>(b, state, {x, cotangent}, w);
}
void PoolOp::build(OpBuilder &b, OperationState &state, ReduceKind kind,
                   Value x, const Window &w) {
  buildWindowOp<PoolOp>(b, state, {x}, w, kind);
}
void PoolMaxGradOp::build(OpBuilder &b, OperationState &state, Value x, Value y,
                          Value cotangent, const Window &w) {
  buildWindowOp<PoolMaxGradOp>(b, state, {x, y, cotangent}, w);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

DPL_INFER(ConvOp) {
  Window w =
      geometryOf(a, filterWindow(shapeOf(a.getFilter()), a.getChannelsLast()));
  if (failed(checkEntries(loc, w)))
    return failure();
  return inferPrimitive(inferConvShape(shapeOf(a.getX()),
                                       shapeOf(a.getFilter()), w, irError(loc)),
                        typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}
DPL_INFER(ConvFilterOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkEntries(loc, w)))
    return failure();
  return inferPrimitive(
      inferConvFilterShape(shapeOf(a.getX()), shapeOf(a.getCotangent()), w,
                           irError(loc)),
      typeOf(a.getX()).getElementType(), a.getOperands(), results);
}
DPL_INFER(PoolOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkEntries(loc, w)))
    return failure();
  return inferPrimitive(inferPoolShape(shapeOf(a.getX()), w, irError(loc)),
                        typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}
DPL_INFER(PoolMaxGradOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkEntries(loc, w)))
    return failure();
  FailureOr<Shape> pooled = inferPoolShape(shapeOf(a.getX()), w, irError(loc));
  if (failed(pooled))
    return failure();
  for (Value v : {a.getY(), a.getCotangent()})
    if (shapeOf(v) != ArrayRef<int64_t>(*pooled))
      return emitOptionalError(loc, "pooled value ", describeShape(shapeOf(v)),
                               ", expected ", describeShape(*pooled));
  return inferPrimitive(Shape(shapeOf(a.getX())),
                        typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

namespace {
/// Loops of a convolution: positions, window taps, input and output channel.
struct ConvLoops {
  ConvLoops(const Window &w, MLIRContext *context) : w(w), context(context) {}
  unsigned rank() const { return w.rank(); }
  AffineExpr position(unsigned i) const { return getAffineDimExpr(i, context); }
  AffineExpr tap(unsigned i) const {
    return getAffineDimExpr(rank() + i, context);
  }
  AffineExpr in() const { return getAffineDimExpr(2 * rank(), context); }
  AffineExpr out() const { return getAffineDimExpr(2 * rank() + 1, context); }

  AffineMap map(SmallVector<AffineExpr> e) const {
    return AffineMap::get(2 * rank() + 2, 0, e, context);
  }
  AffineMap picture(AffineExpr channel, bool window) const {
    SmallVector<AffineExpr> e;
    for (unsigned i = 0; i < rank(); ++i)
      e.push_back(window ? position(i) * w.stride[i] + tap(i) * w.dilation[i]
                         : position(i));
    e.insert(e.begin() + w.channelAxis(), channel);
    return map(e);
  }
  AffineMap filter() const {
    SmallVector<AffineExpr> e(rank() + 2);
    for (unsigned i = 0; i < rank(); ++i)
      e[w.filterAxis(i)] = tap(i);
    e[w.filterInAxis()] = in();
    e[w.filterOutAxis()] = out();
    return map(e);
  }
  Shape domain(ArrayRef<int64_t> result, int64_t in, int64_t out) const {
    Shape d;
    for (unsigned i = 0; i < rank(); ++i)
      d.push_back(result[w.spatialAxis(i)]);
    d.append(w.size);
    d.append({in, out});
    return d;
  }

  const Window w;
  MLIRContext *context;
};
} // namespace

static void setReductions(Structure &s) {
  s.iterators.assign(s.domain.size(), utils::IteratorType::reduction);
  for (AffineExpr e : s.output.getResults())
    s.iterators[cast<AffineDimExpr>(e).getPosition()] =
        utils::IteratorType::parallel;
  s.combiner = Combiner::Sum;
}

Structure ConvOp::getStructure() {
  ConvLoops loops(getGeometry(), getContext());
  assert(loops.w.isPlain() && "padding must be explicit");
  Structure s;
  s.domain =
      loops.domain(getType().getShape(), shapeOf(getX())[loops.w.channelAxis()],
                   getType().getShape()[loops.w.channelAxis()]);
  s.inputs = {loops.picture(loops.in(), true), loops.filter()};
  s.output = loops.picture(loops.out(), false);
  setReductions(s);
  return s;
}
Value ConvOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value acc,
                          int64_t) {
  return multiplyAdd(b, loc, e, acc);
}

Structure ConvFilterOp::getStructure() {
  ConvLoops loops(getGeometry(), getContext());
  assert(loops.w.isPlain() && "padding must be explicit");
  unsigned channel = loops.w.channelAxis();
  Structure s;
  s.domain = loops.domain(shapeOf(getCotangent()), shapeOf(getX())[channel],
                          shapeOf(getCotangent())[channel]);
  s.inputs = {loops.picture(loops.in(), true),
              loops.picture(loops.out(), false)};
  s.output = loops.filter();
  setReductions(s);
  return s;
}
Value ConvFilterOp::buildScalar(OpBuilder &b, Location loc, ValueRange e,
                                Value acc, int64_t) {
  return multiplyAdd(b, loc, e, acc);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The window under which the cotangent of a window operation's result is seen
/// from its operand: stride and input dilation exchanged, padded so that every
/// place of an operand of the sizes `spatial` is met.
static Window adjointWindow(const Window &w, ArrayRef<int64_t> spatial,
                            ArrayRef<int64_t> result) {
  Window t = w;
  t.stride = w.dilateInput;
  t.dilateInput = w.stride;
  for (unsigned i = 0; i < w.rank(); ++i) {
    int64_t reach = w.dilation[i] * (w.size[i] - 1);
    int64_t length = (result[i] - 1) * w.stride[i] + 1;
    t.padLow[i] = reach - w.padLow[i];
    t.padHigh[i] =
        (spatial[i] - 1) * w.dilateInput[i] + 1 + reach - length - t.padLow[i];
  }
  return t;
}

static Shape spatialShape(Value x, const Window &w) {
  Shape s;
  for (unsigned i = 0; i < w.rank(); ++i)
    s.push_back(shapeOf(x)[w.spatialAxis(i)]);
  return s;
}

DPL_VJP(ConvOp) {
  Location loc = getLoc();
  Window w = getGeometry();
  if (needed[0]) {
    Shape taps, swapped = allAxes(w.rank() + 2);
    for (unsigned i = 0; i < w.rank(); ++i)
      taps.push_back(w.filterAxis(i));
    std::swap(swapped[w.filterInAxis()], swapped[w.filterOutAxis()]);
    Value f = ReverseOp::create(b, loc, getFilter(), taps);
    f = TransposeOp::create(b, loc, f, swapped);
    d[0] = ConvOp::create(
        b, loc, g, f,
        adjointWindow(w, spatialShape(getX(), w), spatialShape(g, w)));
  }
  if (needed[1])
    d[1] = ConvFilterOp::create(b, loc, getX(), g, w);
}

DPL_VJP(PoolOp) {
  Location loc = getLoc();
  Window w = getGeometry();
  if (getKind() == ReduceKind::max)
    d[0] = PoolMaxGradOp::create(b, loc, getX(), getResult(), g, w);
  else
    d[0] = PoolOp::create(
        b, loc, ReduceKind::sum, g,
        adjointWindow(w, spatialShape(getX(), w), spatialShape(g, w)));
}

//===----------------------------------------------------------------------===//
// Canonical forms
//===----------------------------------------------------------------------===//

namespace {
/// pool(max(x, c)) = max(pool(x), c) for a constant c: the same bits in value
/// and gradient, on the smaller tensor. (A window whose maximum is c gives no
/// gradient either way.) Padding is minus infinity, so it changes nothing
/// unless a window lies wholly in it, which then gives c on both sides of a
/// window that meets no element: such windows are left alone.
struct PoolBeforeMax : OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const final {
    auto inner = op.getX().getDefiningOp<MaxOp>();
    if (!inner || op.getKind() != ReduceKind::max || !inner->hasOneUse() ||
        !op.getGeometry().isPlain())
      return failure();
    DenseElementsAttr floor;
    if (!matchPattern(inner.getRhs(), m_Constant(&floor)) || !floor.isSplat())
      return failure();
    Value pooled = PoolOp::create(rewriter, op.getLoc(), op.getKind(),
                                  inner.getLhs(), op.getGeometry());
    Value c = ConstantOp::create(
        rewriter, op.getLoc(),
        floor.resizeSplat(withPerSample(typeOf(pooled), false)));
    rewriter.replaceOpWithNewOp<MaxOp>(op, pooled, c);
    return success();
  }
};
} // namespace

void PoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<PoolBeforeMax>(context);
}
