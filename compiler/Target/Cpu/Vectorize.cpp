//===- Vectorize.cpp - Tiled linalg operations to vector operations -------===//

#include "compiler/Target/Cpu/Passes.h"
#include "compiler/Target/Cpu/SliceInputs.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_VECTORIZE
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;
using linalg::LinalgOp;

/// The largest size that loop `loop` of `op` can have.
static FailureOr<int64_t> boundLoop(LinalgOp op, unsigned loop) {
  AffineExpr index = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (expr != index)
        continue;
      auto bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB,
          ValueBoundsConstraintSet::Variable(operand.get(), dim),
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (succeeded(bound))
        return bound;
    }
  }
  return failure();
}

/// Vector sizes for an operation whose sizes are not all static but bounded;
/// empty for any other.
static SmallVector<int64_t> maskedSizes(LinalgOp op) {
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  if (!llvm::is_contained(range, ShapedType::kDynamic))
    return {};
  for (auto [loop, size] : llvm::enumerate(range)) {
    if (!ShapedType::isDynamic(size))
      continue;
    FailureOr<int64_t> bound = boundLoop(op, loop);
    if (failed(bound))
      return {};
    size = *bound;
  }
  return range;
}

/// Is `v`, in the body of `op`, made of constants alone? Everything else has
/// the shape of the whole loop nest as a vector.
static bool isConstantIn(LinalgOp op, Value v) {
  Operation *def = v.getDefiningOp();
  if (!def)
    return cast<BlockArgument>(v).getOwner() != op.getBlock();
  return !isa<linalg::IndexOp, tensor::ExtractOp>(def) &&
         llvm::all_of(def->getOperands(),
                      [&](Value x) { return isConstantIn(op, x); });
}

/// Does `op` add up a constant, once for each turn of a loop? Folding a fill
/// into its reader makes such bodies. The vectoriser would take the constant,
/// which has no dimension to be reduced, for the sum.
static bool reducesConstant(LinalgOp op) {
  SmallVector<Operation *> combiners;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    if (Value v = matchReduction(op.getRegionOutputArgs(), i, combiners);
        v && isConstantIn(op, v))
      return op.getNumReductionLoops() > 0;
  return false;
}

static LogicalResult vectorizeOp(RewriterBase &rewriter, LinalgOp op) {
  if (reducesConstant(op))
    return failure();
  SmallVector<int64_t> sizes = maskedSizes(op);
  SmallVector<bool> scalable(sizes.size(), false);
  rewriter.setInsertionPoint(op);
  auto result = linalg::vectorize(rewriter, op, sizes, scalable);
  if (succeeded(result))
    rewriter.replaceOp(op, result->replacements);
  return result;
}

static LogicalResult foldUnitDims(Operation *function) {
  RewritePatternSet patterns(function->getContext());
  linalg::ControlDropUnitDims control;
  control.rankReductionStrategy =
      linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
  linalg::populateFoldUnitExtentDimsPatterns(patterns, control);
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

static LogicalResult cleanUpVectors(Operation *function) {
  RewritePatternSet patterns(function->getContext());
  vector::populateVectorReductionToContractPatterns(patterns);
  vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
  tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

namespace {
struct Vectorize : dpl::cpu::impl::VectorizeBase<Vectorize> {
  void runOnOperation() override {
    if (failed(foldUnitDims(getOperation())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](linalg::GenericOp op) {
      dpl::cpu::sliceStridedInputs(rewriter, op);
    });
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) { ops.push_back(op); });
    for (LinalgOp op : ops)
      if (failed(vectorizeOp(rewriter, op)))
        ++numScalar;
    if (failed(cleanUpVectors(getOperation())))
      return signalPassFailure();
  }
};
} // namespace
