//===- RandomInputs.h - Random values for a step to run on ------*- C++ -*-===//

#ifndef DPL_REFERENCE_RANDOMINPUTS_H
#define DPL_REFERENCE_RANDOMINPUTS_H

#include "compiler/Reference/Evaluator.h"
#include "compiler/Reference/Random.h"

namespace dpl::reference {

/// Fills `store` for `module`: parameters and states random near their
/// initial distribution (what starts at one value is spread around it, so
/// that no tie is built in), options at their defaults, and settings from
/// them. Fails with an error where settings cannot be evaluated.
mlir::LogicalResult fillStore(mlir::ModuleOp module, Random &random,
                              Store &store);

/// Random arguments of a step function: floating-point fields in [-1, 1),
/// bytes in 0..255, classes below the count that the data set declares, other
/// integers 0 or 1. Uniform arguments likewise.
std::vector<BatchValue> randomArguments(mlir::func::FuncOp step, Random &random,
                                        int64_t samples);

} // namespace dpl::reference

#endif // DPL_REFERENCE_RANDOMINPUTS_H
