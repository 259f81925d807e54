//===- OptionValues.cpp - What the options of a run are -------------------===//

#include "runtime/Train/OptionValues.h"

#include "runtime/Base/Text.h"
#include "runtime/Train/ParseNumber.h"

namespace dpl::rt {

using desc::Duration;
using desc::OptionRef;
using desc::OptionType;
using desc::Value;

std::string durationText(double count, desc::Unit unit) {
  return numberText(count) + " " + std::string(toString(unit)) +
         (count == 1 ? "" : "s");
}

std::string valueText(const Value &value) {
  struct Visitor {
    std::string operator()(bool v) { return v ? "true" : "false"; }
    std::string operator()(int64_t v) { return std::to_string(v); }
    std::string operator()(double v) { return numberText(v); }
    std::string operator()(const std::string &v) { return v; }
    std::string operator()(const Duration &v) {
      return durationText(v.count, v.unit);
    }
    std::string operator()(const OptionRef &v) { return v.name; }
    std::string operator()(const std::vector<Value> &v) {
      std::string text;
      for (const Value &entry : v)
        text += (text.empty() ? "" : ", ") + valueText(entry);
      return "[" + text + "]";
    }
  };
  return std::visit(Visitor(), value.held);
}

OptionValues::OptionValues(const Description &description)
    : description(description) {
  for (const desc::OptionSpec &option : description.options)
    values.push_back(option.defaultValue);
}

/// `10`, `10 epochs` or `10epochs`, in the unit of the option.
static Result<Duration> parseDuration(const std::string &text,
                                      const std::string &origin,
                                      desc::Unit unit) {
  size_t split = text.find_first_not_of("0123456789.+-");
  // An exponent belongs to the number.
  if (split != std::string::npos &&
      (text[split] == 'e' || text[split] == 'E') && split + 1 < text.size() &&
      text[split + 1] != 'p')
    split = text.find_first_not_of("0123456789.+-", split + 1);
  std::string number = text.substr(0, split), word;
  if (split != std::string::npos)
    word = text.substr(text.find_first_not_of(' ', split));
  DPL_LET(double count, parseReal(number, origin));
  std::string wanted(toString(unit));
  if (!word.empty() && word != wanted && word != wanted + "s")
    return Status::error(Exit::Usage,
                         concat(origin, ": `", text, "` is not in ", wanted,
                                "s, the unit that the program was compiled "
                                "for"));
  return Duration{count, unit};
}

static Status checkRange(const desc::OptionSpec &option, double number,
                         const std::string &text, const std::string &origin) {
  if (option.range.contains(number))
    return Status::success();
  return Status::error(
      Exit::Usage, concat(origin, ": ", text, " is not ", option.range.text()));
}

Status OptionValues::set(size_t index, const std::string &text,
                         const std::string &origin) {
  const desc::OptionSpec &option = description.options[index];
  switch (option.type) {
  case OptionType::Float: {
    DPL_LET(double number, parseReal(text, origin));
    DPL_TRY(checkRange(option, number, text, origin));
    values[index].held = number;
    break;
  }
  case OptionType::Int: {
    DPL_LET(int64_t number, parseInteger(text, origin, INT64_MIN));
    DPL_TRY(checkRange(option, static_cast<double>(number), text, origin));
    values[index].held = number;
    break;
  }
  case OptionType::Bool: {
    DPL_LET(bool flag, parseBool(text, origin));
    values[index].held = flag;
    break;
  }
  case OptionType::String:
    values[index].held = text;
    break;
  case OptionType::Duration: {
    desc::Unit unit = std::get<Duration>(option.defaultValue.held).unit;
    DPL_LET(Duration duration, parseDuration(text, origin, unit));
    values[index].held = duration;
    break;
  }
  }
  return Status::success();
}

static double numberOf(const Value &value) {
  if (const auto *flag = std::get_if<bool>(&value.held))
    return *flag ? 1 : 0;
  if (const auto *whole = std::get_if<int64_t>(&value.held))
    return static_cast<double>(*whole);
  if (const auto *real = std::get_if<double>(&value.held))
    return *real;
  if (const auto *duration = std::get_if<Duration>(&value.held))
    return duration->count;
  return 0;
}

std::vector<double> OptionValues::numbers() const {
  std::vector<double> numbers;
  for (const Value &value : values)
    numbers.push_back(numberOf(value));
  return numbers;
}

std::map<std::string, std::string> OptionValues::texts() const {
  std::map<std::string, std::string> texts;
  for (size_t i = 0; i < values.size(); ++i)
    texts[description.options[i].name] = valueText(values[i]);
  return texts;
}

const Value &OptionValues::resolve(const Value &value) const {
  const auto *ref = std::get_if<OptionRef>(&value.held);
  if (!ref)
    return value;
  return values[static_cast<size_t>(description.findOption(ref->name) -
                                    description.options.data())];
}

double OptionValues::count(const Value &value) const {
  return numberOf(resolve(value));
}

} // namespace dpl::rt
