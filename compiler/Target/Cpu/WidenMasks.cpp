//===- WidenMasks.cpp - Stored truth values are bytes ---------------------===//

#include "compiler/Target/Cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace dpl::cpu {
#define GEN_PASS_DEF_WIDENMASKS
#include "compiler/Target/Cpu/Passes.h.inc"
} // namespace dpl::cpu

using namespace mlir;

/// The type with bytes for a shaped type of truth values, else null.
static Type widened(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || isa<VectorType>(type) || !shaped.getElementType().isInteger(1))
    return Type();
  return shaped.clone(IntegerType::get(type.getContext(), 8));
}

static bool isWidened(Value value) {
  return isa<ShapedType>(value.getType()) &&
         getElementTypeOrSelf(value).isInteger(8);
}

static bool widen(Value value) {
  Type type = widened(value.getType());
  if (type)
    value.setType(type);
  return bool(type);
}

/// The elements of a body stay truth values between its arguments, which are
/// bytes now, and what it yields.
static void convertBody(linalg::GenericOp op) {
  Block &body = *op.getBlock();
  OpBuilder builder(&body, body.begin());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(&operand);
    if (!isWidened(operand.get()) || !element.getType().isInteger(1))
      continue;
    element.setType(builder.getI8Type());
    auto bit = arith::TruncIOp::create(builder, op.getLoc(),
                                       builder.getI1Type(), element);
    element.replaceAllUsesExcept(bit, bit);
  }
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  for (OpOperand &element : yield->getOpOperands())
    if (element.get().getType().isInteger(1))
      element.set(arith::ExtUIOp::create(builder, op.getLoc(),
                                         builder.getI8Type(), element.get()));
}

static void convertFill(linalg::FillOp op) {
  OpBuilder builder(op);
  op->setOperand(0, arith::ExtUIOp::create(builder, op.getLoc(),
                                           builder.getI8Type(),
                                           op.getInputs().front()));
  Block &body = *op.getBlock();
  for (BlockArgument element : body.getArguments())
    element.setType(builder.getI8Type());
}

static void convertConstant(arith::ConstantOp op) {
  auto values = cast<DenseElementsAttr>(op.getValue());
  Type byte = IntegerType::get(op.getContext(), 8);
  op.setValueAttr(cast<TypedAttr>(
      values.mapValues(byte, [](const APInt &bit) { return bit.zext(8); })));
}

static void convertExtract(tensor::ExtractOp op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  op.getResult().setType(builder.getI8Type());
  auto bit = arith::TruncIOp::create(builder, op.getLoc(), builder.getI1Type(),
                                     op.getResult());
  op.getResult().replaceAllUsesExcept(bit, bit);
}

/// Converts what is inside an operation with widened operands or results.
static LogicalResult convert(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    convertBody(generic);
  else if (auto fill = dyn_cast<linalg::FillOp>(op))
    convertFill(fill);
  else if (auto constant = dyn_cast<arith::ConstantOp>(op))
    convertConstant(constant);
  else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    convertExtract(extract);
  else if (!isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
                tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
                tensor::DimOp, memref::SubViewOp, scf::ForOp, scf::YieldOp,
                bufferization::AllocTensorOp, bufferization::ToTensorOp,
                bufferization::MaterializeInDestinationOp>(op))
    return op->emitError("truth values cannot be stored by this operation");
  return success();
}

namespace {
struct WidenMasks : dpl::cpu::impl::WidenMasksBase<WidenMasks> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    llvm::SetVector<Operation *> changed;
    auto widenAndNote = [&](Value value) {
      if (!widen(value))
        return;
      if (Operation *owner = value.getDefiningOp())
        changed.insert(owner);
      changed.insert_range(value.getUsers());
    };
    function.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), widenAndNote);
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), widenAndNote);
    });
    for (Operation *op : changed)
      if (failed(convert(op)))
        return signalPassFailure();
    if (!function.isExternal())
      function.setFunctionType(FunctionType::get(
          &getContext(), function.getBody().getArgumentTypes(),
          function.getResultTypes()));
  }
};
} // namespace
