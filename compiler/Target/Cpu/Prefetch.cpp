//===- Prefetch.cpp - Fetches the next tile of a large operand ------------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_PREFETCH
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

/// Bytes of a cache line.
static constexpr int64_t kLine = 64;
/// An operand smaller than this stays in a core's cache.
static constexpr int64_t kLargeOperand = 512 * 1024;
/// A tile larger than this is not fetched as a whole while the one before it is
/// computed.
static constexpr int64_t kLargeTile = 64 * 1024;
/// Steps that are fetched ahead in a large tile.
static constexpr int64_t kStepsAhead = 32;

namespace {
/// A read of `rows` x `columns` elements at [step, column] of an operand.
struct Stream {
  vector::TransferReadOp read;
  scf::ForOp steps;   ///< the innermost loop, over the rows
  scf::ForOp columns; ///< a loop around it, over the columns
  int64_t elementBytes;
};
} // namespace

static scf::ForOp loopOf(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && loop.getInductionVar() == index ? loop : scf::ForOp();
}

/// Matches a read in the innermost loop of a contraction whose rows are far
/// apart: what the hardware does not fetch by itself.
static std::optional<Stream> matchStream(vector::TransferReadOp read) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  if (!type || !type.hasStaticShape() || type.getRank() != 2 ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  scf::ForOp steps = loopOf(read.getIndices()[0]);
  scf::ForOp columns = loopOf(read.getIndices()[1]);
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  if (!steps || !columns || read->getParentOp() != steps ||
      !columns->isProperAncestor(steps) || steps.getInitArgs().empty() ||
      type.getNumElements() * bytes < kLargeOperand)
    return std::nullopt;
  return Stream{read, steps, columns, bytes};
}

/// The smaller of `index` + `distance` and the last place of a tile.
static Value ahead(OpBuilder &builder, Location loc, Value index,
                   int64_t distance, int64_t last) {
  AffineExpr d0 = builder.getAffineDimExpr(0);
  auto map =
      AffineMap::get(1, 0, {d0 + distance, builder.getAffineConstantExpr(last)},
                     builder.getContext());
  return affine::AffineMinOp::create(builder, loc, map, index);
}

static void prefetch(Stream stream) {
  auto type = cast<MemRefType>(stream.read.getBase().getType());
  auto vector = stream.read.getVectorType();
  int64_t columns = vector.getShape().back();
  int64_t rows = vector.getRank() > 1 ? vector.getDimSize(0) : 1;
  auto trip = stream.steps.getStaticTripCount();
  if (!trip)
    return;
  int64_t steps = trip->getSExtValue() * rows;
  OpBuilder builder(stream.read);
  Location loc = stream.read.getLoc();
  Value row = stream.read.getIndices()[0], column = stream.read.getIndices()[1];
  if (steps * columns * stream.elementBytes <= kLargeTile) {
    builder.setInsertionPoint(stream.steps);
    column = ahead(builder, loc, column, columns, type.getDimSize(1) - columns);
    builder.setInsertionPoint(stream.read);
  } else {
    row = ahead(builder, loc, row, kStepsAhead, type.getDimSize(0) - rows);
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; c += kLine / stream.elementBytes) {
      auto offset = [&](Value v, int64_t by) -> Value {
        return by == 0 ? v
                       : arith::AddIOp::create(
                             builder, loc, v,
                             arith::ConstantIndexOp::create(builder, loc, by));
      };
      memref::PrefetchOp::create(builder, loc, stream.read.getBase(),
                                 ValueRange{offset(row, r), offset(column, c)},
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
    }
}

namespace {
struct Prefetch : dpl::cpu::impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    SmallVector<Stream> streams;
    getOperation().walk([&](vector::TransferReadOp read) {
      if (auto stream = matchStream(read))
        streams.push_back(*stream);
    });
    for (const Stream &stream : streams)
      prefetch(stream);
  }
};
} // namespace
