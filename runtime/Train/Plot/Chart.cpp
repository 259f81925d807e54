//===- Chart.cpp - The picture of a chart ---------------------------------===//

#include "runtime/Train/Plot/Chart.h"

#include "runtime/Base/Files.h"
#include "runtime/Train/Plot/Canvas.h"
#include "runtime/Train/Plot/Font.h"

#include <algorithm>
#include <cmath>

namespace dpl::rt {
namespace {

constexpr int width = 960, height = 600;
constexpr int scale = 2;
constexpr int letterHeight = Font::baseline * scale;
constexpr int top = 32, bottom = 70, right = 36;
constexpr Color ink = {60, 64, 72};
constexpr Color axisColor = {120, 126, 136};
constexpr Color gridColor = {226, 229, 234};
constexpr Color frameColor = {200, 204, 210};
constexpr Color white = {255, 255, 255};
constexpr Color palette[] = {{31, 105, 186}, {226, 110, 32}, {42, 146, 84},
                             {196, 50, 60},  {126, 84, 174}, {16, 150, 166},
                             {166, 120, 38}, {110, 116, 124}};

/// Draws one chart; places are pixels.
class Painter {
public:
  explicit Painter(const Chart &chart)
      : chart(chart), axes(ChartAxes::of(chart, 8, 6)), canvas(width, height) {
    int widest = 0;
    for (double tick : axes.y.ticks())
      widest = std::max(widest, Canvas::textWidth(axes.y.label(tick), scale));
    left = widest + 40;
  }

  Result<std::vector<std::byte>> paint() {
    paintGrid();
    for (size_t i = 0; i < chart.series.size(); ++i)
      paintSeries(chart.series[i], palette[i % std::size(palette)]);
    paintLegend();
    return canvas.png();
  }

private:
  double placeX(double x) const {
    return left + axes.x.fraction(x) * (width - right - left);
  }
  double placeY(double y) const {
    return height - bottom - axes.y.fraction(y) * (height - bottom - top);
  }

  void paintGrid() {
    int plotWidth = width - right - left, plotHeight = height - bottom - top;
    for (double tick : axes.y.ticks()) {
      int y = static_cast<int>(std::lround(placeY(tick)));
      canvas.fill(left, y, plotWidth, 1, gridColor);
      std::string label = axes.y.label(tick);
      canvas.text(left - 12 - Canvas::textWidth(label, scale),
                  y - letterHeight / 2, label, scale, ink);
    }
    for (double tick : axes.x.ticks()) {
      int x = static_cast<int>(std::lround(placeX(tick)));
      canvas.fill(x, top, 1, plotHeight, gridColor);
      canvas.fill(x, height - bottom, 1, 6, axisColor);
      std::string label = axes.x.label(tick);
      canvas.text(x - Canvas::textWidth(label, scale) / 2, height - bottom + 12,
                  label, scale, ink);
    }
    canvas.fill(left, height - bottom, plotWidth + 1, 1, axisColor);
    canvas.fill(left, top, 1, plotHeight, axisColor);
    canvas.text(left + (plotWidth - Canvas::textWidth(chart.xLabel, scale)) / 2,
                height - 30, chart.xLabel, scale, ink);
  }

  void paintSeries(const Series &series, Color color) {
    constexpr size_t fewPoints = 50;
    std::vector<Point> places;
    for (const Point &point : series.points)
      places.push_back({placeX(point.x) + 0.5, placeY(point.y) + 0.5});
    canvas.polyline(places, 2.4, places.size() <= fewPoints ? 4 : 0, color);
  }

  /// Mean height of the curves in the left or right half, to keep the legend
  /// away from them.
  double meanHeight(bool rightHalf) const {
    double sum = 0, count = 0;
    for (const Series &series : chart.series)
      for (const Point &point : series.points)
        if ((axes.x.fraction(point.x) > 0.5) == rightHalf) {
          sum += axes.y.fraction(point.y);
          count += 1;
        }
    return count > 0 ? sum / count : 0.5;
  }

  void paintLegend() {
    constexpr int line = 26, sample = 34, padding = 12;
    int widest = 0;
    for (const Series &series : chart.series)
      widest = std::max(widest, Canvas::textWidth(series.name, scale));
    int boxWidth = widest + sample + 3 * padding;
    int boxHeight = line * static_cast<int>(chart.series.size()) + padding;
    int x = width - right - boxWidth - 10;
    int y = meanHeight(/*rightHalf=*/true) > 0.5
                ? height - bottom - boxHeight - 12
                : top + 10;
    canvas.fill(x - 1, y - 1, boxWidth + 2, boxHeight + 2, frameColor);
    canvas.fill(x, y, boxWidth, boxHeight, white);
    for (size_t i = 0; i < chart.series.size(); ++i) {
      int middle = y + padding / 2 + line * static_cast<int>(i) + line / 2;
      double at = middle;
      canvas.polyline(
          {{x + padding + 0.0, at}, {x + padding + sample + 0.0, at}}, 3, 0,
          palette[i % std::size(palette)]);
      canvas.text(x + 2 * padding + sample, middle - letterHeight / 2,
                  chart.series[i].name, scale, ink);
    }
  }

  const Chart &chart;
  ChartAxes axes;
  Canvas canvas;
  int left = 0;
};

} // namespace

Status writeChart(const Chart &chart, const std::string &path) {
  DPL_LET(std::vector<std::byte> bytes, Painter(chart).paint());
  return writeFileAtomically(path, bytes, Exit::Runtime);
}

} // namespace dpl::rt
