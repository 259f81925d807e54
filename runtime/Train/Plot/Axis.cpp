//===- Axis.cpp - Ranges with round ticks ---------------------------------===//

#include "runtime/Train/Plot/Chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace dpl::rt {

bool Chart::hasPoints() const {
  return std::any_of(series.begin(), series.end(),
                     [](const Series &one) { return !one.points.empty(); });
}

/// The largest round step that gives at least `ticks` steps in `extent`.
static double roundStep(double extent, int ticks) {
  double raw = extent / ticks;
  double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {5.0, 2.0})
    if (factor * power <= raw)
      return factor * power;
  return power;
}

static void widen(double &low, double &high) {
  if (high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))
    return;
  double margin = low == 0 ? 0.5 : std::abs(low) * 0.1;
  low -= margin;
  high += margin;
}

Axis Axis::around(double low, double high, int ticks) {
  widen(low, high);
  Axis axis;
  axis.step = roundStep(high - low, ticks);
  axis.low = std::floor(low / axis.step) * axis.step;
  axis.high = std::ceil(high / axis.step) * axis.step;
  return axis;
}

Axis Axis::exactly(double low, double high, int ticks) {
  widen(low, high);
  return {low, high, roundStep(high - low, ticks)};
}

std::vector<double> Axis::ticks() const {
  std::vector<double> result;
  double slack = step * 1e-6;
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack;
       ++i)
    result.push_back(i * step);
  return result;
}

std::string Axis::label(double tick) const {
  char text[40];
  double most = std::max(std::abs(low), std::abs(high));
  if (most >= 1e7 || step < 1e-5) {
    std::snprintf(text, sizeof(text), "%.3g", tick);
    return text;
  }
  int digits =
      std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::snprintf(text, sizeof(text), "%.*f", digits, tick);
  // A tick at zero may be a tiny negative number.
  return std::string(text).find_first_not_of("-0.") == std::string::npos &&
                 text[0] == '-'
             ? text + 1
             : text;
}

ChartAxes ChartAxes::of(const Chart &chart, int xTicks, int yTicks) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double xLow = infinite, xHigh = -infinite, yLow = infinite, yHigh = -infinite;
  for (const Series &series : chart.series)
    for (const Point &point : series.points) {
      xLow = std::min(xLow, point.x);
      xHigh = std::max(xHigh, point.x);
      yLow = std::min(yLow, point.y);
      yHigh = std::max(yHigh, point.y);
    }
  if (xLow > xHigh)
    return {Axis::exactly(0, 1, xTicks), Axis::around(0, 1, yTicks)};
  // A curve that comes near zero is easier to read on an axis that shows it.
  if (yLow > 0 && yLow < 0.4 * yHigh)
    yLow = 0;
  Axis x = Axis::exactly(xLow, xHigh, xTicks);
  x.step = std::max(x.step, 1.0);
  return {x, Axis::around(yLow, yHigh, yTicks)};
}

} // namespace dpl::rt
