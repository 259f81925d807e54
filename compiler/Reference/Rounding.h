//===- Rounding.h - How far f32 arithmetic may stray ------------*- C++ -*-===//

#ifndef DPL_REFERENCE_ROUNDING_H
#define DPL_REFERENCE_ROUNDING_H

#include "compiler/Reference/Evaluator.h"
#include "compiler/Reference/Random.h"

namespace dpl::reference {

/// Errors of rounding to f32, for a tolerance that follows from a function
/// and its values: Monte Carlo arithmetic (Parker, Monte Carlo Arithmetic:
/// exploiting randomness in floating-point arithmetic, 1997).
///
/// One exact run is observed by `measure`, which notes for each element of
/// each result how large the error of that one operation may be: half a unit
/// in the last place of f32, for sums of the sum of magnitudes, times one and
/// the square root of the number of terms, so that any order of a sum is
/// covered. Runs of the same functions in the same order, on the same inputs,
/// are then observed by `disturb`, which adds errors of that size with random
/// signs. How far their results lie from the exact ones is how far f32
/// arithmetic may stray: cancellation, ill-conditioned functions and choices
/// that an error turns over (a comparison, the place of a maximum) included.
class Rounding {
public:
  Evaluator::Observer measure();
  /// `random` must outlive the observer. Errors are `strength` times as large
  /// as measured.
  Evaluator::Observer disturb(Random &random, double strength);

private:
  /// For each operation in the order of evaluation, an error for each element
  /// of each sample; none where the operation is exact.
  std::vector<std::vector<double>> errors;
};

} // namespace dpl::reference

#endif // DPL_REFERENCE_ROUNDING_H
