//===- Differences.h - A derivative by finite differences -------*- C++ -*-===//

#ifndef DPL_REFERENCE_DIFFERENCES_H
#define DPL_REFERENCE_DIFFERENCES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace dpl::reference {

/// What finite differences say about one claimed derivative.
struct Comparison {
  enum Kind { Smooth, Kink, Wrong } kind;
  double numeric; ///< central difference
  double error;   ///< relative; 0 for a kink
};

/// Compares `claimed` with differences of `f`, a function of the offset from
/// the point in question; f(0) is `center`. The first distance is `step`; it
/// shrinks twice, each time to a tenth, until they agree: a kink nearby is
/// then out of reach. Errors are relative to the larger of both derivatives
/// and `scale`, and to what f64 can tell at that distance.
///
/// `Kink`: the two one-sided differences stay apart by the same amount while
/// the distance shrinks, and `claimed` lies between them. `Wrong`: neither.
Comparison compareDerivative(llvm::function_ref<double(double)> f,
                             double center, double claimed, double scale,
                             double step, double tolerance);

} // namespace dpl::reference

#endif // DPL_REFERENCE_DIFFERENCES_H
