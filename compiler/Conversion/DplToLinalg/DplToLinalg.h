//===- DplToLinalg.h - From dpl kernels to linalg ---------------*- C++ -*-===//

#ifndef DPL_CONVERSION_DPLTOLINALG_H
#define DPL_CONVERSION_DPLTOLINALG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dpl {

#define GEN_PASS_DECL
#include "compiler/Conversion/DplToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/DplToLinalg/Passes.h.inc"

} // namespace dpl

#endif // DPL_CONVERSION_DPLTOLINALG_H
