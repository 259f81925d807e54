//===- Chart.h - Series of points and their picture -------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_PLOT_CHART_H
#define DPL_RUNTIME_TRAIN_PLOT_CHART_H

#include "runtime/Base/Status.h"

#include <string>
#include <vector>

namespace dpl::rt {

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points; ///< finite, x not falling
};

struct Chart {
  std::string xLabel;
  std::vector<Series> series;

  bool hasPoints() const;
};

/// A range with round ticks inside of it.
struct Axis {
  double low = 0, high = 1;
  double step = 1; ///< between ticks; 1, 2 or 5 times a power of ten

  /// An axis that holds [low, high], with `ticks` ticks or a few more. A range
  /// without extent is widened.
  static Axis around(double low, double high, int ticks);
  /// An axis that is exactly [low, high].
  static Axis exactly(double low, double high, int ticks);
  std::vector<double> ticks() const;
  /// The text of a tick, with as many digits as the step needs.
  std::string label(double tick) const;
  /// 0 at `low`, 1 at `high`.
  double fraction(double value) const { return (value - low) / (high - low); }
};

/// The axes that hold all points. The x axis counts epochs or iterations: it is
/// tight and has whole ticks.
struct ChartAxes {
  Axis x, y;
  static ChartAxes of(const Chart &chart, int xTicks, int yTicks);
};

/// Draws the chart, 960 by 600 pixels, and writes a PNG atomically. Fails with
/// Exit::Runtime.
Status writeChart(const Chart &chart, const std::string &path);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_PLOT_CHART_H
