//===- Canvas.cpp - A small rasteriser ------------------------------------===//

#include "runtime/Train/Plot/Canvas.h"

#include "runtime/Train/Plot/Font.h"

#include <algorithm>
#include <cmath>

namespace dpl::rt {

Canvas::Canvas(int width, int height)
    : columns(width), rows(height),
      pixels(static_cast<size_t>(width) * height * 3, 255),
      coverage(static_cast<size_t>(width) * height) {}

void Canvas::mix(int x, int y, Color color, double alpha) {
  if (x < 0 || y < 0 || x >= columns || y >= rows)
    return;
  uint8_t *pixel = &pixels[(static_cast<size_t>(y) * columns + x) * 3];
  const uint8_t parts[] = {color.red, color.green, color.blue};
  for (int i = 0; i < 3; ++i)
    pixel[i] = static_cast<uint8_t>(
        std::lround(pixel[i] + (parts[i] - pixel[i]) * alpha));
}

void Canvas::fill(int x, int y, int width, int height, Color color,
                  double alpha) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i)
      mix(i, j, color, alpha);
}

/// Raises the coverage of pixels near the segment by how far they are inside.
void Canvas::coverSegment(Point from, Point to, double radius) {
  double dx = to.x - from.x, dy = to.y - from.y;
  double lengthSquared = dx * dx + dy * dy;
  double reach = radius + 1;
  int left = std::max(0, static_cast<int>(std::min(from.x, to.x) - reach));
  int right =
      std::min(columns - 1, static_cast<int>(std::max(from.x, to.x) + reach));
  int top = std::max(0, static_cast<int>(std::min(from.y, to.y) - reach));
  int bottom =
      std::min(rows - 1, static_cast<int>(std::max(from.y, to.y) + reach));
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      double px = x + 0.5 - from.x, py = y + 0.5 - from.y;
      double along =
          lengthSquared > 0
              ? std::clamp((px * dx + py * dy) / lengthSquared, 0.0, 1.0)
              : 0;
      double distance = std::hypot(px - along * dx, py - along * dy);
      double inside = std::clamp(radius + 0.5 - distance, 0.0, 1.0);
      float &held = coverage[static_cast<size_t>(y) * columns + x];
      held = std::max(held, static_cast<float>(inside));
    }
}

void Canvas::polyline(const std::vector<Point> &points, double thickness,
                      double discs, Color color) {
  std::fill(coverage.begin(), coverage.end(), 0.0f);
  for (size_t i = 0; i + 1 < points.size(); ++i)
    coverSegment(points[i], points[i + 1], thickness / 2);
  if (discs > 0)
    for (const Point &point : points)
      coverSegment(point, point, discs);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      if (float alpha = coverage[static_cast<size_t>(y) * columns + x];
          alpha > 0)
        mix(x, y, color, alpha);
}

void Canvas::text(int x, int y, std::string_view text, int scale, Color color) {
  for (char letter : text) {
    for (int j = 0; j < Font::height; ++j)
      for (int i = 0; i < Font::width; ++i)
        if (Font::pixel(letter, i, j))
          fill(x + i * scale, y + j * scale, scale, scale, color);
    x += Font::advance * scale;
  }
}

int Canvas::textWidth(std::string_view text, int scale) {
  return text.empty()
             ? 0
             : (static_cast<int>(text.size()) * Font::advance - 1) * scale;
}

} // namespace dpl::rt
