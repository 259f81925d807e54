//===- AttributeToJson.h - Attributes as JSON -------------------*- C++ -*-===//

#ifndef DPL_TARGET_PROGRAM_ATTRIBUTETOJSON_H
#define DPL_TARGET_PROGRAM_ATTRIBUTETOJSON_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

namespace dpl {

/// Dictionaries are objects, arrays are arrays, symbols and strings are text,
/// unit is null; integers, booleans and floats are themselves.
llvm::json::Value attributeToJson(mlir::Attribute attribute);

} // namespace dpl

#endif // DPL_TARGET_PROGRAM_ATTRIBUTETOJSON_H
