//===- Base/Log.h - Lines on stderr -----------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_LOG_H
#define DPL_RUNTIME_BASE_LOG_H

#include <string>
#include <string_view>

namespace dpl::rt {

enum class LogLevel { Debug, Info, Warning, Error };

/// Lines below `level` are dropped. The default is Info.
void setLogLevel(LogLevel level);
/// Text before every line, such as `rank 3: `. Call it before threads start.
void setLogPrefix(std::string prefix);

/// Writes whole lines to stderr with one system call, so that lines of several
/// threads and processes do not mix: `warning: ..`, `error: ..`, plain for
/// Info, `debug: ..`. Any thread may call it.
void log(LogLevel level, std::string_view message);
inline void logInfo(std::string_view message) { log(LogLevel::Info, message); }
inline void logWarning(std::string_view message) {
  log(LogLevel::Warning, message);
}
inline void logError(std::string_view message) {
  log(LogLevel::Error, message);
}

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_LOG_H
