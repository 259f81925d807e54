//===- RandomStep.h - Random training steps ---------------------*- C++ -*-===//

#ifndef DPL_TEST_DIALECT_DPL_RANDOMSTEP_H
#define DPL_TEST_DIALECT_DPL_RANDOMSTEP_H

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Reference/Random.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace dpl::test {

/// A module with one training step @train of a random network: a picture goes
/// through windows, activations, normalisations over the batch, residual sums
/// and rearrangements, then through fully connected layers into a softmax
/// cross entropy; every parameter takes a step with momentum. Everything else
/// that a step program needs is there: data set, iterator, settings.
mlir::OwningOpRef<mlir::ModuleOp> randomStep(mlir::MLIRContext &context,
                                             reference::Random &random);

} // namespace dpl::test

#endif // DPL_TEST_DIALECT_DPL_RANDOMSTEP_H
