//===- LowerKernels.cpp - Signatures of kernels, and the pass -------------===//

#include "compiler/Conversion/DplToLinalg/DplToLinalg.h"
#include "compiler/Conversion/DplToLinalg/KernelLowering.h"
#include "compiler/Conversion/DplToLinalg/LowerSettings.h"

#include "dpl/abi.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace dpl {
#define GEN_PASS_DEF_DPLTOLINALGPASS
#include "compiler/Conversion/DplToLinalg/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

/// Static stand-in for a run-time number of chunks or samples in the type of a
/// bare pointer: no bound, as only sizes behind the first axis count.
static constexpr int64_t kUnbounded = int64_t(1) << 20;

static StringRef spaceOf(DictionaryAttr buffer) {
  return cast<StringAttr>(buffer.get("space")).getValue();
}

KernelLowering::KernelLowering(func::FuncOp kernel, int64_t tile,
                               int64_t chunkStride)
    : kernel(kernel), zeros(kernel), b(kernel.getLoc(), kernel.getContext()),
      programTile(tile), tile(0), chunkStride(chunkStride) {
  auto info = kernel->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
  if (cast<StringAttr>(info.get("domain")).getValue() == "tiles")
    this->tile = tile;
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

unsigned KernelLowering::slotOf(DictionaryAttr buffer, RankedTensorType type,
                                bool written) {
  for (auto [i, slot] : llvm::enumerate(slots))
    if (slot.buffer == buffer && slot.type == type) {
      slot.written |= written;
      return i;
    }
  slots.push_back({buffer, type, Value(), written});
  return slots.size() - 1;
}

bool KernelLowering::isChunked(const Slot &slot) const {
  return !tile && spaceOf(slot.buffer) == "sums";
}

MemRefType KernelLowering::memrefType(const Slot &slot) const {
  Shape shape(slot.type.getShape()), strides;
  if (auto given = slot.buffer.getAs<DenseI64ArrayAttr>("strides"))
    strides = Shape(given.asArrayRef());
  bool strided = !strides.empty();
  if (isPerSample(slot.type))
    shape.insert(shape.begin(), tile ? tile : kUnbounded);
  if (isChunked(slot)) {
    if (!strided)
      strides = computeSuffixProduct(shape);
    shape.insert(shape.begin(), kUnbounded);
    strides.insert(strides.begin(), chunkStride);
    strided = true;
  }
  Type element = slot.type.getElementType();
  if (!strided)
    return MemRefType::get(shape, element);
  return MemRefType::get(
      shape, element, StridedLayoutAttr::get(element.getContext(), 0, strides));
}

void KernelLowering::buildSignature() {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    argumentSlots.push_back(slotOf(
        kernel.getArgAttrOfType<DictionaryAttr>(i, DplDialect::kBufferAttr),
        cast<RankedTensorType>(kernel.getArgument(i).getType()), false));
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    resultSlots.push_back(slotOf(
        kernel.getResultAttrOfType<DictionaryAttr>(i, DplDialect::kBufferAttr),
        cast<RankedTensorType>(kernel.getResultTypes()[i]), true));

  SmallVector<Type> types;
  for (Slot &slot : slots)
    types.push_back(memrefType(slot));
  types.append(DPL_SIZE_COUNT, b.getIndexType());
  b.setInsertionPoint(kernel);
  func =
      func::FuncOp::create(b, kernel.getName(), b.getFunctionType(types, {}));
  func->setAttr(DplDialect::kKernelAttr,
                kernel->getAttr(DplDialect::kKernelAttr));
  Block *body = func.addEntryBlock();
  for (auto [i, slot] : llvm::enumerate(slots)) {
    slot.memref = body->getArgument(i);
    NamedAttrList buffer(slot.buffer);
    buffer.erase("strides");
    func.setArgAttr(i, DplDialect::kBufferAttr,
                    buffer.getDictionary(b.getContext()));
    func.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  }
  for (unsigned k = 0; k < DPL_SIZE_COUNT; ++k) {
    unsigned i = slots.size() + k;
    sizes.push_back(body->getArgument(i));
    func.setArgAttr(i, "dpl.size", b.getI64IntegerAttr(k));
  }
  b.setInsertionPointToStart(body);
}

Value KernelLowering::sumChunks(Value copies, RankedTensorType type) {
  // The copies in order: the same sum for any number of threads.
  unsigned rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank + 1, b.getIndexAttr(0)),
      extents = {size(DPL_SIZE_CHUNKS)};
  SmallVector<OpFoldResult> steps(rank + 1, b.getIndexAttr(1));
  Shape shape = {ShapedType::kDynamic};
  for (int64_t n : type.getShape()) {
    extents.push_back(b.getIndexAttr(n));
    shape.push_back(n);
  }
  Value used = tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), copies, offsets,
      extents, steps);
  SmallVector<AffineExpr> in = {b.getAffineDimExpr(rank)}, out;
  for (unsigned i = 0; i < rank; ++i) {
    in.push_back(b.getAffineDimExpr(i));
    out.push_back(b.getAffineDimExpr(i));
  }
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  Value zero = filled(type, 0);
  return linalg::GenericOp::create(
             b, TypeRange(type), ValueRange(used), ValueRange(zero),
             ArrayRef{AffineMap::get(rank + 1, 0, in, b.getContext()),
                      AffineMap::get(rank + 1, 0, out, b.getContext())},
             loops,
             [](OpBuilder &body, Location loc, ValueRange e) {
               Value sum = arith::AddFOp::create(body, loc, e[1], e[0]);
               linalg::YieldOp::create(body, loc, sum);
             })
      .getResult(0);
}

Value KernelLowering::loadTensor(const Slot &slot) {
  auto type = cast<MemRefType>(slot.memref.getType());
  return bufferization::ToTensorOp::create(
      b, RankedTensorType::get(type.getShape(), type.getElementType()),
      slot.memref,
      /*restrict=*/true, /*writable=*/slot.written);
}

void KernelLowering::loadArguments() {
  llvm::DenseMap<unsigned, Value> loaded;
  for (auto [argument, index] :
       llvm::zip(kernel.getArguments(), argumentSlots)) {
    Value &v = loaded[index];
    if (!v) {
      v = loadTensor(slots[index]);
      if (isChunked(slots[index]))
        v = sumChunks(v, slots[index].type);
    }
    map[argument] = v;
  }
}

/// Stores `tensor` in `memref`. A reshaped tensor is stored as it was before,
/// through a reshaped view of the buffer: then it can be computed there.
///
/// `known`: the storing is a tensor operation first, so that bufferisation sees
/// what it overwrites: a value that shares a part of its computation with this
/// one might be in that memory, too.
static void storeTensor(ImplicitLocOpBuilder &b, Value tensor, Value memref,
                        bool known) {
  // The place is there before anything is computed, so that it can be there.
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  b.setInsertionPointToStart(here.getBlock());
  auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>();
  auto type = cast<MemRefType>(memref.getType());
  if (collapse && type.getLayout().isIdentity()) {
    tensor = collapse.getSrc();
    memref = memref::ExpandShapeOp::create(
        b,
        MemRefType::get(collapse.getSrcType().getShape(),
                        type.getElementType()),
        memref, collapse.getReassociationIndices());
  }
  Value place;
  if (known)
    place = bufferization::ToTensorOp::create(
        b, tensor.getType(), memref, /*restrict=*/true, /*writable=*/true);
  b.restoreInsertionPoint(here);
  if (known)
    tensor = bufferization::MaterializeInDestinationOp::create(
                 b, tensor.getType(), tensor, place)
                 ->getResult(0);
  bufferization::MaterializeInDestinationOp::create(
      b, Type(), tensor, memref, /*restrict=*/true, /*writable=*/true);
}

/// May `result` be computed in the buffer that `argument` is read from? Then
/// every use of the argument must be over, for each element, when the result is
/// written there: all uses are elementwise and the result follows from them.
static bool mayOverwrite(Value argument, Value result) {
  Operation *last = result.getDefiningOp();
  if (!last || !isa<ElementwiseOpInterface>(last))
    return false;
  llvm::SmallPtrSet<Operation *, 8> before = {last};
  SmallVector<Operation *> pending = {last};
  while (!pending.empty())
    for (Value v : pending.pop_back_val()->getOperands())
      if (Operation *def = v.getDefiningOp(); def && before.insert(def).second)
        pending.push_back(def);
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> values = {argument};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (!isa<ElementwiseOpInterface>(user) || !before.contains(user))
        return false;
      if (user != last && seen.insert(user).second)
        values.push_back(user->getResult(0));
    }
  return true;
}

/// Are there uses of what was in `slot` before, and would early writing of the
/// result there disturb one?
std::pair<bool, bool> KernelLowering::usesBefore(unsigned slot, Value result) {
  bool used = false, disturbed = false;
  for (auto [argument, index] :
       llvm::zip(kernel.getArguments(), argumentSlots)) {
    if (index != slot || argument.use_empty())
      continue;
    used = true;
    disturbed |= !mayOverwrite(argument, result);
  }
  return {used, disturbed};
}

void KernelLowering::storeResults(func::ReturnOp op) {
  // What cannot be computed in its place is computed elsewhere first, and
  // copied when nothing is left to be read.
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [value, index] : llvm::zip(op.getOperands(), resultSlots)) {
    Value tensor = get(value);
    Value memref = slots[index].memref;
    auto [used, disturbed] = usesBefore(index, value);
    if (!disturbed) {
      bool accumulates = tile && spaceOf(slots[index].buffer) == "sums";
      storeTensor(b, tensor, memref, /*known=*/!used && !accumulates);
      continue;
    }
    auto type = cast<RankedTensorType>(tensor.getType());
    Value own =
        bufferization::AllocTensorOp::create(b, type, ValueRange(), tensor);
    auto buffer = MemRefType::get(type.getShape(), type.getElementType());
    copies.push_back(
        {bufferization::ToBufferOp::create(b, buffer, own), memref});
  }
  for (auto [from, to] : copies)
    memref::CopyOp::create(b, from, to);
  func::ReturnOp::create(b);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

RankedTensorType KernelLowering::lowered(Type type) const {
  auto t = cast<RankedTensorType>(type);
  Shape shape(t.getShape());
  if (isPerSample(t))
    shape.insert(shape.begin(), tile ? tile : kUnbounded);
  return RankedTensorType::get(shape, t.getElementType());
}

Value KernelLowering::get(Value v) {
  if (Value known = map.lookup(v))
    return known;
  Operation *op = v.getDefiningOp();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return map[v] = arith::ConstantOp::create(
               b, cast<TypedAttr>(constant.getValue()));
  assert(isa<BroadcastOp>(op) && "only broadcasts and constants are made late");
  return map[v] = lowerStructured(cast<StructuredOpInterface>(op), Value());
}

LogicalResult KernelLowering::lower(Operation *op) {
  if (isa<ConstantOp, BroadcastOp>(op))
    return success();
  if (isFusedIntoSum(op))
    return success();
  Value v =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<StopGradientOp>([&](auto o) { return get(o.getX()); })
          .Case<ReshapeOp>([&](auto o) { return lowerReshape(o); })
          .Case<ConcatOp>([&](auto o) { return lowerConcat(o); })
          .Case<SliceOp>([&](auto o) { return lowerSlice(o); })
          .Case<PadOp>([&](auto o) { return lowerPad(o); })
          .Case<ArgmaxOp>([&](auto o) { return lowerArgmax(o); })
          .Case<PoolOp>([&](auto o) { return lowerPool(o); })
          .Case<PoolMaxGradOp>([&](auto o) { return lowerPoolMaxGrad(o); })
          .Case<BatchSumOp>([&](auto o) { return lowerBatchSum(o); })
          .Case<BatchSpreadOp>([&](auto o) { return lowerBatchSpread(o); })
          .Case<BatchContractOp>([&](auto o) { return lowerBatchContract(o); })
          .Case<StructuredOpInterface>(
              [&](auto o) { return lowerStructured(o, Value()); })
          .Default([](Operation *) { return Value(); });
  if (!v)
    return op->emitOpError("has no lowering to linalg");
  map[op->getResult(0)] = v;
  return success();
}

LogicalResult KernelLowering::run() {
  buildSignature();
  loadArguments();
  for (Operation &op : kernel.getBody().front()) {
    b.setLoc(op.getLoc());
    if (auto end = dyn_cast<func::ReturnOp>(op))
      storeResults(end);
    else if (op.getNumResults() && !map.count(op.getResult(0)) &&
             failed(lower(&op)))
      return failure();
  }
  kernel.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct DplToLinalg : dpl::impl::DplToLinalgPassBase<DplToLinalg> {
  void runOnOperation() final {
    llvm::StringMap<StepProgramOp> programs;
    for (auto program : getOperation().getOps<StepProgramOp>())
      programs[program.getSymName()] = program;
    SmallVector<func::FuncOp> kernels;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func->hasAttr(DplDialect::kKernelAttr))
        kernels.push_back(func);
    if (failed(lowerSettings(getOperation())))
      return signalPassFailure();
    for (func::FuncOp kernel : kernels) {
      auto info =
          kernel->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
      std::string name =
          (cast<StringAttr>(info.get("program")).getValue() + ".program").str();
      StepProgramOp program = programs.lookup(name);
      if (!program) {
        kernel.emitError("its program is not in the module");
        return signalPassFailure();
      }
      auto entry = [&](StringRef key) {
        return cast<IntegerAttr>(program.getEntries().get(key)).getInt();
      };
      if (failed(KernelLowering(kernel, entry("tile"),
                                entry("sums") / (int64_t)sizeof(float))
                     .run()))
        return signalPassFailure();
    }
  }
};
} // namespace
