//===- DplDialect.cpp - The dpl dialect -----------------------------------===//

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dpl;

#include "compiler/Dialect/Dpl/IR/DplDialect.cpp.inc"
#include "compiler/Dialect/Dpl/IR/DplEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Dpl/IR/DplAttrs.cpp.inc"

namespace {
/// Every operation of the dialect may be inlined: layers are functions.
struct DplInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void DplDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Dpl/IR/DplOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/Dpl/IR/DplAttrs.cpp.inc"
      >();
  addInterfaces<DplInliner>();
}

Operation *DplDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

LogicalResult PerSampleAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return emitError() << "a per-sample tensor has a static shape";
  return success();
}

bool dpl::isDplTensor(Type type) {
  auto t = dyn_cast<RankedTensorType>(type);
  return t && t.hasStaticShape() &&
         (!t.getEncoding() || isa<PerSampleAttr>(t.getEncoding()));
}

bool dpl::isPerSample(Type type) {
  auto t = dyn_cast<RankedTensorType>(type);
  return t && isa_and_nonnull<PerSampleAttr>(t.getEncoding());
}

RankedTensorType dpl::tensorType(ArrayRef<int64_t> shape, Type element,
                                 bool perSample) {
  return RankedTensorType::get(
      shape, element,
      perSample ? PerSampleAttr::get(element.getContext()) : Attribute());
}

RankedTensorType dpl::withPerSample(RankedTensorType type, bool perSample) {
  return tensorType(type.getShape(), type.getElementType(), perSample);
}
