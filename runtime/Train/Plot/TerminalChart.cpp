//===- TerminalChart.cpp - A chart in text --------------------------------===//

#include "runtime/Train/Plot/TerminalChart.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace dpl::rt {
namespace {

constexpr int colors[] = {34, 33, 32, 31, 35, 36};
constexpr char marks[] = {'*', 'o', '+', 'x', '#', '@'};

/// A grid of dots, some in each cell of the terminal.
class Grid {
public:
  Grid(int columns, int lines, TerminalStyle style)
      : columns(columns), lines(lines),
        dotsX(style == TerminalStyle::Braille ? 2 : 1),
        dotsY(style == TerminalStyle::Braille ? 4 : 1),
        bits(static_cast<size_t>(columns) * lines),
        owner(static_cast<size_t>(columns) * lines, -1) {}

  void line(double x0, double y0, double x1, double y1, int series) {
    double width = columns * dotsX - 1, height = lines * dotsY - 1;
    double steps = std::max({1.0, std::ceil(std::abs(x1 - x0) * width),
                             std::ceil(std::abs(y1 - y0) * height)});
    for (double i = 0; i <= steps; ++i)
      dot(static_cast<int>(std::lround((x0 + (x1 - x0) * i / steps) * width)),
          static_cast<int>(
              std::lround((1 - (y0 + (y1 - y0) * i / steps)) * height)),
          series);
  }

  /// One line of cells as text.
  std::string row(int line, TerminalStyle style) const {
    std::string text;
    for (int column = 0; column < columns; ++column) {
      size_t cell = static_cast<size_t>(line) * columns + column;
      if (owner[cell] < 0)
        text += ' ';
      else if (style == TerminalStyle::Plain)
        text += marks[owner[cell] % std::size(marks)];
      else
        text += colored(braille(bits[cell]), owner[cell]);
    }
    return text;
  }

  static std::string colored(const std::string &text, int series) {
    return "\033[" + std::to_string(colors[series % std::size(colors)]) + "m" +
           text + "\033[0m";
  }

private:
  void dot(int x, int y, int series) {
    // Unicode numbers the dots of a braille cell by columns, the lowest row
    // last.
    static constexpr uint8_t order[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    size_t cell = static_cast<size_t>(y / dotsY) * columns +
                  static_cast<size_t>(x / dotsX);
    bits[cell] |= order[y % dotsY][x % dotsX];
    owner[cell] = series;
  }

  /// UTF-8 of U+2800 + bits.
  static std::string braille(uint8_t bits) {
    return {'\xe2', static_cast<char>(0xa0 | bits >> 6),
            static_cast<char>(0x80 | (bits & 0x3f))};
  }

  int columns, lines, dotsX, dotsY;
  std::vector<uint8_t> bits;
  std::vector<int> owner;
};

void drawSeries(const Chart &chart, const ChartAxes &axes, Grid &grid) {
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const std::vector<Point> &points = chart.series[s].points;
    for (size_t i = 0; i < points.size(); ++i) {
      const Point &from = points[i == 0 ? 0 : i - 1], &to = points[i];
      grid.line(axes.x.fraction(from.x), axes.y.fraction(from.y),
                axes.x.fraction(to.x), axes.y.fraction(to.y),
                static_cast<int>(s));
    }
  }
}

std::string legend(const Chart &chart, TerminalStyle style) {
  std::string text;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    int series = static_cast<int>(s);
    text += text.empty() ? "" : "   ";
    text += style == TerminalStyle::Plain
                ? std::string(1, marks[s % std::size(marks)])
                : Grid::colored("\xe2\xa0\xa4", series);
    text += " " + chart.series[s].name;
  }
  return text;
}

/// Tick labels under the axis, each centred at its place.
std::string tickLine(const Axis &axis, int margin, int columns) {
  std::string text(static_cast<size_t>(margin + columns), ' ');
  size_t free = 0;
  for (double tick : axis.ticks()) {
    std::string label = axis.label(tick);
    auto place = margin + std::lround(axis.fraction(tick) * (columns - 1)) -
                 static_cast<long>(label.size() / 2);
    auto start = static_cast<size_t>(std::max(0L, place));
    start = std::min(start, text.size() - label.size());
    if (start < free)
      continue;
    text.replace(start, label.size(), label);
    free = start + label.size() + 1;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

} // namespace

TerminalStyle terminalStyle(bool isTerminal) {
  if (!isTerminal || std::getenv("NO_COLOR"))
    return TerminalStyle::Plain;
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *value = std::getenv(name); value && *value)
      return std::strstr(value, "UTF-8") || std::strstr(value, "utf8")
                 ? TerminalStyle::Braille
                 : TerminalStyle::Plain;
  return TerminalStyle::Plain;
}

std::string terminalChart(const Chart &chart, TerminalStyle style, int columns,
                          int lines) {
  ChartAxes axes = ChartAxes::of(chart, 6, 4);
  std::vector<double> ticks = axes.y.ticks();
  size_t margin = 0;
  for (double tick : ticks)
    margin = std::max(margin, axes.y.label(tick).size());
  int plotColumns = std::max(8, columns - static_cast<int>(margin) - 2);
  Grid grid(plotColumns, lines, style);
  drawSeries(chart, axes, grid);

  std::string text;
  for (int line = 0; line < lines; ++line) {
    std::string label;
    for (double tick : ticks)
      if (std::lround((1 - axes.y.fraction(tick)) * (lines - 1)) == line)
        label = axes.y.label(tick);
    text += std::string(margin - label.size(), ' ') + label + " |";
    std::string row = grid.row(line, style);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  text += std::string(margin, ' ') + " +" +
          std::string(static_cast<size_t>(plotColumns), '-') + "\n";
  text += tickLine(axes.x, static_cast<int>(margin) + 2, plotColumns) + "  " +
          chart.xLabel + "\n";
  return text + std::string(margin + 2, ' ') + legend(chart, style);
}

} // namespace dpl::rt
