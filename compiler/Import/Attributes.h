//===- Attributes.h - compile-time values as attributes ---------*- C++ -*-===//
//
// The form of values in the tables for the runtime; see
// docs/design/0002-step-programs.md.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_ATTRIBUTES_H
#define DPL_COMPILER_IMPORT_ATTRIBUTES_H

#include "compiler/Import/Context.h"

namespace dpl::importer {

/// A literal, a list, `{count, unit}` for a duration or `{option = "lr"}` for
/// an option. Reports what has no such form, arithmetic on options for one.
llvm::FailureOr<mlir::Attribute> toAttribute(Context &context,
                                             const Value &value, Range at);

/// `{count, unit}` of a duration or of an option of one.
llvm::FailureOr<mlir::DictionaryAttr> durationAttribute(Context &context,
                                                        const Value &value,
                                                        const Duration &usual,
                                                        Range at);

/// `{name, dtype, shape, classes?, optional?}`.
mlir::DictionaryAttr fieldAttribute(mlir::Builder b, llvm::StringRef name,
                                    const TensorType &type);

mlir::ArrayAttr shapeAttribute(mlir::Builder b, llvm::ArrayRef<int64_t> shape);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_ATTRIBUTES_H
