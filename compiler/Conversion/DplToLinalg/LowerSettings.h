//===- LowerSettings.h - The settings function to a kernel ------*- C++ -*-===//

#ifndef DPL_CONVERSION_DPLTOLINALG_LOWERSETTINGS_H
#define DPL_CONVERSION_DPLTOLINALG_LOWERSETTINGS_H

#include "mlir/IR/BuiltinOps.h"

namespace dpl {

/// Replaces `@settings`, a function of dpl scalars, by a kernel of the domain
/// `settings` on two arrays: options (f64), settings (f32). Removes it if it
/// defines no setting.
llvm::LogicalResult lowerSettings(mlir::ModuleOp module);

} // namespace dpl

#endif // DPL_CONVERSION_DPLTOLINALG_LOWERSETTINGS_H
