//===- TileAndFuse.cpp - One schedule for every linalg operation ----------===//

#include "compiler/Target/Cpu/Passes.h"
#include "compiler/Target/Cpu/TileSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_TILEANDFUSE
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;
using linalg::LinalgOp;
using ProducerSet = llvm::SmallPtrSet<Operation *, 4>;

/// Whether every result is indexed by a permutation of the parallel loops: what
/// the choices of TileSizes.h are made for.
static bool isTileable(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() == 0)
    return false;
  AffineMap first = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!first.isProjectedPermutation() ||
      first.getNumResults() != op.getNumParallelLoops())
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init) == first;
  });
}

static bool tilesSomething(ArrayRef<int64_t> tile) {
  return llvm::any_of(tile, [](int64_t size) { return size != 0; });
}

static void peel(RewriterBase &rewriter, ArrayRef<LoopLikeOpInterface> loops) {
  for (LoopLikeOpInterface loop : llvm::reverse(loops)) {
    scf::ForOp rest;
    if (auto forOp = dyn_cast<scf::ForOp>(loop.getOperation()))
      (void)scf::peelForLoopAndSimplifyBounds(rewriter, forOp, rest);
  }
}

/// Tiles `op` with `sizes` by itself; returns the tiled operation.
static FailureOr<LinalgOp> tileAlone(RewriterBase &rewriter, LinalgOp op,
                                     ArrayRef<int64_t> sizes) {
  if (!tilesSomething(sizes))
    return op;
  scf::SCFTilingOptions options;
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), sizes));
  rewriter.setInsertionPoint(op);
  auto tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op->emitError("cannot tile the loops of this operation");
  rewriter.replaceOp(op, tiled->replacements);
  auto inner = cast<LinalgOp>(tiled->tiledOps.front());
  peel(rewriter, tiled->loops);
  return inner;
}

/// Producers of `root` that can be computed in its tiles without repeating
/// work: `root` is their only reader and reads each element once.
static ProducerSet findFusible(LinalgOp root) {
  ProducerSet producers;
  if (root.getNumReductionLoops() != 0)
    return producers;
  AffineMap result = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  for (OpOperand *input : root.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (producer && input->get().hasOneUse() &&
        producer->getNumResults() == 1 && isTileable(producer) &&
        root.getMatchingIndexingMap(input) == result &&
        !dpl::cpu::isRowReduction(producer))
      producers.insert(producer);
  }
  return producers;
}

static LinalgOp findContraction(LinalgOp root, const ProducerSet &producers) {
  if (dpl::cpu::isContraction(root))
    return root;
  for (OpOperand *input : root.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (producer && producers.contains(producer) &&
        dpl::cpu::isContraction(producer))
      return producer;
  }
  return LinalgOp();
}

static scf::SCFTileAndFuseOptions makeOptions(LinalgOp root,
                                              LinalgOp contraction,
                                              ArrayRef<int64_t> tile,
                                              const ProducerSet &producers) {
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(
      getAsIndexOpFoldResult(root->getContext(), tile));
  if (contraction)
    options.tilingOptions.setInterchange(
        dpl::cpu::loopOrder(root, contraction));
  using Control = scf::SCFTileAndFuseOptions::ControlFnResult;
  options.setFusionControlFn([&producers](tensor::ExtractSliceOp,
                                          OpResult producer,
                                          bool) -> std::optional<Control> {
    if (producers.contains(producer.getOwner()) ||
        isa<linalg::FillOp>(producer.getOwner()))
      return Control{};
    return std::nullopt;
  });
  return options;
}

namespace {
struct TileAndFuse : dpl::cpu::impl::TileAndFuseBase<TileAndFuse> {
  using Base::Base;

  void runOnOperation() override;
  LogicalResult schedule(IRRewriter &rewriter, LinalgOp root);

  /// Operations that were fused into the tiles of a later one.
  llvm::SmallPtrSet<Operation *, 16> fused;
};
} // namespace

LogicalResult TileAndFuse::schedule(IRRewriter &rewriter, LinalgOp root) {
  dpl::cpu::VectorUnit unit{lanes, registers};
  if (auto loop = dpl::cpu::sampleLoop(root)) {
    SmallVector<int64_t> sizes(root.getNumLoops(), 0);
    sizes[*loop] = 1;
    auto inner = tileAlone(rewriter, root, sizes);
    if (failed(inner))
      return failure();
    root = *inner;
  }

  ProducerSet producers = findFusible(root);
  LinalgOp contraction = findContraction(root, producers);
  SmallVector<int64_t> tile = parallelTile(root, contraction, unit);
  if (!tilesSomething(tile))
    return tileAlone(rewriter, root, reductionTile(root, unit));

  auto options = makeOptions(root, contraction, tile, producers);
  rewriter.setInsertionPoint(root);
  auto tiled = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled))
    return root->emitError("cannot tile the loops of this operation");
  for (OpResult result : root->getResults())
    if (Value replacement = tiled->replacements.lookup(result))
      rewriter.replaceAllUsesWith(result, replacement);
  fused.insert_range(tiled->fusedProducers);

  for (Operation *op : tiled->tiledAndFusedOps)
    if (auto inner = dyn_cast<LinalgOp>(op))
      if (failed(tileAlone(rewriter, inner, reductionTile(inner, unit))))
        return failure();
  peel(rewriter, tiled->loops);
  return success();
}

void TileAndFuse::runOnOperation() {
  if (lanes <= 0 || registers < 4) {
    getOperation()->emitError("a vector unit needs lanes and registers, not ")
        << lanes << " lanes and " << registers << " registers";
    return signalPassFailure();
  }
  IRRewriter rewriter(&getContext());
  SmallVector<LinalgOp> roots;
  getOperation().walk([&](LinalgOp op) { roots.push_back(op); });
  for (LinalgOp root : llvm::reverse(roots)) {
    if (root->use_empty() && root.hasPureTensorSemantics())
      rewriter.eraseOp(root);
    else if (!fused.contains(root) && isTileable(root) &&
             failed(schedule(rewriter, root)))
      return signalPassFailure();
  }
}
