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

Value KernelLowering::lowerStructured(StructuredOpInterface op,
                                      Value accumulator) {
  Structure s = op.getStructure();
  Value result = op->getResult(0);
  bool batched = tile && isPerSample(result.getType());
  if (batched) {
    s.domain.insert(s.domain.begin(), tile);
    s.iterators.insert(s.iterators.begin(),
                       accumulator ? utils::IteratorType::reduction
                                   : utils::IteratorType::parallel);
    s.output = shifted(s.output, /*leading=*/!accumulator);
  }
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // One for each operand: a constant or an element that the body reads, or,
  // where null, the next input.
  using Source = std::function<Value(OpBuilder &, Location)>;
  SmallVector<Source> sources;
  auto collect = [&](bool lookThrough) {
    inputs.clear();
    maps.clear();
    sources.clear();
    for (auto [v, map] : llvm::zip(op->getOperands(), s.inputs)) {
      sources.emplace_back();
      if (TypedAttr constant = lookThrough ? splatOf(v) : TypedAttr()) {
        sources.back() = [constant](OpBuilder &body, Location loc) -> Value {
          return arith::ConstantOp::create(body, loc, constant);
        };
        continue;
      }
      auto [source, indices] =
          lookThrough ? throughBroadcasts(v, map) : std::pair(v, map);
      if (batched)
        indices = shifted(indices, isPerSample(source.getType()));
      if (!llvm::all_of(indices.getResults(), growsFromZero)) {
        Value tensor = get(source);
        sources.back() = [tensor, indices](OpBuilder &body, Location loc) {
          return readElement(body, loc, tensor, indices);
        };
        continue;
      }
      inputs.push_back(source);
      maps.push_back(indices);
    }
    maps.push_back(s.output);
  };
  collect(/*lookThrough=*/true);
  // A loop over what is the same everywhere has no index left: then the
  // operands are read as tensors of their full shape.
  if (!coversLoops(maps, s.domain.size()))
    collect(/*lookThrough=*/false);
  for (Value &input : inputs)
    input = get(input);

  bool accumulates = accumulator || s.combiner != Combiner::None;
  Value init = accumulator;
  if (!init)
    init =
        accumulates
            ? filled(lowered(result.getType()), neutral(s.combiner))
            : Value(tensor::EmptyOp::create(
                  b, lowered(result.getType()).getShape(),
                  cast<RankedTensorType>(result.getType()).getElementType()));
  return linalg::GenericOp::create(
             b, TypeRange(init.getType()), inputs, ValueRange(init), maps,
             s.iterators,
             [&](OpBuilder &body, Location loc, ValueRange e) {
               SmallVector<Value> elements;
               unsigned next = 0;
               for (const Source &source : sources)
                 elements.push_back(source ? source(body, loc) : e[next++]);
               Value v = op.buildScalar(body, loc, elements,
                                        accumulates ? e.back() : Value(),
                                        batched ? 1 : 0);
               linalg::YieldOp::create(body, loc, v);
             })
      .getResult(0);
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
