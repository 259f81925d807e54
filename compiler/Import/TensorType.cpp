//===- TensorType.cpp - tensor types of the language ----------------------===//

#include "compiler/Import/TensorType.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace dpl;
using namespace dpl::importer;

std::optional<Element> importer::parseElement(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Element>>(name)
      .Case("f32", Element::F32)
      .Case("f64", Element::F64)
      .Case("f16", Element::F16)
      .Case("bf16", Element::BF16)
      .Case("i32", Element::I32)
      .Case("i64", Element::I64)
      .Case("u8", Element::U8)
      .Case("mask", Element::Mask)
      .Default(std::nullopt);
}

llvm::StringRef importer::elementName(Element element) {
  switch (element) {
  case Element::F32:
    return "f32";
  case Element::F64:
    return "f64";
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::I32:
    return "i32";
  case Element::I64:
    return "i64";
  case Element::U8:
    return "u8";
  case Element::Mask:
    return "mask";
  case Element::Class:
    return "class";
  }
  llvm_unreachable("unknown element");
}

int64_t TensorType::elements() const {
  int64_t n = 1;
  for (int64_t size : shape)
    n *= size;
  return n;
}

std::string importer::elementText(const TensorType &type) {
  if (type.element != Element::Class)
    return elementName(type.element).str();
  return "class(" + std::to_string(type.classes) + ")" +
         (type.ignorable ? "?" : "");
}

std::string TensorType::text() const {
  std::string result = elementText(*this);
  if (shape.empty())
    return result;
  result += "[";
  llvm::interleave(
      shape, [&](int64_t n) { result += std::to_string(n); },
      [&] { result += ", "; });
  return result + "]";
}

TensorType TensorType::withShape(Shape other) const {
  TensorType result = *this;
  result.shape = std::move(other);
  return result;
}

TensorType TensorType::withElement(Element other) const {
  TensorType result = *this;
  result.element = other;
  result.classes = 0;
  result.ignorable = false;
  return result;
}

mlir::Type importer::irElement(mlir::MLIRContext *context, Element element) {
  mlir::Builder b(context);
  switch (element) {
  case Element::F32:
    return b.getF32Type();
  case Element::F64:
    return b.getF64Type();
  case Element::F16:
    return b.getF16Type();
  case Element::BF16:
    return b.getBF16Type();
  case Element::I32:
  case Element::Class:
    return b.getI32Type();
  case Element::I64:
    return b.getI64Type();
  case Element::U8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case Element::Mask:
    return b.getI1Type();
  }
  llvm_unreachable("unknown element");
}

mlir::RankedTensorType importer::irType(mlir::MLIRContext *context,
                                        const TensorType &type) {
  return tensorType(type.shape, irElement(context, type.element),
                    type.perSample);
}
