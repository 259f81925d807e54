//===- Differences.cpp - A derivative by finite differences ---------------===//

#include "compiler/Reference/Differences.h"

#include <algorithm>
#include <cmath>

using namespace dpl::reference;

/// Rounding of a function value near 1 after many additions, generously.
static constexpr double kRounding = 32 * 0x1p-53;
/// Two steps to a tenth reach below what separates elements of random data.
static constexpr int kSteps = 3;

namespace {
/// Differences of a function at one distance.
struct Sides {
  double up, down;
  double noise; ///< what rounding may do to them
  double central() const { return (up + down) / 2; }
  double gap() const { return std::fabs(up - down); }
};
} // namespace

static Sides sidesAt(llvm::function_ref<double(double)> f, double center,
                     double h) {
  double noise = kRounding * std::max(1.0, std::fabs(center)) / h;
  return {(f(h) - center) / h, (center - f(-h)) / h, noise};
}

Comparison
dpl::reference::compareDerivative(llvm::function_ref<double(double)> f,
                                  double center, double claimed, double scale,
                                  double step, double tolerance) {
  Comparison best = {Comparison::Wrong, 0, INFINITY};
  Sides first = {}, last = {};
  for (int i = 0; i < kSteps; ++i) {
    last = sidesAt(f, center, step * std::pow(0.1, i));
    if (i == 0)
      first = last;
    double size = std::max({std::fabs(last.central()), std::fabs(claimed),
                            scale, last.noise / tolerance});
    double error = std::fabs(last.central() - claimed) / size;
    if (error < best.error)
      best = {Comparison::Wrong, last.central(), error};
    if (best.error <= tolerance)
      return {Comparison::Smooth, best.numeric, best.error};
  }
  // A smooth function's sides meet as the distance shrinks to a hundredth.
  bool apart = last.gap() > first.gap() / 2 && last.gap() > 8 * last.noise;
  double slack = tolerance * std::max({last.gap(), std::fabs(claimed), scale}) +
                 last.noise;
  bool between = claimed >= std::min(last.up, last.down) - slack &&
                 claimed <= std::max(last.up, last.down) + slack;
  if (apart && between)
    return {Comparison::Kink, last.central(), 0};
  return best;
}
