//===- PlotCommand.cpp - plot LOG [KEY..] [--file PNG] --------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Train/Commands.h"
#include "runtime/Train/LogRows.h"
#include "runtime/Train/Plot/TerminalChart.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace dpl::rt {

static std::vector<std::string>
allKeys(const std::vector<nlohmann::ordered_json> &rows) {
  std::vector<std::string> keys;
  for (const nlohmann::ordered_json &row : rows)
    for (auto it = row.begin(); it != row.end(); ++it)
      if (std::find(keys.begin(), keys.end(), it.key()) == keys.end())
        keys.push_back(it.key());
  return keys;
}

Status plotCommand(const RunConfig &config) {
  std::string path = config.plotLog.empty() ? config.out : config.plotLog;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    path += "/log";
  DPL_LET(auto rows, readLog(path));
  std::vector<std::string> keys = config.plotKeys, known = allKeys(rows);
  for (const std::string &key : keys)
    if (std::find(known.begin(), known.end(), key) == known.end())
      return Status::error(Exit::Usage, "`" + path + "` has no `" + key + "`" +
                                            knownNames(key, known));
  if (keys.empty())
    keys = lossKeys(rows);
  Chart chart = chartOfRows(rows, keys);
  if (!chart.hasPoints())
    return Status::error(Exit::Data, "`" + path + "` has nothing to plot");
  if (config.plotFile)
    return writeChart(chart, *config.plotFile);
  std::string text = terminalChart(chart, terminalStyle(isatty(STDOUT_FILENO)));
  std::printf("%s\n", text.c_str());
  return Status::success();
}

} // namespace dpl::rt
