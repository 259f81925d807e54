//===- WrapKernels.cpp - Kernels with the signature of dpl/abi.h ----------===//

#include "compiler/Target/Cpu/Passes.h"
#include "dpl/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_WRAPKERNELS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

namespace {
struct WrapKernels : dpl::cpu::impl::WrapKernelsBase<WrapKernels> {
  void runOnOperation() override;
};
} // namespace

/// Loads entry `index` of `array`, whose entries have `type`.
static Value loadEntry(OpBuilder &builder, Location loc, Value array, Type type,
                       int64_t index) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address =
      LLVM::GEPOp::create(builder, loc, pointer, type, array,
                          ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
  return LLVM::LoadOp::create(builder, loc, type, address);
}

/// The place in `sizes` that argument `index` of `body` is read from.
static FailureOr<int64_t> placeOfSize(LLVM::LLVMFuncOp body, unsigned index) {
  auto place = body.getArgAttrOfType<IntegerAttr>(index, "dpl.size");
  Type type = body.getArgumentTypes()[index];
  if (!type.isInteger(64) || !place)
    return body.emitError("argument ")
           << index << " of type " << type
           << " is neither a buffer nor a size; a size is an index with an "
              "attribute 'dpl.size'";
  if (place.getInt() < 0 || place.getInt() >= DPL_SIZE_COUNT)
    return body.emitError("argument ")
           << index << " has size " << place.getInt() << ", but there are "
           << int64_t(DPL_SIZE_COUNT);
  return place.getInt();
}

static FailureOr<SmallVector<Value>> loadArguments(OpBuilder &builder,
                                                   LLVM::LLVMFuncOp body,
                                                   Value buffers, Value sizes) {
  SmallVector<Value> arguments;
  int64_t buffer = 0;
  for (auto [index, type] : llvm::enumerate(body.getArgumentTypes())) {
    if (isa<LLVM::LLVMPointerType>(type)) {
      arguments.push_back(
          loadEntry(builder, body.getLoc(), buffers, type, buffer++));
      continue;
    }
    FailureOr<int64_t> place = placeOfSize(body, index);
    if (failed(place))
      return failure();
    arguments.push_back(loadEntry(builder, body.getLoc(), sizes, type, *place));
  }
  return arguments;
}

static LogicalResult wrap(LLVM::LLVMFuncOp body) {
  OpBuilder builder(body);
  Location loc = body.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  if (body.getFunctionType().getReturnType() != nothing)
    return body.emitError("a kernel returns nothing");

  std::string name = body.getSymName().str();
  body.setSymName(name + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  body.setNoInline(true);
  builder.setInsertionPointAfter(body);
  auto kernel = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(nothing, {pointer, pointer}));
  if (Attribute arena = body->getAttr("dpl.arena"))
    kernel->setAttr("dpl.arena", arena);

  builder.setInsertionPointToStart(kernel.addEntryBlock(builder));
  auto arguments = loadArguments(builder, body, kernel.getArgument(0),
                                 kernel.getArgument(1));
  if (failed(arguments))
    return failure();
  LLVM::CallOp::create(builder, loc, body, *arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return success();
}

/// Removes our attributes of arguments, which have been read. The translation
/// to LLVM IR would warn of each one, in a text that holds the whole function.
static void dropOwnAttributes(LLVM::LLVMFuncOp body) {
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    NamedAttrList kept;
    if (DictionaryAttr all = body.getArgAttrDict(i))
      for (NamedAttribute attribute : all)
        if (!attribute.getName().strref().starts_with("dpl."))
          kept.append(attribute);
    body.setArgAttrs(i, kept.getDictionary(body.getContext()));
  }
}

void WrapKernels::runOnOperation() {
  SmallVector<LLVM::LLVMFuncOp> bodies;
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      bodies.push_back(function);
  for (LLVM::LLVMFuncOp body : bodies)
    if (failed(wrap(body)))
      return signalPassFailure();
  for (LLVM::LLVMFuncOp body : bodies)
    dropOwnAttributes(body);
}
