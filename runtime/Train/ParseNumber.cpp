//===- ParseNumber.cpp - Numbers from flags and variables -----------------===//

#include "runtime/Train/ParseNumber.h"

#include "runtime/Base/Text.h"

#include <charconv>
#include <cmath>

namespace dpl::rt {

/// The whole of `text` as a number, or why it is none; a leading `+` is
/// allowed.
template <typename T> static std::errc parseAll(std::string_view text, T &out) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return end == text.data() + text.size() && !text.empty()
             ? error
             : std::errc::invalid_argument;
}

static Status tooLarge(const std::string &text, const std::string &origin) {
  return Status::error(Exit::Usage,
                       origin + ": `" + text +
                           "` is beyond the numbers that can be held; give "
                           "one that is nearer to zero");
}

Result<int64_t> parseInteger(const std::string &text, const std::string &origin,
                             int64_t least, int64_t most) {
  int64_t value = 0;
  std::errc parsed = parseAll(text, value);
  if (parsed == std::errc::result_out_of_range)
    return tooLarge(text, origin);
  if (parsed != std::errc())
    return Status::error(Exit::Usage,
                         origin + ": `" + text + "` is not an integer");
  if (value < least)
    return Status::error(Exit::Usage,
                         concat(origin, ": ", value, " is less than ", least));
  if (value > most)
    return Status::error(Exit::Usage,
                         concat(origin, ": ", value, " is more than ", most));
  return value;
}

Result<double> parseReal(const std::string &text, const std::string &origin) {
  double value = 0;
  std::errc parsed = parseAll(text, value);
  if (parsed == std::errc::result_out_of_range)
    return tooLarge(text, origin);
  if (parsed != std::errc() || !std::isfinite(value))
    return Status::error(Exit::Usage,
                         origin + ": `" + text + "` is not a number");
  return value;
}

Result<bool> parseBool(const std::string &text, const std::string &origin) {
  for (const char *yes : {"true", "1", "yes", "on"})
    if (text == yes)
      return true;
  for (const char *no : {"false", "0", "no", "off"})
    if (text == no)
      return false;
  return Status::error(Exit::Usage,
                       origin + ": `" + text + "` is neither true nor false");
}

} // namespace dpl::rt
