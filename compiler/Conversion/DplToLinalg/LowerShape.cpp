//===- LowerShape.cpp - Reshapes, slices, padding -------------------------===//

#include "compiler/Conversion/DplToLinalg/KernelLowering.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace dpl;

Value KernelLowering::sliceOf(Value x, ArrayRef<int64_t> offsets,
                              ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides) {
  auto attrs = [&](ArrayRef<int64_t> v) {
    return getAsIndexOpFoldResult(b.getContext(), v);
  };
  return tensor::ExtractSliceOp::create(b, x, attrs(offsets), attrs(sizes),
                                        attrs(strides));
}

Value KernelLowering::insertInto(Value part, Value whole,
                                 ArrayRef<int64_t> offsets,
                                 ArrayRef<int64_t> strides) {
  auto attrs = [&](ArrayRef<int64_t> v) {
    return getAsIndexOpFoldResult(b.getContext(), v);
  };
  auto shape = cast<RankedTensorType>(part.getType()).getShape();
  return tensor::InsertSliceOp::create(b, part, whole, attrs(offsets),
                                       attrs(shape), attrs(strides));
}

Value KernelLowering::reshaped(Value x, RankedTensorType to, bool samples) {
  auto from = cast<RankedTensorType>(x.getType());
  if (from == to)
    return x;
  // The samples' axis stays apart: a group of its own in front.
  unsigned lead = samples ? 1 : 0;
  auto inner = [&](RankedTensorType t) {
    return RankedTensorType::get(t.getShape().drop_front(lead),
                                 t.getElementType());
  };
  auto grouped = [&](SmallVector<ReassociationIndices> groups) {
    if (!lead)
      return groups;
    if (groups.empty()) {
      // A scalar of each sample and tensors of one element.
      groups.emplace_back();
      for (int64_t axis = 0; axis < std::max(from.getRank(), to.getRank());
           ++axis)
        groups.back().push_back(axis);
      return groups;
    }
    for (ReassociationIndices &g : groups)
      for (int64_t &axis : g)
        ++axis;
    groups.insert(groups.begin(), ReassociationIndices{0});
    return groups;
  };
  if (auto groups = getReassociationIndicesForReshape(inner(from), inner(to))) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(b, to, x, grouped(*groups));
    return tensor::ExpandShapeOp::create(b, to, x, grouped(*groups));
  }
  // Neither refines the other: through one axis.
  auto all = [&](unsigned rank) {
    ReassociationIndices g;
    for (unsigned i = 0; i < rank; ++i)
      g.push_back(i);
    return grouped({g});
  };
  Shape flat(from.getShape().take_front(lead));
  flat.push_back(inner(from).getNumElements());
  auto flatType = RankedTensorType::get(flat, from.getElementType());
  Value v = tensor::CollapseShapeOp::create(b, flatType, x,
                                            all(from.getRank() - lead));
  return tensor::ExpandShapeOp::create(b, to, v, all(to.getRank() - lead));
}

Value KernelLowering::lowerReshape(ReshapeOp op) {
  return reshaped(get(op.getX()), lowered(op.getType()),
                  tile && isPerSample(op.getType()));
}

/// Prepends the axis of samples to the entries of a slice.
static Shape withLead(ArrayRef<int64_t> v, bool lead, int64_t entry) {
  Shape s(v);
  if (lead)
    s.insert(s.begin(), entry);
  return s;
}

Value KernelLowering::lowerSlice(SliceOp op) {
  bool lead = tile && isPerSample(op.getType());
  return sliceOf(get(op.getX()), withLead(op.getStart(), lead, 0),
                 withLead(op.getSize(), lead, tile),
                 withLead(op.getStep(), lead, 1));
}

Value KernelLowering::lowerPad(PadOp op) {
  auto xType = cast<RankedTensorType>(op.getX().getType());
  bool lead = tile && isPerSample(xType);
  Shape from, kept, at, step;
  for (auto [i, n] : llvm::enumerate(xType.getShape())) {
    int64_t s = op.getInterior()[i] + 1, low = op.getLow()[i];
    auto [first, count] = keptElements(n, low, op.getHigh()[i], s);
    from.push_back(first);
    kept.push_back(count);
    at.push_back(low + first * s);
    step.push_back(s);
  }
  Value x = get(op.getX());
  // The surroundings are filled before the operand is computed, so that it
  // can be computed in its place there.
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  if (Operation *def = x.getDefiningOp())
    b.setInsertionPoint(def);
  Value whole =
      filledOwn(lowered(op.getType()), op.getValue().convertToDouble());
  b.restoreInsertionPoint(here);
  if (llvm::is_contained(kept, 0))
    return whole;
  if (kept != Shape(xType.getShape()))
    x = sliceOf(x, withLead(from, lead, 0), withLead(kept, lead, tile),
                withLead(Shape(kept.size(), 1), lead, 1));
  return insertInto(x, whole, withLead(at, lead, 0), withLead(step, lead, 1));
}

Value KernelLowering::lowerConcat(ConcatOp op) {
  RankedTensorType type = lowered(op.getType());
  bool lead = tile && isPerSample(op.getType());
  SmallVector<Value> parts;
  for (Value part : op.getParts()) {
    Value v = get(part);
    parts.push_back(lead && !isPerSample(part.getType()) ? forEachSample(v)
                                                         : v);
  }
  // The whole is there before the parts, so that each can be computed in its
  // place.
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Operation *first = nullptr;
  for (Value part : parts)
    if (Operation *def = part.getDefiningOp();
        def && (!first || def->isBeforeInBlock(first)))
      first = def;
  if (first)
    b.setInsertionPoint(first);
  Value whole = bufferization::AllocTensorOp::create(b, type, ValueRange());
  b.restoreInsertionPoint(here);
  Shape at(type.getRank(), 0), step(type.getRank(), 1);
  for (Value part : parts) {
    whole = insertInto(part, whole, at, step);
    unsigned axis = op.getAxis() + lead;
    at[axis] += cast<RankedTensorType>(part.getType()).getDimSize(axis);
  }
  return whole;
}
