//===- Console.h - Lines and the progress bar -------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_CONSOLE_H
#define DPL_RUNTIME_TRAIN_CONSOLE_H

#include <string>
#include <string_view>

namespace dpl::rt {

/// stdout for results and stderr for progress. On a terminal the progress is
/// one line that is redrawn, and goes away before a line of results.
class Console {
public:
  Console();
  ~Console() { clearBar(); }

  /// A line of results on stdout, flushed.
  void line(std::string_view text);
  /// Redraws the progress on a terminal; does nothing elsewhere.
  void bar(std::string_view text);
  /// A line of progress on stderr.
  void note(std::string_view text);
  void clearBar();

  bool errIsTerminal() const { return errTerminal; }
  bool outIsTerminal() const { return outTerminal; }
  /// Columns of the terminal on stderr, 80 elsewhere.
  int width() const;

private:
  bool errTerminal, outTerminal;
  bool barShown = false;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_CONSOLE_H
