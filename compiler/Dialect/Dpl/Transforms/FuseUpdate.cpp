//===- FuseUpdate.cpp - Fused and bucketed forms of training steps --------===//

#include "compiler/Dialect/Dpl/IR/TailZeros.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace dpl {
#define GEN_PASS_DEF_FUSEUPDATEPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

static int64_t elementsOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getNumElements();
}

/// Samples that a chunk adds up between two passes over its gradient, counted
/// generously: with a tile of so many, an accumulated gradient moves as many
/// bytes as the saved factors do.
static constexpr int64_t kSamplesPerPass = 16;

/// Is the sum of the product over the batch cheaper as one contraction that
/// reads both factors of the whole batch? It reads what is behind the true
/// samples, too, so the product has to be zero there.
static bool isWorthwhile(BatchSumOp sum, ContractOp product,
                         const TailZeros &zeros) {
  return product->hasOneUse() && zeros.contains(product.getResult()) &&
         isPerSample(product.getLhs().getType()) &&
         isPerSample(product.getRhs().getType()) &&
         product.getStructure().combiner == Combiner::None &&
         elementsOf(sum.getResult()) >
             kSamplesPerPass *
                 (elementsOf(product.getLhs()) + elementsOf(product.getRhs()));
}

static void formBatchContracts(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  TailZeros zeros(func);
  SmallVector<BatchSumOp> sums;
  func.walk([&](BatchSumOp op) { sums.push_back(op); });
  for (BatchSumOp sum : sums) {
    auto product = sum.getX().getDefiningOp<ContractOp>();
    if (!product || !isWorthwhile(sum, product, zeros))
      continue;
    rewriter.setInsertionPoint(sum);
    rewriter.replaceOpWithNewOp<BatchContractOp>(
        sum, product.getLhs(), product.getRhs(), product.getLhsLabels(),
        product.getRhsLabels(), product.getResultLabels());
    rewriter.eraseOp(product);
  }
}

namespace {
struct FuseUpdate : dpl::impl::FuseUpdatePassBase<FuseUpdate> {
  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> steps;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (auto kind = func->getAttrOfType<StringAttr>(DplDialect::kStepAttr);
          kind && kind.getValue() == "train")
        steps.push_back(func);
    for (func::FuncOp step : steps) {
      for (StringRef form : {"fused", "bucketed"}) {
        func::FuncOp clone = step.clone();
        clone.setName((step.getName() + "." + form).str());
        clone->setAttr(DplDialect::kUpdateAttr,
                       StringAttr::get(&getContext(), form));
        symbols.insert(clone);
        if (form == "fused")
          formBatchContracts(clone);
      }
      step.erase();
    }
  }
};
} // namespace
