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
  if constexpr (requires { op.getGroups(); })
    w.groups = op.getGroups();
  return w;
}

/// Window axes of a filter.
static Shape filterWindow(ArrayRef<int64_t> filter, bool channelsLast) {
  if (filter.size() < 3)
    return {};
  return Shape(channelsLast ? filter.drop_back(2) : filter.drop_front(2));
}

/// Do all attributes have one entry for each window axis, and all operands the
/// same floating-point elements?
static LogicalResult checkWindow(std::optional<Location> loc, const Window &w,
                                 ValueRange operands) {
  for (const Shape *v :
       {&w.stride, &w.padLow, &w.padHigh, &w.dilation, &w.dilateInput})
    if (v->size() != w.size.size())
      return emitOptionalError(loc, "a window of rank ", w.size.size(),
                               " with ", v->size(), " entries in an attribute");
  if (Type other = findMixedElement(operands))
    return emitOptionalError(loc, "a window over elements of ",
                             typeOf(operands[0]).getElementType(), " and ",
                             other, " [window_element]");
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
  if constexpr (requires { p.groups; })
    p.groups = b.getI64IntegerAttr(w.groups);
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
  if (failed(checkWindow(loc, w, a.getOperands())))
    return failure();
  return inferPrimitive(inferConvShape(shapeOf(a.getX()),
                                       shapeOf(a.getFilter()), w, irError(loc)),
                        typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}
DPL_INFER(ConvFilterOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkWindow(loc, w, a.getOperands())))
    return failure();
  return inferPrimitive(
      inferConvFilterShape(shapeOf(a.getX()), shapeOf(a.getCotangent()), w,
                           irError(loc)),
      typeOf(a.getX()).getElementType(), a.getOperands(), results);
}
DPL_INFER(PoolOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkWindow(loc, w, a.getOperands())))
    return failure();
  return inferPrimitive(inferPoolShape(shapeOf(a.getX()), w, irError(loc)),
                        typeOf(a.getX()).getElementType(), a.getOperands(),
                        results);
}
DPL_INFER(PoolMaxGradOp) {
  Window w = geometryOf(a, a.getWindow());
  if (failed(checkWindow(loc, w, a.getOperands())))
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
/// Loops of a convolution: positions, window taps, and input channel, group and
/// output channel. There is no loop over one group, and none over one output
/// channel of a group: the loop over groups is as long then.
struct ConvLoops {
  /// `x` is the tensor before the convolution, `y` that behind it.
  ConvLoops(const Window &w, Value x, Value y)
      : w(w), context(x.getContext()), in(shapeOf(x)[w.channelAxis()]),
        out(shapeOf(y)[w.channelAxis()]) {
    assert(w.isPlain() && "padding must be explicit");
    in /= w.groups;
    out /= w.groups;
    for (unsigned i = 0; i < w.rank(); ++i)
      domain.push_back(shapeOf(y)[w.spatialAxis(i)]);
    domain.append(w.size);
    domain.push_back(in);
    if (w.groups > 1)
      domain.push_back(w.groups);
    if (w.groups == 1 || out > 1)
      domain.push_back(out);
  }
  AffineExpr loop(unsigned i) const { return getAffineDimExpr(i, context); }
  AffineExpr position(unsigned i) const { return loop(i); }
  AffineExpr tap(unsigned i) const { return loop(w.rank() + i); }
  AffineExpr inner() const { return loop(2 * w.rank()); }
  AffineExpr outer() const { return loop(domain.size() - 1); }

  AffineMap map(SmallVector<AffineExpr> e) const {
    return AffineMap::get(domain.size(), 0, e, context);
  }
  /// Puts the index of a channel at `axis`: `n` channels of a group are an axis
  /// of their own beside that of the groups.
  void insert(SmallVector<AffineExpr> &e, unsigned axis, AffineExpr channel,
              int64_t n) const {
    if (w.groups == 1 || n > 1)
      e.insert(e.begin() + axis, channel);
    if (w.groups > 1)
      e.insert(e.begin() + axis, loop(2 * w.rank() + 1));
  }
  /// The shape in which that is so; empty if it is the tensor's own.
  Shape view(ArrayRef<int64_t> shape, unsigned axis, int64_t n) const {
    if (w.groups == 1 || n == 1)
      return {};
    Shape s(shape);
    s[axis] = n;
    s.insert(s.begin() + axis, w.groups);
    return s;
  }

  AffineMap before() const {
    SmallVector<AffineExpr> e;
    for (unsigned i = 0; i < w.rank(); ++i)
      e.push_back(position(i) * w.stride[i] + tap(i) * w.dilation[i]);
    insert(e, w.channelAxis(), inner(), in);
    return map(e);
  }
  Shape viewBefore(Value x) const {
    return view(shapeOf(x), w.channelAxis(), in);
  }
  AffineMap behind() const {
    SmallVector<AffineExpr> e;
    for (unsigned i = 0; i < w.rank(); ++i)
      e.push_back(position(i));
    insert(e, w.channelAxis(), outer(), out);
    return map(e);
  }
  Shape viewBehind(Value y) const {
    return view(shapeOf(y), w.channelAxis(), out);
  }
  AffineMap filter() const {
    SmallVector<AffineExpr> e;
    for (unsigned i = 0; i < w.rank(); ++i)
      e.push_back(tap(i));
    e.insert(w.channelsLast ? e.end() : e.begin(), inner());
    insert(e, w.filterOutAxis(), outer(), out);
    return map(e);
  }
  Shape viewFilter(Value f) const {
    return view(shapeOf(f), w.filterOutAxis(), out);
  }

  const Window w;
  MLIRContext *context;
  int64_t in, out; ///< channels of a group
  Shape domain;
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
  ConvLoops loops(getGeometry(), getX(), getResult());
  Structure s;
  s.domain = loops.domain;
  s.inputs = {loops.before(), loops.filter()};
  s.inputViews = {loops.viewBefore(getX()), loops.viewFilter(getFilter())};
  s.output = loops.behind();
  s.outputView = loops.viewBehind(getResult());
  setReductions(s);
  return s;
}
Value ConvOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value acc,
                          int64_t) {
  return multiplyAdd(b, loc, e, acc);
}

Structure ConvFilterOp::getStructure() {
  ConvLoops loops(getGeometry(), getX(), getCotangent());
  Structure s;
  s.domain = loops.domain;
  s.inputs = {loops.before(), loops.behind()};
  s.inputViews = {loops.viewBefore(getX()), loops.viewBehind(getCotangent())};
  s.output = loops.filter();
  s.outputView = loops.viewFilter(getResult());
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

/// A filter of the same groups in the other direction: input and output
/// channels of each group exchanged.
static Value exchangeChannels(OpBuilder &b, Location loc, Value filter,
                              const Window &w) {
  unsigned in = w.filterInAxis(), out = w.filterOutAxis();
  Shape order = allAxes(w.rank() + 2);
  if (w.groups == 1) {
    std::swap(order[in], order[out]);
    return TransposeOp::create(b, loc, filter, order);
  }
  Shape split(shapeOf(filter)), joined = split;
  joined[out] = w.groups * split[in];
  joined[in] = split[out] /= w.groups;
  split.insert(split.begin() + out, w.groups);
  order.push_back(order.size());
  std::swap(order[in < out ? in : in + 1], order[out + 1]);
  Value f = ReshapeOp::create(b, loc, filter, split);
  return ReshapeOp::create(b, loc, TransposeOp::create(b, loc, f, order),
                           joined);
}

DPL_VJP(ConvOp) {
  Location loc = getLoc();
  Window w = getGeometry();
  if (needed[0]) {
    Shape taps;
    for (unsigned i = 0; i < w.rank(); ++i)
      taps.push_back(w.filterAxis(i));
    Value f = ReverseOp::create(b, loc, getFilter(), taps);
    d[0] = ConvOp::create(
        b, loc, g, exchangeChannels(b, loc, f, w),
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
