//===- Passes.h - Passes from dpl to dpl ------------------------*- C++ -*-===//

#ifndef DPL_DIALECT_DPL_TRANSFORMS_PASSES_H
#define DPL_DIALECT_DPL_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dpl {

#define GEN_PASS_DECL
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"

} // namespace dpl

#endif // DPL_DIALECT_DPL_TRANSFORMS_PASSES_H
