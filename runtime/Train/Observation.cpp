//===- Observation.cpp - What a block of extensions sees ------------------===//

#include "runtime/Train/Observation.h"

#include <algorithm>

namespace dpl::rt {

void Observation::set(std::string_view key, double value) {
  for (auto &[name, held] : list)
    if (name == key) {
      held = value;
      return;
    }
  list.emplace_back(key, value);
}

std::optional<double> Observation::find(std::string_view key) const {
  for (auto &[name, value] : list)
    if (name == key)
      return value;
  return std::nullopt;
}

double ratio(const ReportValue &value) {
  return value.sum == 0 && value.count == 0 ? 0 : value.sum / value.count;
}

void ReportSums::add(std::span<const ReportValue> reports) {
  for (size_t i = 0; i < totals.size(); ++i) {
    totals[i].sum += reports[i].sum;
    totals[i].count += reports[i].count;
  }
}

void ReportSums::clear() {
  std::fill(totals.begin(), totals.end(), ReportValue());
}

void PublishedMeans::add(std::string_view key, double value) {
  auto found = std::find_if(list.begin(), list.end(), [&](const Entry &entry) {
    return entry.key == key;
  });
  if (found == list.end())
    found = list.insert(list.end(), {std::string(key), 0, 0});
  found->sum += value;
  found->count += 1;
}

} // namespace dpl::rt
