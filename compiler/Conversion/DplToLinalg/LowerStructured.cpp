//===- LowerStructured.cpp - The generic lowering -------------------------===//

#include "compiler/Conversion/DplToLinalg/KernelLowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <functional>
#include <limits>

using namespace mlir;
using namespace dpl;

static TypedAttr numberAttr(Type type, double value) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(type, (int64_t)value);
}

Value KernelLowering::scalar(Type type, double value) {
  return arith::ConstantOp::create(b, numberAttr(type, value));
}

Value KernelLowering::filled(RankedTensorType type, double value) {
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  return linalg::FillOp::create(b, scalar(type.getElementType(), value), empty)
      .getResult(0);
}

Value KernelLowering::filledOwn(RankedTensorType type, double value) {
  // An allocation has an effect, so equal ones are not merged; two writers of
  // one value would cost a copy of it.
  Value own = bufferization::AllocTensorOp::create(b, type, ValueRange());
  return linalg::FillOp::create(b, scalar(type.getElementType(), value), own)
      .getResult(0);
}

Value KernelLowering::elementwise(RankedTensorType result, ValueRange inputs,
                                  function_ref<Value(ValueRange)> body) {
  AffineMap identity = b.getMultiDimIdentityMap(result.getRank());
  SmallVector<AffineMap> maps(inputs.size() + 1, identity);
  SmallVector<utils::IteratorType> loops(result.getRank(),
                                         utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(b, result.getShape(), result.getElementType());
  return linalg::GenericOp::create(
             b, TypeRange(result), inputs, ValueRange(empty), maps, loops,
             [&](OpBuilder &inner, Location loc, ValueRange e) {
               OpBuilder::InsertionGuard guard(b);
               b.setInsertionPointToEnd(inner.getInsertionBlock());
               linalg::YieldOp::create(b, loc, body(e.drop_back()));
             })
      .getResult(0);
}

Value KernelLowering::forEachSample(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  Shape shape(type.getShape());
  shape.insert(shape.begin(), tile);
  Value empty = tensor::EmptyOp::create(b, shape, type.getElementType());
  AffineMap all = b.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange(empty.getType()), ValueRange(x), ValueRange(empty),
             ArrayRef{all.dropResult(0), all}, loops,
             [](OpBuilder &body, Location loc, ValueRange e) {
               linalg::YieldOp::create(body, loc, e[0]);
             })
      .getResult(0);
}

/// The one element of a uniform splat constant, through broadcasts.
static TypedAttr splatOf(Value v) {
  while (auto broadcast = v.getDefiningOp<BroadcastOp>())
    v = broadcast.getX();
  auto constant = v.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  return dense && dense.isSplat() ? dense.getSplatValue<TypedAttr>()
                                  : TypedAttr();
}

/// Follows broadcasts from an operand to what is read, with its map.
static std::pair<Value, AffineMap> throughBroadcasts(Value v, AffineMap map) {
  while (auto broadcast = v.getDefiningOp<BroadcastOp>()) {
    map = broadcast.getStructure().inputs[0].compose(map);
    v = broadcast.getX();
  }
  return {v, map};
}

/// `map` over loops with one more in front; with `leading`, that loop is the
/// first index too.
static AffineMap shifted(AffineMap map, bool leading) {
  AffineMap m = map.shiftDims(1);
  if (!leading)
    return m;
  SmallVector<AffineExpr> e = {getAffineDimExpr(0, map.getContext())};
  llvm::append_range(e, m.getResults());
  return AffineMap::get(m.getNumDims(), 0, e, map.getContext());
}

/// Is every loop by itself an index of an operand or of the result? The size
/// of a loop is known from there.
static bool coversLoops(ArrayRef<AffineMap> maps, unsigned loops) {
  llvm::SmallBitVector seen(loops);
  for (AffineMap map : maps)
    for (AffineExpr index : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(index))
        seen.set(dim.getPosition());
  return seen.all();
}

/// Does an index grow with the loops, from 0? A tile of the loops reads a slice
/// of such an operand.
static bool growsFromZero(AffineExpr index) {
  if (isa<AffineDimExpr>(index))
    return true;
  auto both = dyn_cast<AffineBinaryOpExpr>(index);
  if (both && both.getKind() == AffineExprKind::Add)
    return growsFromZero(both.getLHS()) && growsFromZero(both.getRHS());
  auto factor =
      both ? dyn_cast<AffineConstantExpr>(both.getRHS()) : AffineConstantExpr();
  return factor && both.getKind() == AffineExprKind::Mul &&
         factor.getValue() > 0 && growsFromZero(both.getLHS());
}

/// The element of `source` that `map` names, inside of a body: for indices that
/// an operand of linalg cannot have.
static Value readElement(OpBuilder &b, Location loc, Value source,
                         AffineMap map) {
  SmallVector<Value> loops, indices;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    loops.push_back(linalg::IndexOp::create(b, loc, i));
  for (AffineExpr index : map.getResults())
    indices.push_back(affine::AffineApplyOp::create(
        b, loc, AffineMap::get(map.getNumDims(), 0, index), loops));
  return tensor::ExtractOp::create(b, loc, source, indices);
}

static double neutral(Combiner combiner) {
  return combiner == Combiner::Max   ? -std::numeric_limits<double>::infinity()
         : combiner == Combiner::Min ? std::numeric_limits<double>::infinity()
                                     : 0;
}

namespace {
/// What a loop nest reads.
struct Reads {
  /// A constant, or an element that the body reads.
  using Source = std::function<Value(OpBuilder &, Location)>;
  SmallVector<Value> inputs; ///< in dpl
  SmallVector<AffineMap> maps;
  SmallVector<Source> sources; ///< of each operand; null for the next input
};
} // namespace

/// The operands of `op`; with `lookThrough`, constants and what broadcasts
/// repeat are read where they are. `get` gives the tensor of a value.
static Reads readsOf(StructuredOpInterface op, const Structure &s, bool batched,
                     bool lookThrough, function_ref<Value(Value)> get) {
  Reads reads;
  for (auto [v, map] : llvm::zip(op->getOperands(), s.inputs)) {
    Reads::Source &source = reads.sources.emplace_back();
    if (TypedAttr constant = lookThrough ? splatOf(v) : TypedAttr()) {
      source = [constant](OpBuilder &body, Location loc) -> Value {
        return arith::ConstantOp::create(body, loc, constant);
      };
      continue;
    }
    auto [from, indices] =
        lookThrough ? throughBroadcasts(v, map) : std::pair(v, map);
    if (batched)
      indices = shifted(indices, isPerSample(from.getType()));
    if (!llvm::all_of(indices.getResults(), growsFromZero)) {
      Value tensor = get(from);
      source = [tensor, read = indices](OpBuilder &body, Location loc) {
        return readElement(body, loc, tensor, read);
      };
      continue;
    }
    reads.inputs.push_back(from);
    reads.maps.push_back(indices);
  }
  reads.maps.push_back(s.output);
  return reads;
}

Value KernelLowering::viewed(Value v, ArrayRef<int64_t> view) {
  auto type = cast<RankedTensorType>(v.getType());
  if (view.empty())
    return get(v);
  bool samples = tile && isPerSample(type);
  return reshaped(get(v),
                  lowered(tensorType(view, type.getElementType(), samples)),
                  samples);
}

Value KernelLowering::lowerStructured(StructuredOpInterface op,
                                      Value accumulator) {
  Structure s = op.getStructure();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  bool batched = tile && isPerSample(result);
  bool samples = batched && !accumulator; // is there one result for each?
  if (batched) {
    s.domain.insert(s.domain.begin(), tile);
    s.iterators.insert(s.iterators.begin(),
                       samples ? utils::IteratorType::parallel
                               : utils::IteratorType::reduction);
    s.output = shifted(s.output, /*leading=*/samples);
  }
  // A loop over what is the same everywhere has no index left, and views are of
  // the operands: then these are read as tensors of their full shape.
  bool hasViews =
      llvm::any_of(s.inputViews, [](auto &v) { return !v.empty(); });
  auto tensor = [&](Value v) { return get(v); };
  Reads reads = readsOf(op, s, batched, /*lookThrough=*/!hasViews, tensor);
  if (!hasViews && !coversLoops(reads.maps, s.domain.size()))
    reads = readsOf(op, s, batched, /*lookThrough=*/false, tensor);
  SmallVector<Value> inputs;
  for (auto [i, v] : llvm::enumerate(reads.inputs))
    inputs.push_back(viewed(v, hasViews ? ArrayRef<int64_t>(s.inputViews[i])
                                        : ArrayRef<int64_t>()));

  bool accumulates = accumulator || s.combiner != Combiner::None;
  RankedTensorType own = lowered(accumulator ? withPerSample(result, false)
                                             : result),
                   type = own;
  if (!s.outputView.empty())
    type = lowered(tensorType(s.outputView, result.getElementType(), samples));
  Value init = accumulator   ? reshaped(accumulator, type, samples)
               : accumulates ? filled(type, neutral(s.combiner))
                             : Value(tensor::EmptyOp::create(
                                   b, type.getShape(), type.getElementType()));
  Value v =
      linalg::GenericOp::create(
          b, TypeRange(type), inputs, ValueRange(init), reads.maps, s.iterators,
          [&](OpBuilder &body, Location loc, ValueRange e) {
            SmallVector<Value> elements;
            unsigned next = 0;
            for (const Reads::Source &source : reads.sources)
              elements.push_back(source ? source(body, loc) : e[next++]);
            Value v = op.buildScalar(body, loc, elements,
                                     accumulates ? e.back() : Value(),
                                     batched ? 1 : 0);
            linalg::YieldOp::create(body, loc, v);
          })
          .getResult(0);
  return reshaped(v, own, samples);
}

Value KernelLowering::lowerArgmax(ArgmaxOp op) {
  // The maximum, then the smallest index that reaches it: two plain reductions.
  auto xType = cast<RankedTensorType>(op.getX().getType());
  int64_t axis = op.getAxis(), n = xType.getDimSize(axis);
  Value x = get(op.getX());
  int64_t lead = tile && isPerSample(xType) ? 1 : 0;
  unsigned rank = xType.getRank() + lead;
  AffineMap in = b.getMultiDimIdentityMap(rank),
            out = in.dropResult(axis + lead);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops[axis + lead] = utils::IteratorType::reduction;

  RankedTensorType indexType = lowered(op.getType());
  auto topType =
      RankedTensorType::get(indexType.getShape(), xType.getElementType());
  Value low = filled(topType, neutral(Combiner::Max));
  Value top = linalg::GenericOp::create(
                  b, TypeRange(topType), ValueRange(x), ValueRange(low),
                  ArrayRef{in, out}, loops,
                  [](OpBuilder &body, Location loc, ValueRange e) {
                    Value m = arith::MaximumFOp::create(body, loc, e[1], e[0]);
                    linalg::YieldOp::create(body, loc, m);
                  })
                  .getResult(0);
  Value none = filled(indexType, n);
  return linalg::GenericOp::create(
             b, TypeRange(indexType), ValueRange{x, top}, ValueRange(none),
             ArrayRef{in, out, out}, loops,
             [&](OpBuilder &body, Location loc, ValueRange e) {
               Value i = linalg::IndexOp::create(body, loc, axis + lead);
               i = arith::IndexCastOp::create(body, loc, body.getI32Type(), i);
               // Of a NaN the maximum is one, which equals nothing.
               Value hit = arith::CmpFOp::create(
                   body, loc, arith::CmpFPredicate::OEQ, e[0], e[1]);
               Value isNaN = arith::CmpFOp::create(
                   body, loc, arith::CmpFPredicate::UNO, e[0], e[0]);
               hit = arith::OrIOp::create(body, loc, hit, isNaN);
               Value no = arith::ConstantOp::create(body, loc,
                                                    body.getI32IntegerAttr(n));
               Value mine = arith::SelectOp::create(body, loc, hit, i, no);
               Value first = arith::MinSIOp::create(body, loc, e[2], mine);
               linalg::YieldOp::create(body, loc, first);
             })
      .getResult(0);
}
