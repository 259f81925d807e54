//===- Font.h - A small bitmap font -----------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_PLOT_FONT_H
#define DPL_RUNTIME_TRAIN_PLOT_FONT_H

#include <cstdint>

namespace dpl::rt {

/// Printable ASCII, 5 by 9 pixels for each letter; others look like `?`.
struct Font {
  static constexpr int width = 5;
  static constexpr int height = 9;
  static constexpr int baseline = 7; ///< rows above it
  static constexpr int advance = 6;

  /// Whether the letter covers the pixel; (0, 0) is the upper left.
  static bool pixel(char letter, int x, int y);
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_PLOT_FONT_H
