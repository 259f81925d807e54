//===- Precompiled.h - Headers of nearly every MLIR file --------*- C++ -*-===//
//
// Reading these costs more than compiling most of our files.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_IR_PRECOMPILED_H
#define DPL_DIALECT_DPL_IR_PRECOMPILED_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#endif // DPL_DIALECT_DPL_IR_PRECOMPILED_H
