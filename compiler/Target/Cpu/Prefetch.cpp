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
/// The same for an argument that a kernel reads once, after a reduction.
static constexpr int64_t kLargeArgument = 64 * 1024;
/// A tile larger than this is not fetched as a whole while the one before it is
/// computed.
static constexpr int64_t kLargeTile = 64 * 1024;
/// Steps that are fetched ahead in a large tile.
static constexpr int64_t kStepsAhead = 32;

/// The loop whose induction variable `index` is.
static scf::ForOp loopOf(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && loop.getInductionVar() == index ? loop : scf::ForOp();
}

/// Bytes of the matrix that `read` reads vectors of rows from; 0 if it reads
/// anything else.
static int64_t matrixBytes(vector::TransferReadOp read) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  if (!type || !type.hasStaticShape() || type.getRank() != 2 ||
      !type.getElementType().isIntOrFloat() ||
      !read.getPermutationMap().isMinorIdentity())
    return 0;
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Columns and rows of what `read` reads.
static int64_t columnsOf(vector::TransferReadOp read) {
  return read.getVectorType().getShape().back();
}
static int64_t rowsOf(vector::TransferReadOp read) {
  VectorType type = read.getVectorType();
  return type.getRank() > 1 ? type.getDimSize(0) : 1;
}

static Value plus(OpBuilder &builder, Location loc, Value index, int64_t by) {
  if (by == 0)
    return index;
  Value constant = arith::ConstantIndexOp::create(builder, loc, by);
  return arith::AddIOp::create(builder, loc, index, constant);
}

/// The smaller of `index` + `distance` and `last`.
static Value ahead(OpBuilder &builder, Location loc, Value index,
                   int64_t distance, int64_t last) {
  AffineExpr next = builder.getAffineDimExpr(0) + distance;
  auto map = AffineMap::get(1, 0, {next, builder.getAffineConstantExpr(last)},
                            builder.getContext());
  return affine::AffineMinOp::create(builder, loc, map, index);
}

/// Fetches every line that `read` would read at [row, column].
static void fetch(OpBuilder &builder, vector::TransferReadOp read, Value row,
                  Value column) {
  Location loc = read.getLoc();
  auto type = cast<MemRefType>(read.getBase().getType());
  int64_t perLine = kLine * 8 / type.getElementTypeBitWidth();
  for (int64_t r = 0; r < rowsOf(read); ++r)
    for (int64_t c = 0; c < columnsOf(read); c += perLine)
      memref::PrefetchOp::create(
          builder, loc, read.getBase(),
          ValueRange{plus(builder, loc, row, r), plus(builder, loc, column, c)},
          /*isWrite=*/false, /*localityHint=*/3,
          /*isDataCache=*/true);
}

/// A read at [step, column] of a large operand, where `step` is the innermost
/// loop and `column` one around it: rows that are far apart.
static bool isStream(vector::TransferReadOp read) {
  if (matrixBytes(read) < kLargeOperand)
    return false;
  scf::ForOp steps = loopOf(read.getIndices()[0]);
  scf::ForOp columns = loopOf(read.getIndices()[1]);
  return steps && columns && read->getParentOp() == steps &&
         columns->isProperAncestor(steps) && !steps.getInitArgs().empty() &&
         steps.getStaticTripCount();
}

static void fetchNextTile(vector::TransferReadOp read) {
  auto type = cast<MemRefType>(read.getBase().getType());
  scf::ForOp steps = loopOf(read.getIndices()[0]);
  int64_t rows = rowsOf(read), columns = columnsOf(read);
  int64_t tileBytes = steps.getStaticTripCount()->getSExtValue() * rows *
                      columns * type.getElementTypeBitWidth() / 8;
  OpBuilder builder(read);
  Location loc = read.getLoc();
  Value row = read.getIndices()[0], column = read.getIndices()[1];
  if (tileBytes <= kLargeTile) {
    builder.setInsertionPoint(steps);
    column = ahead(builder, loc, column, columns, type.getDimSize(1) - columns);
    builder.setInsertionPoint(read);
  } else {
    row = ahead(builder, loc, row, kStepsAhead, type.getDimSize(0) - rows);
  }
  fetch(builder, read, row, column);
}

/// The loop before `read` that reduces while `read`, whose place is known
/// before it, waits: a weight that is updated from its gradient.
static scf::ForOp reductionBefore(vector::TransferReadOp read) {
  if (matrixBytes(read) < kLargeArgument || !isa<BlockArgument>(read.getBase()))
    return scf::ForOp();
  scf::ForOp loop;
  for (Operation *op = read->getPrevNode(); op && !loop; op = op->getPrevNode())
    if (auto candidate = dyn_cast<scf::ForOp>(op);
        candidate && !candidate.getInitArgs().empty())
      loop = candidate;
  bool known = llvm::all_of(read.getIndices(), [&](Value index) {
    Operation *owner = index.getDefiningOp();
    return !owner || owner->getBlock() != read->getBlock();
  });
  return known ? loop : scf::ForOp();
}

namespace {
struct Prefetch : dpl::cpu::impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    SmallVector<vector::TransferReadOp> reads;
    getOperation().walk(
        [&](vector::TransferReadOp read) { reads.push_back(read); });
    for (vector::TransferReadOp read : reads) {
      if (isStream(read)) {
        fetchNextTile(read);
      } else if (scf::ForOp loop = reductionBefore(read)) {
        OpBuilder builder(loop);
        fetch(builder, read, read.getIndices()[0], read.getIndices()[1]);
      }
    }
  }
};
} // namespace
