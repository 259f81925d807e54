//===- SliceInputs.cpp - Plain indices for the vectoriser -----------------===//

#include "compiler/Target/Cpu/SliceInputs.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {
/// A slice of an input and the indices of what is left of it.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides, shape;
  SmallVector<AffineExpr> indices;

  void keep(int64_t size, int64_t stride, AffineExpr index) {
    offsets.push_back(0);
    sizes.push_back(size);
    strides.push_back(stride);
    shape.push_back(size);
    indices.push_back(index);
  }
  void drop(int64_t offset) {
    offsets.push_back(offset);
    sizes.push_back(1);
    strides.push_back(1);
  }
};
} // namespace

/// The loop and the factor of an index `d * s` with positive `s`.
static std::optional<std::pair<unsigned, int64_t>>
matchScaledDim(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!dim || !factor || factor.getValue() <= 0)
    return std::nullopt;
  return std::pair(dim.getPosition(), factor.getValue());
}

static std::optional<Slice> sliceOf(RankedTensorType type, AffineMap map,
                                    ArrayRef<int64_t> range) {
  Slice slice;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      slice.keep(type.getDimSize(position), 1, dim);
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      slice.drop(constant.getValue());
    } else if (auto scaled = matchScaledDim(expr);
               scaled && !ShapedType::isDynamic(range[scaled->first])) {
      slice.keep(range[scaled->first], scaled->second,
                 getAffineDimExpr(scaled->first, map.getContext()));
    } else {
      return std::nullopt;
    }
  }
  return slice;
}

void dpl::cpu::sliceStridedInputs(RewriterBase &rewriter,
                                  linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> range = op.getStaticLoopRanges();
  bool changed = false;
  rewriter.setInsertionPoint(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.hasStaticShape() || map.isProjectedPermutation())
      continue;
    std::optional<Slice> slice = sliceOf(type, map, range);
    if (!slice)
      continue;
    MLIRContext *context = rewriter.getContext();
    Value value = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(slice->shape, type.getElementType()),
        input->get(), getAsIndexOpFoldResult(context, slice->offsets),
        getAsIndexOpFoldResult(context, slice->sizes),
        getAsIndexOpFoldResult(context, slice->strides));
    rewriter.modifyOpInPlace(op, [&] { input->set(value); });
    map = AffineMap::get(map.getNumDims(), 0, slice->indices, context);
    changed = true;
  }
  if (changed)
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
}
