//===- TileSizes.cpp - How the CPU target tiles ---------------------------===//

#include "compiler/Target/Cpu/TileSizes.h"

using namespace mlir;
using linalg::LinalgOp;

namespace dpl::cpu {

/// Stands for a size that is not known when compiling.
static constexpr int64_t kAssumedSize = 64;

/// Rows of a register tile at most: more reuse a loaded vector no better.
static constexpr int64_t kMaxRows = 14;

/// Steps of a reduction that are unrolled where its dimension is contiguous in
/// an input.
static constexpr int64_t kContiguousSteps = 4;

static bool isReduction(LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

static unsigned loopOf(AffineExpr expr) {
  return cast<AffineDimExpr>(expr).getPosition();
}

/// Loops of the result's dimensions, outermost first. The result of an
/// operation is indexed by a permutation of the parallel loops.
static SmallVector<unsigned> resultLoops(LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return llvm::map_to_vector(map.getResults(), loopOf);
}

/// The loop that the innermost dimension of `operand` is indexed by alone.
static std::optional<unsigned> innermostLoop(LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

/// The tile of a loop of `size` iterations: all of it if it fits in `limit`;
/// the largest divisor that is a multiple of `multiple` and at least half of
/// the limit; else the limit, and the last, shorter tile is peeled.
static int64_t fit(int64_t size, int64_t limit, int64_t multiple) {
  if (ShapedType::isDynamic(size))
    return limit;
  if (size <= limit)
    return size;
  for (int64_t tile = limit; tile >= std::max<int64_t>(limit / 2, 1); --tile)
    if (size % tile == 0 && tile % multiple == 0)
      return tile;
  return limit;
}

bool isContraction(LinalgOp op) {
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() >= 2;
}

bool isRowReduction(LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1)
    return false;
  auto loop = innermostLoop(op, op.getDpsInputOperand(0));
  return loop && isReduction(op, *loop);
}

/// Sets the row tile of a contraction's result.
static void tileRows(LinalgOp op, LinalgOp contraction, int64_t columns,
                     const VectorUnit &unit, SmallVectorImpl<int64_t> &tile) {
  SmallVector<unsigned> result = resultLoops(op);
  SmallVector<unsigned> inner = resultLoops(contraction);
  AffineMap wide;
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    AffineMap map = contraction.getMatchingIndexingMap(input);
    if (map.isFunctionOfDim(inner.back()))
      wide = map;
  }
  if (!wide)
    return;
  int64_t vectors = llvm::divideCeil(columns, unit.lanes);
  int64_t rows =
      std::clamp<int64_t>(unit.accumulators() / vectors, 1, kMaxRows);
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  for (int64_t k = int64_t(result.size()) - 2; k >= 0; --k) {
    if (range[result[k]] == 1 || wide.isFunctionOfDim(inner[k]))
      continue;
    tile[result[k]] = fit(range[result[k]], rows, 1);
    return;
  }
}

/// A transposing read is done in square tiles, transposed in registers.
static void tileTransposes(LinalgOp op, unsigned column, const VectorUnit &unit,
                           SmallVectorImpl<int64_t> &tile) {
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto loop = innermostLoop(op, input);
    if (!loop || *loop == column ||
        op.getMatchingIndexingMap(input).getNumResults() !=
            resultLoops(op).size())
      continue;
    for (unsigned side : {*loop, column})
      tile[side] = fit(range[side], unit.lanes, unit.lanes);
  }
}

SmallVector<int64_t> parallelTile(LinalgOp op, LinalgOp contraction,
                                  const VectorUnit &unit) {
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  SmallVector<int64_t> tile(range.size(), 0);
  for (unsigned loop = 0; loop < range.size(); ++loop)
    if (!isReduction(op, loop))
      tile[loop] = 1;
  SmallVector<unsigned> result = resultLoops(op);
  if (result.empty() || isRowReduction(op))
    return tile;
  unsigned column = result.back();
  int64_t vectors = contraction ? 2 : 4;
  tile[column] = fit(range[column], vectors * unit.lanes, unit.lanes);
  if (contraction)
    tileRows(op, contraction, tile[column], unit, tile);
  else if (op.getNumReductionLoops() == 0)
    tileTransposes(op, column, unit, tile);
  return tile;
}

SmallVector<int64_t> loopOrder(LinalgOp op, LinalgOp contraction) {
  OpOperand *largest = nullptr;
  int64_t largestSize = -1;
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    int64_t size = 1;
    for (int64_t dim : contraction.getShape(input))
      size *= ShapedType::isDynamic(dim) ? kAssumedSize : dim;
    if (size > largestSize) {
      largestSize = size;
      largest = input;
    }
  }
  AffineMap map = contraction.getMatchingIndexingMap(largest);
  SmallVector<int64_t> order;
  for (auto [outer, inner] :
       llvm::zip(resultLoops(op), resultLoops(contraction)))
    if (map.isFunctionOfDim(inner))
      order.push_back(outer);
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  return order;
}

SmallVector<int64_t> reductionTile(LinalgOp op, const VectorUnit &unit) {
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  SmallVector<int64_t> tile(range.size(), 0);
  std::optional<unsigned> last;
  for (unsigned loop = 0; loop < range.size(); ++loop)
    if (isReduction(op, loop)) {
      tile[loop] = 1;
      last = loop;
    }
  if (!last)
    return tile;
  if (isRowReduction(op)) {
    tile[*last] = fit(range[*last], 4 * unit.lanes, unit.lanes);
    return tile;
  }
  if (isContraction(op))
    for (OpOperand *input : op.getDpsInputOperands())
      if (innermostLoop(op, input) == last && range[*last] > 0 &&
          range[*last] % kContiguousSteps == 0)
        tile[*last] = kContiguousSteps;
  return tile;
}

std::optional<unsigned> sampleLoop(LinalgOp op) {
  if (!isContraction(op) || op.getNumReductionLoops() < 2)
    return std::nullopt;
  std::optional<unsigned> sample;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() == 0)
      return std::nullopt;
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!dim || !isReduction(op, dim.getPosition()) ||
        (sample && *sample != dim.getPosition()))
      return std::nullopt;
    sample = dim.getPosition();
  }
  return sample;
}

} // namespace dpl::cpu
