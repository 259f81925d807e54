//===- Canvas.h - A small rasteriser ----------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_PLOT_CANVAS_H
#define DPL_RUNTIME_TRAIN_PLOT_CANVAS_H

#include "runtime/Base/Status.h"
#include "runtime/Train/Plot/Chart.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace dpl::rt {

struct Color {
  uint8_t red = 0, green = 0, blue = 0;
};

/// RGB pixels, white at first; (0, 0) is the upper left corner, and pixel (i,
/// j) has its centre at (i + 0.5, j + 0.5). What lies outside is cut off.
class Canvas {
public:
  Canvas(int width, int height);

  int width() const { return columns; }
  int height() const { return rows; }

  /// Mixes a rectangle of whole pixels into what is there; alpha 1 covers.
  void fill(int x, int y, int width, int height, Color color, double alpha = 1);
  /// A line through all points, smooth at its edges, of one colour where it
  /// overlaps itself; with a disc on each point when `discs` is not 0.
  void polyline(const std::vector<Point> &points, double thickness,
                double discs, Color color);
  /// Text with its upper left corner at (x, y); each pixel of the font is
  /// `scale` pixels wide and high.
  void text(int x, int y, std::string_view text, int scale, Color color);
  static int textWidth(std::string_view text, int scale);

  /// The picture as the bytes of a PNG file.
  Result<std::vector<std::byte>> png() const;

private:
  void mix(int x, int y, Color color, double alpha);
  void coverSegment(Point from, Point to, double radius);

  int columns, rows;
  std::vector<uint8_t> pixels;
  std::vector<float> coverage; ///< of the line that is being drawn
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_PLOT_CANVAS_H
