//===- TerminalChart.h - A chart in text ------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_PLOT_TERMINALCHART_H
#define DPL_RUNTIME_TRAIN_PLOT_TERMINALCHART_H

#include "runtime/Train/Plot/Chart.h"

#include <string>

namespace dpl::rt {

enum class TerminalStyle {
  Plain,  ///< ASCII, one letter for each series
  Braille ///< eight dots in each cell, in colours
};

/// Braille where the output is a terminal of a UTF-8 locale and NO_COLOR is
/// not set.
TerminalStyle terminalStyle(bool isTerminal);

/// The chart in `columns` by `lines` cells, with axes and a legend; no newline
/// at the end.
std::string terminalChart(const Chart &chart, TerminalStyle style,
                          int columns = 78, int lines = 16);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_PLOT_TERMINALCHART_H
