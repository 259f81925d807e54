//===- Extension.cpp - What an `every` block may hold ---------------------===//

#include "runtime/Train/Extension.h"

#include "runtime/Base/Text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace dpl::rt {

nlohmann::json Extension::save() const { return nullptr; }

Status Extension::restore(const nlohmann::json &, Trainer &) {
  return Status::success();
}

Result<ActionArgs> ActionArgs::bind(const desc::ActionSpec &action,
                                    std::vector<std::string> parameters,
                                    const OptionValues &options) {
  ActionArgs result;
  result.action = action.name;
  size_t variadic = parameters.size();
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].ends_with("..")) {
      parameters[i].resize(parameters[i].size() - 2);
      variadic = i;
    }

  std::vector<desc::Value> rest;
  for (size_t i = 0; i < action.positional.size(); ++i) {
    desc::Value value = options.resolve(action.positional[i]);
    if (variadic < parameters.size() && i >= variadic)
      rest.push_back(std::move(value));
    else if (i < parameters.size())
      result.values[parameters[i]] = std::move(value);
    else
      return Status::error(Exit::Runtime,
                           concat("action `", action.name, "` takes ",
                                  parameters.size(), " arguments, found ",
                                  action.positional.size()));
  }
  if (!rest.empty())
    result.values[parameters[variadic]].held = std::move(rest);
  for (auto &[name, value] : action.args) {
    if (std::find(parameters.begin(), parameters.end(), name) ==
        parameters.end())
      return Status::error(Exit::Runtime,
                           "action `" + action.name + "` has no argument `" +
                               name + "`" + knownNames(name, parameters));
    result.values[name] = options.resolve(value);
  }
  return result;
}

Status ActionArgs::mismatch(const std::string &name, const char *wanted) const {
  return Status::error(
      Exit::Runtime, "argument `" + name + "` of action `" + action + "` is `" +
                         valueText(values.at(name)) + "`, expected " + wanted);
}

Result<std::string> ActionArgs::text(const std::string &name,
                                     const std::string &otherwise) const {
  auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  if (const auto *text = std::get_if<std::string>(&found->second.held))
    return *text;
  return mismatch(name, "text");
}

Result<int64_t> ActionArgs::integer(const std::string &name,
                                    int64_t otherwise) const {
  auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  if (const auto *number = std::get_if<int64_t>(&found->second.held))
    return *number;
  return mismatch(name, "an integer");
}

Result<std::vector<std::string>>
ActionArgs::texts(const std::string &name) const {
  std::vector<std::string> result;
  auto found = values.find(name);
  if (found == values.end())
    return result;
  if (const auto *text = std::get_if<std::string>(&found->second.held))
    return std::vector<std::string>{*text};
  const auto *list = std::get_if<std::vector<desc::Value>>(&found->second.held);
  if (!list)
    return mismatch(name, "a list of texts");
  for (const desc::Value &entry : *list) {
    const auto *text = std::get_if<std::string>(&entry.held);
    if (!text)
      return mismatch(name, "a list of texts");
    result.push_back(*text);
  }
  return result;
}

} // namespace dpl::rt
