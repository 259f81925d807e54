//===- GraphMakers.cpp - The operations of random graphs ------------------===//

#include "test/Random/GraphBuilder.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

/// Elements of one sample of a value, at most.
static constexpr int64_t kMostElements = 72;

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}
static ArrayRef<int64_t> shapeOf(Value v) { return typeOf(v).getShape(); }
static int64_t product(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t size : shape)
    n *= size;
  return n;
}
static void quiet(StringRef, const Twine &) {}

static Shape permutationOf(int64_t rank, reference::Random &random) {
  Shape p = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(p[i], p[random.between(0, i)]);
  return p;
}

/// Some axes, at least `least` of them, in ascending order.
static Shape someAxes(int64_t rank, int64_t least, reference::Random &random) {
  Shape p = permutationOf(rank, random);
  p.resize(random.between(std::min(least, rank), rank));
  llvm::sort(p);
  return p;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value GraphBuilder::makeFunction() {
  Value x = pick();
  switch (between(0, 6)) {
  case 0:
    return ExpOp::create(b, loc, bounded(x));
  case 4:
    return ErfOp::create(b, loc, x);
  case 5:
    return SinOp::create(b, loc, bounded(x));
  case 1:
    return LogOp::create(b, loc, positive(x, 0.5));
  case 2:
    return SqrtOp::create(b, loc, positive(x, 0.25));
  case 3:
    return AbsOp::create(b, loc, x);
  default:
    return TanhOp::create(b, loc, x);
  }
}

Value GraphBuilder::makeBinary() {
  Value x = pick(), y = matching(x);
  if (chance(2))
    std::swap(x, y);
  switch (between(0, 5)) {
  case 0:
    return SubOp::create(b, loc, x, y);
  case 1:
    return MulOp::create(b, loc, x, bounded(y));
  case 2:
    return DivOp::create(b, loc, x, positive(y, 0.5));
  case 3:
    return MaxOp::create(b, loc, x, y);
  case 4:
    return PowOp::create(b, loc, positive(bounded(x), 0.5), bounded(y));
  default:
    return AddOp::create(b, loc, x, y);
  }
}

Value GraphBuilder::makeSelect() {
  Value x = pick(), y = matching(x);
  auto predicate = static_cast<Predicate>(between(0, 5));
  Value condition;
  if (chance(2)) {
    condition = CompareOp::create(b, loc, predicate, x, y);
  } else {
    Value i = indices(shapeOf(x)), j = indices(shapeOf(x));
    condition = CompareOp::create(b, loc, predicate, i, j);
  }
  return SelectOp::create(b, loc, condition, matching(x), y);
}

Value GraphBuilder::makeCast() {
  Value x = pick();
  Type f32 = b.getF32Type();
  Value other;
  switch (between(0, 3)) {
  case 0:
    other = indices(shapeOf(x));
    break;
  case 1:
    other = CompareOp::create(b, loc, Predicate::gt, x, matching(x));
    break;
  case 2: // to whole numbers and back
    other = MulOp::create(b, loc, bounded(x), likeOf(x, 2.3));
    other = CastOp::create(b, loc, other, b.getI32Type());
    break;
  default: // a truth value as a whole number
    other = CompareOp::create(b, loc, Predicate::le, x, matching(x));
    other = CastOp::create(b, loc, other, b.getI32Type());
  }
  return AddOp::create(b, loc, CastOp::create(b, loc, other, f32), x);
}

Value GraphBuilder::makeConstant() {
  Value x = pick();
  return MaxOp::create(b, loc, x, chance(2) ? noise(shapeOf(x)) : likeOf(x, 0));
}

Value GraphBuilder::makeStop() {
  Value x = pick();
  Value y = StopGradientOp::create(b, loc, x);
  return MulOp::create(b, loc, bounded(y), matching(x));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value GraphBuilder::makeBroadcast() {
  Value x = pick();
  Shape shape(shapeOf(x)), axes;
  if (shape.size() > 3)
    return Value();
  int64_t at = between(0, shape.size());
  shape.insert(shape.begin() + at, between(1, 4));
  if (product(shape) > kMostElements)
    return Value();
  for (int64_t i = 0; i < (int64_t)shape.size(); ++i)
    if (i != at)
      axes.push_back(i);
  return spread(x, shape, axes);
}

Value GraphBuilder::makeReshape() {
  Value x = pick();
  int64_t n = typeOf(x).getNumElements();
  Shape shape;
  if (n > 1 || chance(2))
    shape.push_back(n);
  // Splits the last axis where a number divides it, or puts in a 1.
  for (int i = between(0, 2); i > 0 && !shape.empty(); --i)
    for (int64_t d : {between(1, 4), (int64_t)1})
      if (shape.back() % d == 0) {
        shape.back() /= d;
        shape.insert(shape.begin() + between(0, shape.size()), d);
        break;
      }
  return ReshapeOp::create(b, loc, x, shape);
}

Value GraphBuilder::makeTranspose() {
  Value x = pickOfRank(2);
  if (!x)
    return Value();
  return TransposeOp::create(b, loc, x,
                             permutationOf(typeOf(x).getRank(), random));
}

Value GraphBuilder::makeReverse() {
  Value x = pickOfRank(1);
  return x ? ReverseOp::create(b, loc, x,
                               someAxes(typeOf(x).getRank(), 1, random))
                 .getResult()
           : x;
}

Value GraphBuilder::makeSlice() {
  Value x = pickOfRank(1);
  if (!x)
    return Value();
  Shape start, size, step;
  for (int64_t n : shapeOf(x)) {
    start.push_back(between(0, std::min<int64_t>(n - 1, 2)));
    step.push_back(between(1, 3));
    int64_t most = (n - 1 - start.back()) / step.back() + 1;
    size.push_back(between((most + 1) / 2, most));
  }
  return SliceOp::create(b, loc, x, start, size, step);
}

Value GraphBuilder::makePad() {
  Value x = pickOfRank(1);
  if (!x)
    return Value();
  Shape low, high, interior;
  for (int64_t i = 0; i < typeOf(x).getRank(); ++i) {
    low.push_back(between(-1, 2));
    high.push_back(between(-2, 1));
    interior.push_back(chance(3) ? between(1, 2) : 0);
  }
  FailureOr<Shape> shape =
      inferPadShape(shapeOf(x), low, high, interior, quiet);
  if (failed(shape) || product(*shape) > kMostElements)
    return Value();
  return PadOp::create(b, loc, x, low, high, interior,
                       APFloat(chance(2) ? 0.0 : 0.5));
}

/// Behind a part of itself, or of what has its shape.
Value GraphBuilder::makeConcat() {
  Value x = pickOfRank(1);
  if (!x || typeOf(x).getNumElements() * 3 > kMostElements)
    return Value();
  int64_t axis = between(0, typeOf(x).getRank() - 1);
  Shape size(shapeOf(x)), zero(size.size(), 0), one(size.size(), 1);
  size[axis] = between(1, size[axis]);
  SmallVector<Value> parts = {
      x, SliceOp::create(b, loc, matching(x), zero, size, one)};
  if (chance(2))
    parts.push_back(matching(x));
  if (chance(2))
    std::swap(parts[0], parts[1]);
  return ConcatOp::create(b, loc, parts, axis);
}

//===----------------------------------------------------------------------===//
// Sums, contractions, windows, indices
//===----------------------------------------------------------------------===//

Value GraphBuilder::makeReduce() {
  Value x = pickOfRank(1);
  if (!x)
    return Value();
  Shape axes = someAxes(typeOf(x).getRank(), 1, random);
  if (chance(2))
    return ReduceOp::create(b, loc, ReduceKind::max, x, axes);
  Value y = ReduceOp::create(b, loc, ReduceKind::sum, x, axes);
  return MulOp::create(b, loc, y, likeOf(y, 0.5));
}

Value GraphBuilder::makeTake() {
  Value x = pickOfRank(1);
  if (!x)
    return Value();
  int64_t axis = between(0, typeOf(x).getRank() - 1);
  Shape rest(shapeOf(x));
  rest.erase(rest.begin() + axis);
  Value i = chance(2) ? ArgmaxOp::create(b, loc, matching(x), axis).getResult()
                      : indices(rest);
  return TakeOp::create(b, loc, x, i, axis);
}

Value GraphBuilder::makeScatter() {
  Value x = pick();
  int64_t length = between(1, 5);
  if (typeOf(x).getNumElements() * length > kMostElements)
    return Value();
  Value i = indices(shapeOf(x));
  return ScatterAddOp::create(b, loc, x, i, between(0, typeOf(x).getRank()),
                              length);
}

Value GraphBuilder::makeContract() {
  Value x = pick(), y = pick();
  if (typeOf(x).getRank() == 0 || typeOf(x).getRank() + typeOf(y).getRank() > 6)
    return Value();
  Shape left = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(x).getRank()));
  Shape right, result;
  int64_t next = left.size();
  if (chance(2)) {
    // A weight for some axes of x, with axes of its own.
    Shape shape;
    for (int64_t axis : someAxes(left.size(), 1, random)) {
      right.push_back(axis);
      shape.push_back(shapeOf(x)[axis]);
    }
    right.insert(right.begin() + between(0, right.size()), next++);
    shape.insert(shape.begin() + (llvm::find(right, next - 1) - right.begin()),
                 between(1, 9));
    y = parameter(shape, 0.7);
  } else {
    // Equal sizes become one index now and then.
    for (int64_t n : shapeOf(y)) {
      int64_t own = next++;
      for (int64_t i = 0; i < (int64_t)left.size(); ++i)
        if (shapeOf(x)[i] == n && !llvm::is_contained(right, i) && chance(2)) {
          own = i;
          break;
        }
      right.push_back(own);
    }
  }
  Shape sizes;
  for (int64_t label : permutationOf(next, random)) {
    bool shared =
        llvm::is_contained(left, label) && llvm::is_contained(right, label);
    bool known =
        llvm::is_contained(left, label) || llvm::is_contained(right, label);
    if (!known || (shared ? !chance(4) : chance(5)))
      continue;
    result.push_back(label);
    const auto *it = llvm::find(left, label);
    sizes.push_back(it != left.end()
                        ? shapeOf(x)[it - left.begin()]
                        : shapeOf(y)[llvm::find(right, label) - right.begin()]);
  }
  if (result.size() > 4 || product(sizes) > kMostElements)
    return Value();
  Value z = ContractOp::create(b, loc, bounded(x), y, left, right, result);
  return MulOp::create(b, loc, z, likeOf(z, 0.5));
}

/// Two weights so large that the fused update contracts over the batch, or a
/// product of samples that is summed over the batch.
Value GraphBuilder::makeWide() {
  Value x = pickOfRank(1);
  if (!x || !chance(4))
    return Value();
  int64_t n = typeOf(x).getNumElements(), wide = between(40, 50);
  Value flat = ReshapeOp::create(b, loc, x, Shape{n});
  Value h = ContractOp::create(b, loc, flat, parameter({wide, n}, 0.3),
                               Shape{0}, Shape{1, 0}, Shape{1});
  h = bounded(h);
  Value y = ContractOp::create(b, loc, h, parameter({wide + 3, wide}, 0.2),
                               Shape{0}, Shape{1, 0}, Shape{1});
  if (chance(2))
    return y;
  Value products =
      ContractOp::create(b, loc, h, y, Shape{0}, Shape{1}, Shape{0, 1});
  Value sum = BatchSumOp::create(b, loc, products);
  sum = MulOp::create(b, loc, sum, likeOf(sum, 0.01));
  sum = ReduceOp::create(b, loc, ReduceKind::sum, sum, Shape{0});
  return AddOp::create(b, loc, y, bounded(sum));
}

Window GraphBuilder::drawWindow(Value x) {
  Window w = Window::simple(Shape(typeOf(x).getRank() - 1, 1));
  for (unsigned i = 0; i < w.rank(); ++i) {
    w.size[i] = between(1, 3);
    w.stride[i] = between(1, 3);
    w.padLow[i] = between(-1, 2);
    w.padHigh[i] = between(-1, 2);
    w.dilation[i] = between(1, 2);
    w.dilateInput[i] = chance(4) ? 2 : 1;
  }
  return w;
}

Value GraphBuilder::makeConv() {
  Value x = pickOfRank(2);
  if (!x || typeOf(x).getRank() > 4)
    return Value();
  Window w = drawWindow(x);
  int64_t in = shapeOf(x)[0];
  while (between(0, 2) == 0)
    w.groups = between(1, in);
  if (in % w.groups != 0)
    return Value();
  Shape filter = {w.groups * between(1, w.groups == 1 ? 9 : 3), in / w.groups};
  llvm::append_range(filter, w.size);
  FailureOr<Shape> shape = inferConvShape(shapeOf(x), filter, w, quiet);
  if (failed(shape) || product(*shape) > kMostElements)
    return Value();
  return ConvOp::create(b, loc, bounded(x), parameter(filter, 0.6), w);
}

/// Does every window see an element?
static bool seesAll(ArrayRef<int64_t> spatial, const Window &w) {
  for (unsigned i = 0; i < w.rank(); ++i)
    if (w.padLow[i] >= w.size[i] || w.padHigh[i] >= w.size[i] ||
        w.dilateInput[i] > 1 || w.dilation[i] > 1 || w.padLow[i] < 0 ||
        w.padHigh[i] < 0 || spatial[i] < w.size[i])
      return false;
  return true;
}

Value GraphBuilder::makePool() {
  Value x = pickOfRank(2);
  if (!x || typeOf(x).getRank() > 4)
    return Value();
  Window w = drawWindow(x);
  bool isMax = chance(2);
  FailureOr<Shape> shape = inferPoolShape(shapeOf(x), w, quiet);
  if (failed(shape) || product(*shape) > kMostElements ||
      (isMax && !seesAll(shapeOf(x).drop_front(), w)))
    return Value();
  if (isMax)
    return PoolOp::create(b, loc, ReduceKind::max, x, w);
  Value y = PoolOp::create(b, loc, ReduceKind::sum, x, w);
  return MulOp::create(b, loc, y, likeOf(y, 0.5));
}

//===----------------------------------------------------------------------===//
// Across the batch, and beside it
//===----------------------------------------------------------------------===//

/// Less the mean over the batch, which a state remembers.
Value GraphBuilder::makeBatch() {
  Value x = pick();
  ArrayRef<int64_t> shape = shapeOf(x);
  Value sum = BatchSumOp::create(b, loc, x);
  Value n = BatchCountOp::create(b, loc, tensorType({}, b.getF32Type(), false));
  Value mean = DivOp::create(b, loc, sum, spread(n, shape, {}));
  bool remembered = chance(2);
  if (isTraining && remembered) {
    std::string name = "s" + std::to_string(states.size());
    Value old = state(shape);
    Value part = MulOp::create(b, loc, mean, constant(shape, 0.25));
    WriteOp::create(b, loc, name, AddOp::create(b, loc, old, part));
  }
  if (chance(3))
    return mean;
  return SubOp::create(b, loc, x, mean);
}

/// With noise, or zero where it is small.
Value GraphBuilder::makeNoise() {
  Value x = pick();
  if (!isPerSample(x.getType()))
    return Value();
  std::string path = "draw" + std::to_string(draws++);
  auto word = tensorType({}, b.getI32Type(), false);
  Value key0 = RandomKeyOp::create(b, loc, word, path, 0);
  Value key1 = RandomKeyOp::create(b, loc, word, path, 1);
  Value sample =
      SampleIndexOp::create(b, loc, tensorType({}, b.getI64Type(), true));
  bool drops = chance(2);
  Value r = RandomOp::create(b, loc, cast<RankedTensorType>(x.getType()),
                             drops ? RandomKind::uniform : RandomKind::normal,
                             key0, key1, sample);
  if (!drops)
    return AddOp::create(b, loc, x, r);
  Value low = CompareOp::create(b, loc, Predicate::lt, r, likeOf(x, 0.3));
  return SelectOp::create(b, loc, low, likeOf(x, 0), x);
}

/// Something that exists once: of parameters, states and constants alone.
Value GraphBuilder::makeUniform() {
  Shape shape;
  for (int64_t i = between(0, 3); i > 0; --i)
    shape.push_back(between(1, 6));
  Value p = parameter(shape, 0.9);
  switch (between(0, 3)) {
  case 0:
    return bounded(p);
  case 1:
    return MulOp::create(b, loc, p, isTraining ? state(shape) : noise(shape));
  case 2:
    return readAs("p" + std::to_string(parameters.size() - 1), shape);
  default:
    return p;
  }
}

ArrayRef<GraphBuilder::Maker> GraphBuilder::makers() {
  using G = GraphBuilder;
  // Those that stand twice are wanted more often.
  static const Maker table[] = {
      &G::makeFunction,  &G::makeBinary,   &G::makeBinary,    &G::makeSelect,
      &G::makeCast,      &G::makeConstant, &G::makeBroadcast, &G::makeReshape,
      &G::makeTranspose, &G::makeReverse,  &G::makeSlice,     &G::makePad,
      &G::makeReduce,    &G::makeTake,     &G::makeScatter,   &G::makeContract,
      &G::makeContract,  &G::makeWide,     &G::makeConv,      &G::makeConv,
      &G::makePool,      &G::makePool,     &G::makeBatch,     &G::makeUniform,
      &G::makeStop,      &G::makeConcat,   &G::makeNoise};
  return table;
}
