//===- Data/DataPaths.cpp - Where data sets lie ---------------------------===//

#include "runtime/Data/DataPaths.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <cctype>

using namespace dpl::rt;

static bool isName(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())))
    return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
}

Status DataPaths::addFlag(const std::string &value,
                          std::span<const std::string> datasets) {
  const size_t equals = value.find('=');
  const std::string name = value.substr(0, equals);
  const bool hasName = equals != std::string::npos && isName(name);
  const std::string path = hasName ? value.substr(equals + 1) : value;
  if (path.empty())
    return Status::error(Exit::Usage,
                         concat("`--data ", value,
                                "` has no path; give `--data PATH` or `--data "
                                "NAME=PATH`"));
  if (!hasName) {
    all = path;
    return Status::success();
  }
  if (std::find(datasets.begin(), datasets.end(), name) == datasets.end())
    return Status::error(Exit::Usage,
                         concat("`--data ", value, "`: there is no data set `",
                                name, "`", knownNames(name, datasets)));
  named[name] = path;
  return Status::success();
}

std::string DataPaths::resolve(const std::string &dataset,
                               const std::string &path) const {
  if (const auto entry = named.find(dataset); entry != named.end())
    return entry->second;
  if (all)
    return *all;
  if (root.empty() || path.starts_with('/'))
    return path;
  return root + (root.ends_with('/') ? "" : "/") + path;
}
