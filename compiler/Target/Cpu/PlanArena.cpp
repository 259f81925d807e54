//===- PlanArena.cpp - Every temporary buffer in one arena ----------------===//

#include "compiler/Target/Cpu/Passes.h"
#include "dpl/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_PLANARENA
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

namespace {
/// A temporary buffer: its size, when it is alive (positions of operations in
/// the function's body, both inclusive), and where it is placed.
struct Buffer {
  memref::AllocOp op;
  int64_t bytes = 0;
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = -1;
  int64_t offset = 0;

  bool meets(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct PlanArena : dpl::cpu::impl::PlanArenaBase<PlanArena> {
  void runOnOperation() override;
  FailureOr<SmallVector<Buffer>> collect();
  LogicalResult measure(Buffer &buffer, BufferViewFlowAnalysis &aliases);
  void rewrite(ArrayRef<Buffer> buffers, int64_t bytes);

  /// Positions of the operations of the function's body.
  llvm::DenseMap<Operation *, int64_t> position;
};
} // namespace

/// Places the buffers, largest first; returns the size of the arena.
static int64_t pack(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> bySize =
      llvm::map_to_vector(buffers, [](Buffer &buffer) { return &buffer; });
  llvm::sort(bySize, [](Buffer *a, Buffer *b) {
    return std::pair(b->bytes, a) < std::pair(a->bytes, b);
  });
  int64_t end = 0;
  for (auto [index, buffer] : llvm::enumerate(bySize)) {
    SmallVector<Buffer *> alive;
    for (Buffer *placed : ArrayRef(bySize).take_front(index))
      if (placed->meets(*buffer))
        alive.push_back(placed);
    llvm::sort(alive,
               [](Buffer *a, Buffer *b) { return a->offset < b->offset; });
    int64_t offset = 0;
    for (Buffer *placed : alive) {
      if (offset + buffer->bytes <= placed->offset)
        break;
      offset = std::max(offset, placed->offset + placed->bytes);
    }
    buffer->offset = offset;
    end = std::max(end, offset + buffer->bytes);
  }
  return end;
}

LogicalResult PlanArena::measure(Buffer &buffer,
                                 BufferViewFlowAnalysis &aliases) {
  memref::AllocOp alloc = buffer.op;
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return alloc.emitError("a temporary buffer needs a static size, not ")
           << type;
  DataLayout layout = DataLayout::closest(alloc);
  int64_t size = layout.getTypeSize(type.getElementType());
  buffer.bytes = llvm::alignTo(size * type.getNumElements(), DPL_ALIGNMENT);

  Block &body = getOperation().getBody().front();
  auto extend = [&](Operation *op) {
    int64_t at = position.at(body.findAncestorOpInBlock(*op));
    buffer.first = std::min(buffer.first, at);
    buffer.last = std::max(buffer.last, at);
  };
  // At the top level a buffer lives from its first use on; in a loop, as long
  // as the loop.
  if (alloc->getBlock() != &body)
    extend(alloc);
  for (Value alias : aliases.resolve(alloc.getResult())) {
    Operation *owner = alias.getDefiningOp();
    if (owner && isa<LoopLikeOpInterface>(owner) &&
        owner->isProperAncestor(alloc))
      return alloc.emitError("a temporary buffer leaves the iteration of the "
                             "loop that makes it");
    for (Operation *user : alias.getUsers()) {
      if (isa<func::ReturnOp>(user))
        return alloc.emitError("a temporary buffer leaves its function");
      extend(user);
    }
  }
  return success();
}

FailureOr<SmallVector<Buffer>> PlanArena::collect() {
  func::FuncOp function = getOperation();
  position.clear();
  for (auto [index, op] : llvm::enumerate(function.getBody().front()))
    position[&op] = index;
  BufferViewFlowAnalysis aliases(function);
  SmallVector<Buffer> buffers;
  function.walk([&](memref::AllocOp op) { buffers.push_back({op}); });
  for (Buffer &buffer : buffers)
    if (failed(measure(buffer, aliases)))
      return failure();
  return buffers;
}

void PlanArena::rewrite(ArrayRef<Buffer> buffers, int64_t bytes) {
  func::FuncOp function = getOperation();
  OpBuilder builder(function.getContext());
  // Bare pointers need a static shape, and a view at least one byte.
  auto type = MemRefType::get({std::max<int64_t>(bytes, DPL_ALIGNMENT)},
                              builder.getI8Type());
  unsigned index = function.getNumArguments();
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr()));
  (void)function.insertArgument(index, type, attributes, function.getLoc());
  Value arena = function.getArgument(index);
  for (const Buffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.op;
    builder.setInsertionPoint(alloc);
    Value offset =
        arith::ConstantIndexOp::create(builder, alloc.getLoc(), buffer.offset);
    Value view = memref::ViewOp::create(
        builder, alloc.getLoc(), alloc.getType(), arena, offset, ValueRange());
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
  function->setAttr("dpl.arena", builder.getI64IntegerAttr(bytes));
}

void PlanArena::runOnOperation() {
  if (getOperation().isExternal())
    return;
  FailureOr<SmallVector<Buffer>> buffers = collect();
  if (failed(buffers))
    return signalPassFailure();
  int64_t bytes = pack(*buffers);
  numBuffers += buffers->size();
  arenaBytes += bytes;
  for (const Buffer &buffer : *buffers)
    bufferBytes += buffer.bytes;
  rewrite(*buffers, bytes);
}
