//===- TensorType.h - tensor types of the language --------------*- C++ -*-===//
//
// What the IR's types do not say: classes and how the source writes a type.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_TENSORTYPE_H
#define DPL_COMPILER_IMPORT_TENSORTYPE_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include <optional>

namespace dpl::importer {

enum class Element { F32, F64, F16, BF16, I32, I64, U8, Mask, Class };

/// The element of that name; `class` is none, since it needs a count.
std::optional<Element> parseElement(llvm::StringRef name);
llvm::StringRef elementName(Element element);
inline bool isFloat(Element e) { return e <= Element::BF16; }
/// Whether arithmetic has an integer as its result.
inline bool isInteger(Element e) { return !isFloat(e) && e != Element::Mask; }

struct TensorType {
  Element element = Element::F32;
  int64_t classes = 0;    ///< of Class
  bool ignorable = false; ///< `class(n)?`: -1 is ignored
  Shape shape;
  bool perSample = false;

  int64_t rank() const { return shape.size(); }
  int64_t elements() const;
  /// `f32[1, 28, 28]`, `class(10)`, `f32`.
  std::string text() const;
  TensorType withShape(Shape other) const;
  TensorType withElement(Element other) const;
};

/// `class(10)` for classes, the element's name for others.
std::string elementText(const TensorType &type);

mlir::Type irElement(mlir::MLIRContext *context, Element element);
mlir::RankedTensorType irType(mlir::MLIRContext *context,
                              const TensorType &type);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_TENSORTYPE_H
