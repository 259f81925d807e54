//===- Data/Arguments.cpp - Named settings of readers, transforms ---------===//

#include "runtime/Data/Arguments.h"

#include "runtime/Base/Text.h"

using namespace dpl::rt;

namespace {
struct ToText {
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return concat(v); }
  std::string operator()(const std::string &v) const { return "\"" + v + "\""; }
  std::string operator()(const Argument::List &list) const {
    std::string text = "[";
    for (const Argument &item : list)
      text += (text.size() > 1 ? ", " : "") + item.text();
    return text + "]";
  }
};
} // namespace

std::string Argument::text() const { return std::visit(ToText(), value); }

const Argument *Arguments::find(std::string_view name) const {
  for (const auto &[entry, value] : entries)
    if (entry == name)
      return &value;
  return nullptr;
}

static Status wrong(std::string_view name, const Argument *value,
                    std::string_view expected) {
  if (!value)
    return Status::error(Exit::Usage, concat("argument `", name,
                                             "` is missing; it is ", expected));
  return Status::error(Exit::Usage,
                       concat("argument `", name, "` is ", value->text(),
                              ", but must be ", expected));
}

Result<std::string> Arguments::text(std::string_view name) const {
  const Argument *argument = find(name);
  if (argument)
    if (const auto *text = std::get_if<std::string>(&argument->value))
      return *text;
  return wrong(name, argument, "a string");
}

static const double *toNumber(const Argument &argument, double &storage) {
  if (const auto *number = std::get_if<double>(&argument.value))
    return number;
  const auto *integer = std::get_if<int64_t>(&argument.value);
  if (!integer)
    return nullptr;
  storage = static_cast<double>(*integer);
  return &storage;
}

Result<std::vector<double>> Arguments::numbers(std::string_view name) const {
  const char *expected = "a number or a list of numbers";
  const Argument *argument = find(name);
  if (!argument)
    return wrong(name, argument, expected);
  double storage = 0;
  if (const double *number = toNumber(*argument, storage))
    return std::vector<double>{*number};
  const auto *list = std::get_if<Argument::List>(&argument->value);
  std::vector<double> values;
  if (list)
    for (const Argument &item : *list)
      if (const double *number = toNumber(item, storage))
        values.push_back(*number);
  if (!list || list->empty() || values.size() != list->size())
    return wrong(name, argument, expected);
  return values;
}

Result<std::vector<int64_t>> Arguments::integers(std::string_view name) const {
  const Argument *argument = find(name);
  const auto *list =
      argument ? std::get_if<Argument::List>(&argument->value) : nullptr;
  std::vector<int64_t> values;
  if (list)
    for (const Argument &item : *list)
      if (const auto *integer = std::get_if<int64_t>(&item.value))
        values.push_back(*integer);
  if (!list || values.size() != list->size())
    return wrong(name, argument, "a list of whole numbers");
  return values;
}

Result<size_t>
Arguments::member(std::string_view name,
                  std::initializer_list<std::string_view> members) const {
  std::string expected = "one of";
  const Argument *argument = find(name);
  const auto *text =
      argument ? std::get_if<std::string>(&argument->value) : nullptr;
  size_t place = 0;
  for (const std::string_view member : members) {
    if (text && *text == member)
      return place;
    expected += concat(place++ ? ", `" : " `", member, "`");
  }
  return wrong(name, argument, expected);
}

Status
Arguments::checkNames(std::initializer_list<std::string_view> known) const {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto &[entry, value] : entries) {
    bool found = false;
    for (const std::string &name : names)
      found |= name == entry;
    if (!found)
      return Status::error(Exit::Usage, concat("unknown argument `", entry, "`",
                                               knownNames(entry, names)));
  }
  return Status::success();
}
