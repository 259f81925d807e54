//===- Description.cpp - Names and lookups of the description -------------===//

#include "runtime/Program/Description.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace dpl::rt {

int64_t elementCount(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

namespace desc {

bool Range::contains(double number) const {
  return !std::isnan(number) && (!atLeast || number >= *atLeast) &&
         (!above || number > *above) && (!atMost || number <= *atMost) &&
         (!below || number < *below);
}

std::string Range::text() const {
  std::ostringstream text;
  auto add = [&](const char *words, const std::optional<double> &number) {
    if (number)
      text << (text.tellp() > 0 ? " and " : "") << words << ' ' << *number;
  };
  add("at least", atLeast);
  add("more than", above);
  add("at most", atMost);
  add("less than", below);
  return text.str();
}

std::string_view toString(Unit unit) {
  constexpr std::string_view names[] = {"epoch", "iteration", "second"};
  return names[static_cast<int>(unit)];
}

std::string_view toString(OptionType type) {
  constexpr std::string_view names[] = {"float", "int", "bool", "string",
                                        "duration"};
  return names[static_cast<int>(type)];
}

std::string_view toString(IteratorKind kind) {
  constexpr std::string_view names[] = {"serial", "threads", "multiprocess"};
  return names[static_cast<int>(kind)];
}

std::string_view toString(UpdateKind kind) {
  constexpr std::string_view names[] = {"none", "fused", "bucketed"};
  return names[static_cast<int>(kind)];
}

std::string_view toString(Space space) {
  constexpr std::string_view names[] = {
      "parameter", "state", "input",   "saved",  "uniform", "sums", "reduced",
      "settings",  "batch", "samples", "random", "report",  "arena"};
  return names[static_cast<int>(space)];
}

template <typename T>
static const T *findByName(const std::vector<T> &list, std::string_view name) {
  auto found = std::find_if(list.begin(), list.end(),
                            [&](const T &entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

const DatasetSpec *Description::findDataset(std::string_view name) const {
  return findByName(datasets, name);
}
const IteratorSpec *Description::findIterator(std::string_view name) const {
  return findByName(iterators, name);
}
const ProgramSpec *Description::findProgram(std::string_view name) const {
  return findByName(programs, name);
}
const OptionSpec *Description::findOption(std::string_view name) const {
  return findByName(options, name);
}

const LayerSpec *Description::findLayerOf(std::string_view parameter) const {
  for (const ModelSpec &model : models)
    for (const LayerSpec &layer : model.layers)
      if (std::find(layer.parameters.begin(), layer.parameters.end(),
                    parameter) != layer.parameters.end())
        return &layer;
  return nullptr;
}

} // namespace desc
} // namespace dpl::rt
