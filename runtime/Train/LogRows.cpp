//===- LogRows.cpp - Rows of a log ----------------------------------------===//

#include "runtime/Train/LogRows.h"

#include "runtime/Base/Files.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace dpl::rt {

using nlohmann::ordered_json;

static ordered_json numberJson(const std::string &key, double value) {
  if (!std::isfinite(value))
    return nullptr;
  if (key == "epoch" || key == "iteration")
    return static_cast<int64_t>(value);
  return value;
}

ordered_json logRow(const Observation &observation) {
  constexpr std::string_view last = "elapsed_time";
  ordered_json row = ordered_json::object();
  for (auto &[key, value] : observation.entries())
    if (key != last)
      row[key] = numberJson(key, value);
  if (auto elapsed = observation.find(last))
    row[std::string(last)] = numberJson(std::string(last), *elapsed);
  return row;
}

std::string logText(const std::vector<ordered_json> &rows) {
  std::string text = "[";
  for (const ordered_json &row : rows)
    text += (text.size() > 1 ? ",\n " : "\n ") + row.dump();
  return text + "\n]\n";
}

nlohmann::json saveRows(const std::vector<ordered_json> &rows) {
  nlohmann::json state = nlohmann::json::array();
  for (const ordered_json &row : rows)
    state.push_back(row.dump());
  return state;
}

std::vector<ordered_json> restoreRows(const nlohmann::json &state) {
  std::vector<ordered_json> rows;
  for (const nlohmann::json &row : state)
    rows.push_back(ordered_json::parse(row.get<std::string>()));
  return rows;
}

Result<std::vector<ordered_json>> readLog(const std::string &path) {
  DPL_LET(std::string text, readFile(path, Exit::Data));
  ordered_json list = ordered_json::parse(text, nullptr, false);
  bool rows =
      list.is_array() && std::all_of(list.begin(), list.end(),
                                     [](auto &row) { return row.is_object(); });
  if (!rows)
    return Status::error(Exit::Data, "`" + path +
                                         "` is no log of a run: it has to be "
                                         "a JSON list of objects");
  return std::vector<ordered_json>(list.begin(), list.end());
}

std::vector<std::string> lossKeys(const std::vector<ordered_json> &rows) {
  std::vector<std::string> keys;
  for (const ordered_json &row : rows)
    for (auto it = row.begin(); it != row.end(); ++it)
      if (it.key().ends_with("loss") &&
          std::find(keys.begin(), keys.end(), it.key()) == keys.end())
        keys.push_back(it.key());
  return keys;
}

static std::optional<double> number(const ordered_json &row,
                                    const std::string &key) {
  auto found = row.find(key);
  if (found == row.end() || !found->is_number())
    return std::nullopt;
  return found->get<double>();
}

/// Whether rows are told apart by their epochs.
static bool epochsSuffice(const std::vector<ordered_json> &rows) {
  double last = 0;
  for (const ordered_json &row : rows) {
    std::optional<double> epoch = number(row, "epoch");
    if (!epoch || *epoch <= last)
      return false;
    last = *epoch;
  }
  return true;
}

Chart chartOfRows(const std::vector<ordered_json> &rows,
                  const std::vector<std::string> &keys) {
  Chart chart;
  chart.xLabel = epochsSuffice(rows) ? "epoch" : "iteration";
  for (const std::string &key : keys) {
    Series series;
    series.name = key;
    for (const ordered_json &row : rows) {
      std::optional<double> x = number(row, chart.xLabel), y = number(row, key);
      if (x && y)
        series.points.push_back({*x, *y});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

} // namespace dpl::rt
