//===- Observation.h - What a block of extensions sees ----------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_OBSERVATION_H
#define DPL_RUNTIME_TRAIN_OBSERVATION_H

#include "runtime/Program/Executor.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dpl::rt {

/// Named numbers in the order in which they were reported, such as
/// `main/loss`, `val/main/accuracy`, `lr`, `epoch`, `elapsed_time`.
class Observation {
public:
  /// Sets the value of a key, new or known.
  void set(std::string_view key, double value);
  std::optional<double> find(std::string_view key) const;
  const std::vector<std::pair<std::string, double>> &entries() const {
    return list;
  }

private:
  std::vector<std::pair<std::string, double>> list;
};

/// The ratio of a report; 0/0 is 0.
double ratio(const ReportValue &value);

/// Sums and counts of the reports of a program since they were cleared.
class ReportSums {
public:
  explicit ReportSums(size_t reports) : totals(reports) {}
  void add(std::span<const ReportValue> reports);
  void clear();
  std::vector<ReportValue> &values() { return totals; }
  const std::vector<ReportValue> &values() const { return totals; }

private:
  std::vector<ReportValue> totals;
};

/// Means of what other blocks published since they were cleared.
class PublishedMeans {
public:
  struct Entry {
    std::string key;
    double sum = 0;
    double count = 0;
  };
  void add(std::string_view key, double value);
  void clear() { list.clear(); }
  std::vector<Entry> &entries() { return list; }
  const std::vector<Entry> &entries() const { return list; }

private:
  std::vector<Entry> list;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_OBSERVATION_H
