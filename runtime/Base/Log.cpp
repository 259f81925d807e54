//===- Base/Log.cpp - Lines on stderr -------------------------------------===//

#include "runtime/Base/Log.h"

#include "runtime/Base/Text.h"

#include <atomic>
#include <unistd.h>

using namespace dpl::rt;

static std::atomic<LogLevel> lowest = LogLevel::Info;

static std::string &prefix() {
  static std::string text;
  return text;
}

void dpl::rt::setLogLevel(LogLevel level) { lowest = level; }
void dpl::rt::setLogPrefix(std::string text) { prefix() = std::move(text); }

static const char *levelText(LogLevel level) {
  switch (level) {
  case LogLevel::Debug:
    return "debug: ";
  case LogLevel::Info:
    return "";
  case LogLevel::Warning:
    return "warning: ";
  case LogLevel::Error:
    return "error: ";
  }
  return "";
}

void dpl::rt::log(LogLevel level, std::string_view message) {
  if (level < lowest)
    return;
  const char *kind = levelText(level);
  std::string lines;
  for (const std::string_view line : split(message, '\n')) {
    lines.append(prefix()).append(kind).append(line).append("\n");
    kind = "";
  }
  // A log that cannot be written has nowhere to complain.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, lines.data(), lines.size());
}
