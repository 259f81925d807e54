//===- Gradcheck.h - Gradients against finite differences -------*- C++ -*-===//

#ifndef DPL_REFERENCE_GRADCHECK_H
#define DPL_REFERENCE_GRADCHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace dpl::reference {

struct GradcheckOptions {
  uint64_t seed = 1;     ///< of parameters, fields, and the choice of elements
  int64_t samples = 3;   ///< true samples of the batch
  int64_t elements = 10; ///< of each parameter; all of them if it has fewer
  double tolerance = 1e-5; ///< largest relative error that passes
  double step = 1e-5;      ///< distance of the differences, for a value near 1
  /// Share of a parameter's elements that may lie on a kink before the check
  /// says too little about it, and fails.
  double kinks = 0.5;
};

/// Checks the gradients of every training step (`dpl.step = "train"`) of a
/// module that has just been imported: calls and `dpl.grad` are still there.
/// The module is not changed. For each `dpl.grad`, its gradients are compared
/// with central differences of the differentiated value, in f64, at random
/// parameters and fields; settings have their options' default values.
///
/// Where the two one-sided differences do not meet however small the step is,
/// the value has a kink (a tie of a maximum): there the gradient only has to
/// lie between them, and the element is counted apart.
///
/// `report` gets a line for each parameter: name, elements, largest relative
/// error, kinks, PASS or FAIL, and a note where the gradient is zero
/// everywhere. Fails if a line says FAIL, or with an error at an operation that
/// cannot be differentiated or evaluated.
mlir::LogicalResult gradcheck(mlir::ModuleOp module,
                              const GradcheckOptions &options,
                              llvm::raw_ostream &report);

} // namespace dpl::reference

#endif // DPL_REFERENCE_GRADCHECK_H
