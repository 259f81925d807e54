//===- Random.cpp - Counted random numbers --------------------------------===//

#include "compiler/Dialect/Dpl/IR/OpHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>
#include <numbers>

using namespace mlir;
using namespace dpl;

static bool isCounter(Value v, unsigned bits) {
  return typeOf(v).getRank() == 0 && typeOf(v).getElementType().isInteger(bits);
}

LogicalResult RandomKeyOp::verify() {
  if (!isCounter(getResult(), 32))
    return emitOpError("is a scalar of i32, not ") << getType();
  return success();
}

LogicalResult SampleIndexOp::verify() {
  if (!isCounter(getResult(), 64))
    return emitOpError("is a scalar of i64, not ") << getType();
  return success();
}

LogicalResult RandomOp::verify() {
  if (!isCounter(getKey0(), 32) || !isCounter(getKey1(), 32) ||
      !isCounter(getSample(), 64))
    return emitOpError("counts with scalars of i32, i32 and i64, not ")
           << getOperandTypes();
  if (!typeOf(getResult()).getElementType().isF32())
    return emitOpError("makes f32, not ")
           << typeOf(getResult()).getElementType();
  return success();
}

Structure RandomOp::getStructure() {
  Structure s = elementwiseStructure(getType().getShape(), 3, getContext());
  s.inputs[0] = s.inputs[1] = s.inputs[2] =
      AffineMap::get(s.domain.size(), 0, ArrayRef<AffineExpr>(), getContext());
  return s;
}

namespace {

using Words = std::array<Value, 4>;

/// The scalar body: integers of 32 bits, products of 64.
class Body {
public:
  Body(OpBuilder &builder, Location loc) : b(loc, builder) {}

  /// The block of words that holds the place `element`, an i32.
  Words block(Value key0, Value key1, Value sample, Value element) {
    Words counter = {shiftRight(element, 2), number(0), low(sample),
                     high(sample)};
    return philox(counter, key0, key1);
  }

  /// The word of `words` that `element` takes, of two.
  Value pick(Value element, int64_t bit, Value odd, Value even) {
    Value masked = arith::AndIOp::create(b, element, number(bit));
    Value isOdd =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, masked, number(0));
    return arith::SelectOp::create(b, isOdd, odd, even);
  }

  Value uniform(const Words &w, Value element) {
    Value bits = pick(element, 2, pick(element, 1, w[3], w[2]),
                      pick(element, 1, w[1], w[0]));
    Value upper =
        arith::SIToFPOp::create(b, b.getF32Type(), shiftRight(bits, 8));
    return arith::MulFOp::create(b, upper, real(0x1p-24));
  }

  Value normal(const Words &w, Value element) {
    Value u = arith::AddFOp::create(
        b, scaled(pick(element, 2, w[2], w[0]), 0x1p-32), real(0x1p-33));
    Value angle =
        scaled(pick(element, 2, w[3], w[1]), 2 * std::numbers::pi * 0x1p-32);
    Value square =
        arith::MulFOp::create(b, math::LogOp::create(b, u), real(-2));
    // The sum above may be rounded to 1, never beyond it.
    Value radius = math::SqrtOp::create(b, square);
    Value wave = pick(element, 1, math::SinOp::create(b, angle),
                      math::CosOp::create(b, angle));
    return arith::MulFOp::create(b, radius, wave);
  }

private:
  Value number(uint32_t n) {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(n)));
  }
  Value real(double x) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(x));
  }
  Value shiftRight(Value v, uint32_t bits) {
    return arith::ShRUIOp::create(b, v, number(bits));
  }
  /// An unsigned word times `unit`.
  Value scaled(Value word, double unit) {
    Value v = arith::UIToFPOp::create(b, b.getF32Type(), word);
    return arith::MulFOp::create(b, v, real(unit));
  }
  Value low(Value v) { return arith::TruncIOp::create(b, b.getI32Type(), v); }
  Value high(Value v) {
    Value bits = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
    return low(arith::ShRUIOp::create(b, v, bits));
  }
  Value product(Value word, uint32_t factor) {
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), word);
    Value f = arith::ConstantOp::create(b, b.getI64IntegerAttr(factor));
    return arith::MulIOp::create(b, wide, f);
  }
  Value exclusiveOr(Value x, Value y, Value z) {
    return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z);
  }

  Words philox(Words c, Value key0, Value key1) {
    for (uint32_t round = 0; round < 10; ++round) {
      Value k0 = arith::AddIOp::create(b, key0, number(round * 0x9e3779b9u));
      Value k1 = arith::AddIOp::create(b, key1, number(round * 0xbb67ae85u));
      Value p0 = product(c[0], 0xd2511f53u), p1 = product(c[2], 0xcd9e8d57u);
      c = {exclusiveOr(high(p1), c[1], k0), low(p1),
           exclusiveOr(high(p0), c[3], k1), low(p0)};
    }
    return c;
  }

  ImplicitLocOpBuilder b;
};

} // namespace

/// The number in C order of the place that the loops from `first` on are at.
static Value placeOf(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                     int64_t first) {
  Value place = arith::ConstantIndexOp::create(b, loc, 0);
  Shape strides = computeSuffixProduct(shape);
  for (auto [i, stride] : llvm::enumerate(strides)) {
    Value at = linalg::IndexOp::create(b, loc, first + i);
    Value step = arith::ConstantIndexOp::create(b, loc, stride);
    Value offset = arith::MulIOp::create(b, loc, at, step);
    place = arith::AddIOp::create(b, loc, place, offset);
  }
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), place);
}

Value RandomOp::buildScalar(OpBuilder &b, Location loc, ValueRange e, Value,
                            int64_t firstLoop) {
  Value place = placeOf(b, loc, getType().getShape(), firstLoop);
  Body body(b, loc);
  Words words = body.block(e[0], e[1], e[2], place);
  return getKind() == RandomKind::uniform ? body.uniform(words, place)
                                          : body.normal(words, place);
}
