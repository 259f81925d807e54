//===- KernelBuilder.cpp - Kernels made of pieces of a step ---------------===//

#include "compiler/Dialect/Dpl/Transforms/KernelBuilder.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace dpl;

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

KernelBuilder::KernelBuilder(OpBuilder &outer, Location loc, StringRef name,
                             StringRef program, int64_t phase, StringRef domain,
                             const StepLayout &layout, const BlockPlan &plan,
                             int64_t tile)
    : func(func::FuncOp::create(outer, loc, name,
                                outer.getFunctionType({}, {}))),
      b(outer.getContext()), layout(layout), plan(plan), tile(tile) {
  b.setInsertionPointToStart(func.addEntryBlock());
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("program", b.getStringAttr(program)),
      b.getNamedAttr("phase", b.getI64IntegerAttr(phase)),
      b.getNamedAttr("domain", b.getStringAttr(domain)),
  };
  if (domain == "blocks")
    entries.push_back(b.getNamedAttr("count", b.getI64IntegerAttr(plan.count)));
  func->setAttr(DplDialect::kKernelAttr, b.getDictionaryAttr(entries));
}

DictionaryAttr KernelBuilder::buffer(const Place &place, int64_t tileStride,
                                     int64_t blockStride) {
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("space", b.getStringAttr(place.space))};
  auto add = [&](StringRef name, int64_t value) {
    entries.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  };
  if (place.index)
    add("index", *place.index);
  if (place.offset)
    add("offset", place.offset);
  if (tileStride)
    add("tile", tileStride);
  if (blockStride)
    add("block", blockStride);
  return b.getDictionaryAttr(entries);
}

/// Buffer of a value of the step, with the strides of its whole tensor if the
/// kernel sees a block of it.
DictionaryAttr KernelBuilder::bufferOf(Value v, const Place &place) {
  RankedTensorType type = typeOf(v);
  int64_t element = bytesOf(type) / std::max<int64_t>(1, type.getNumElements());
  int64_t tileStride = isPerSample(type) && tile ? tile * bytesOf(type) : 0;
  auto it = plan.axis.find(v);
  if (it == plan.axis.end())
    return buffer(place, tileStride, 0);
  Shape strides = computeSuffixProduct(type.getShape());
  int64_t blockStride = plan.size * strides[it->second] * element;
  if (isPerSample(type))
    strides.insert(strides.begin(), type.getNumElements());
  NamedAttrList entries(buffer(place, tileStride, blockStride));
  entries.set("strides", b.getDenseI64ArrayAttr(strides));
  return entries.getDictionary(b.getContext());
}

Value KernelBuilder::argument(RankedTensorType type, const Place &place,
                              int64_t blockStride) {
  argumentAttrs.push_back(buffer(place, 0, blockStride));
  return func.getBody().front().addArgument(type, func.getLoc());
}

void KernelBuilder::result(Value v, const Place &place, int64_t blockStride) {
  results.push_back(v);
  resultAttrs.push_back(buffer(place, 0, blockStride));
}

Value KernelBuilder::get(Value v) {
  if (Value known = map.lookupOrNull(v))
    return known;
  Operation *def = v.getDefiningOp();
  if (def && isFree(def)) {
    clone(def);
    return map.lookup(v);
  }
  if (isPerSample(v.getType()) && layout.isZeroInTail(v))
    zeroArguments.push_back(argumentAttrs.size());
  argumentAttrs.push_back(bufferOf(v, layout.placeOf(v, tile != 0)));
  Value argument =
      func.getBody().front().addArgument(plan.blockType(v), v.getLoc());
  map.map(v, argument);
  return argument;
}

void KernelBuilder::clone(Operation *op) {
  SmallVector<Value> operands;
  for (Value v : op->getOperands())
    operands.push_back(get(v));
  RankedTensorType type = plan.blockType(op->getResult(0));
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto value = cast<DenseElementsAttr>(constant.getValue());
    if (type != constant.getType())
      value = value.resizeSplat(type);
    map.map(op->getResult(0),
            ConstantOp::create(b, op->getLoc(), value).getResult());
    return;
  }
  Operation *copy = b.create(op->getLoc(), op->getName().getIdentifier(),
                             operands, TypeRange(type), op->getAttrs());
  if (isa<BroadcastOp, ReshapeOp>(op) && type != op->getResult(0).getType())
    copy->setAttr("shape", b.getDenseI64ArrayAttr(type.getShape()));
  map.map(op->getResult(0), copy->getResult(0));
}

void KernelBuilder::store(Value v, const Place &place) {
  results.push_back(get(v));
  resultAttrs.push_back(bufferOf(v, place));
}

void KernelBuilder::finish() {
  func::ReturnOp::create(b, func.getLoc(), results);
  func.setFunctionType(
      b.getFunctionType(func.getBody().front().getArgumentTypes(),
                        ValueRange(results).getTypes()));
  for (auto [i, attr] : llvm::enumerate(argumentAttrs))
    func.setArgAttr(i, DplDialect::kBufferAttr, attr);
  for (unsigned i : zeroArguments)
    func.setArgAttr(i, DplDialect::kZeroInTailAttr, b.getUnitAttr());
  for (auto [i, attr] : llvm::enumerate(resultAttrs))
    func.setResultAttr(i, DplDialect::kBufferAttr, attr);
}
