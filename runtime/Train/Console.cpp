//===- Console.cpp - Lines and the progress bar ---------------------------===//

#include "runtime/Train/Console.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace dpl::rt {

Console::Console()
    : errTerminal(isatty(STDERR_FILENO)), outTerminal(isatty(STDOUT_FILENO)) {}

void Console::line(std::string_view text) {
  clearBar();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

void Console::bar(std::string_view text) {
  if (!errTerminal)
    return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()),
               text.data());
  std::fflush(stderr);
  barShown = true;
}

void Console::note(std::string_view text) {
  clearBar();
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

void Console::clearBar() {
  if (!barShown)
    return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  barShown = false;
}

int Console::width() const {
  winsize size = {};
  if (errTerminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0)
    return size.ws_col;
  return 80;
}

} // namespace dpl::rt
