//===- LogRows.h - Rows of a log --------------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_LOGROWS_H
#define DPL_RUNTIME_TRAIN_LOGROWS_H

#include "runtime/Train/Observation.h"
#include "runtime/Train/Plot/Chart.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dpl::rt {

/// A row of the log: all that was observed, `epoch` and `iteration` first and
/// as integers, `elapsed_time` last. A value that is not finite is null.
nlohmann::ordered_json logRow(const Observation &observation);

/// The file: a JSON list with one line for each row.
std::string logText(const std::vector<nlohmann::ordered_json> &rows);

/// Rows as a snapshot keeps them, and back: the order of keys and the digits
/// stay. Throws what nlohmann throws where `state` holds no rows.
nlohmann::json saveRows(const std::vector<nlohmann::ordered_json> &rows);
std::vector<nlohmann::ordered_json> restoreRows(const nlohmann::json &state);

/// Reads the file of a run; Exit::Data where it is no log.
Result<std::vector<nlohmann::ordered_json>> readLog(const std::string &path);

/// The keys of all rows that end in `loss`, in their order.
std::vector<std::string>
lossKeys(const std::vector<nlohmann::ordered_json> &rows);

/// One series for each key, over epochs, or over iterations where the rows
/// come more often than once an epoch.
Chart chartOfRows(const std::vector<nlohmann::ordered_json> &rows,
                  const std::vector<std::string> &keys);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_LOGROWS_H
