//===- Attributes.cpp - compile-time values as attributes -----------------===//

#include "compiler/Import/Attributes.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

static mlir::Attribute countAttribute(mlir::Builder b, double count) {
  if (count == std::floor(count))
    return b.getI64IntegerAttr(static_cast<int64_t>(count));
  return b.getF64FloatAttr(count);
}

FailureOr<mlir::Attribute> importer::toAttribute(Context &context,
                                                 const Value &value, Range at) {
  mlir::Builder b(context.mlir());
  using Attribute = mlir::Attribute;
  if (auto *i = value.as<int64_t>())
    return Attribute(b.getI64IntegerAttr(*i));
  if (auto *d = value.as<double>())
    return Attribute(b.getF64FloatAttr(*d));
  if (auto *flag = value.as<bool>())
    return Attribute(b.getBoolAttr(*flag));
  if (auto *s = value.as<std::string>())
    return Attribute(b.getStringAttr(*s));
  if (auto *m = value.as<Member>())
    return Attribute(b.getStringAttr(m->name));
  if (auto *d = value.as<Duration>())
    return Attribute(b.getDictionaryAttr(
        {b.getNamedAttr("count", countAttribute(b, d->count)),
         b.getNamedAttr("unit", b.getStringAttr(unitName(d->unit)))}));
  if (HostScalarPtr scalar = value.asScalar()) {
    if (scalar->op != HostScalar::Op::Option)
      return context.report(diag::option_arithmetic, at, value.text());
    return Attribute(b.getDictionaryAttr(
        b.getNamedAttr("option", b.getStringAttr(scalar->option->name.text))));
  }
  if (const List *list = value.asList()) {
    llvm::SmallVector<Attribute> elements;
    for (const Value &v : *list) {
      FailureOr<Attribute> element = toAttribute(context, v, at);
      if (failed(element))
        return failure();
      elements.push_back(*element);
    }
    return Attribute(b.getArrayAttr(elements));
  }
  return context.report(diag::not_a_literal, at, value.text());
}

FailureOr<mlir::DictionaryAttr>
importer::durationAttribute(Context &context, const Value &value,
                            const Duration &usual, Range at) {
  mlir::Builder b(context.mlir());
  mlir::Attribute count = countAttribute(b, usual.count);
  if (value.asScalar()) {
    FailureOr<mlir::Attribute> option = toAttribute(context, value, at);
    if (failed(option))
      return failure();
    count = *option;
  }
  return b.getDictionaryAttr(
      {b.getNamedAttr("count", count),
       b.getNamedAttr("unit", b.getStringAttr(unitName(usual.unit)))});
}

mlir::ArrayAttr importer::shapeAttribute(mlir::Builder b,
                                         llvm::ArrayRef<int64_t> shape) {
  return b.getI64ArrayAttr(shape);
}

mlir::DictionaryAttr importer::fieldAttribute(mlir::Builder b,
                                              llvm::StringRef name,
                                              const TensorType &type) {
  bool isClass = type.element == Element::Class;
  llvm::StringRef dtype = isClass ? "i32" : elementName(type.element);
  llvm::SmallVector<mlir::NamedAttribute> entries{
      b.getNamedAttr("name", b.getStringAttr(name)),
      b.getNamedAttr("dtype", b.getStringAttr(dtype)),
      b.getNamedAttr("shape", shapeAttribute(b, type.shape))};
  if (isClass)
    entries.push_back(
        b.getNamedAttr("classes", b.getI64IntegerAttr(type.classes)));
  if (type.ignorable)
    entries.push_back(b.getNamedAttr("optional", b.getBoolAttr(true)));
  return b.getDictionaryAttr(entries);
}
