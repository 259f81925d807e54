//===- ParseNumber.cpp - Numbers from flags and variables -----------------===//

#include "runtime/Train/ParseNumber.h"

#include "runtime/Base/Text.h"

#include <charconv>
#include <cmath>

namespace dpl::rt {

/// The whole of `text` as a number; a leading `+` is allowed.
template <typename T> static bool parseAll(std::string_view text, T &out) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() &&
         !text.empty();
}

Result<int64_t> parseInteger(const std::string &text, const std::string &origin,
                             int64_t least) {
  int64_t value = 0;
  if (!parseAll(text, value))
    return Status::error(Exit::Usage,
                         origin + ": `" + text + "` is not an integer");
  if (value < least)
    return Status::error(Exit::Usage,
                         concat(origin, ": ", value, " is less than ", least));
  return value;
}

Result<double> parseReal(const std::string &text, const std::string &origin) {
  double value = 0;
  if (!parseAll(text, value) || !std::isfinite(value))
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
