//===- Plot.cpp - plot(keys.., file: "plot.png") --------------------------===//
//
// Draws what its block observed over the run into a PNG, each time anew, and
// shows it in the terminal when training ends.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Log.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/LogRows.h"
#include "runtime/Train/Plot/Chart.h"
#include "runtime/Train/Plot/TerminalChart.h"
#include "runtime/Train/Trainer.h"

#include <nlohmann/json.hpp>

namespace dpl::rt {
namespace {

class Plot : public Extension {
public:
  Plot(std::vector<std::string> keys, std::string file)
      : keys(std::move(keys)), file(std::move(file)) {}

  Status run(Trainer &trainer, Observation &observation) override {
    rows.push_back(logRow(observation));
    Status written = writeChart(chartOfRows(rows, keys), trainer.path(file));
    isWritten = written.ok();
    if (!isWritten)
      logWarning(written.text() + "; training goes on");
    return Status::success();
  }

  Status finish(Trainer &trainer) override {
    Chart chart = chartOfRows(rows, keys);
    if (!isWritten)
      DPL_TRY(writeChart(chart, trainer.path(file)).as(Exit::SnapshotIO));
    Console &console = trainer.console();
    if (chart.hasPoints())
      console.line(
          "\n" + terminalChart(chart, terminalStyle(console.outIsTerminal())));
    return Status::success();
  }

  nlohmann::json save() const override { return saveRows(rows); }

  Status restore(const nlohmann::json &state, Trainer &) override {
    rows = restoreRows(state);
    return Status::success();
  }

private:
  std::vector<std::string> keys;
  std::string file;
  std::vector<nlohmann::ordered_json> rows;
  bool isWritten = true;
};

} // namespace

Result<std::unique_ptr<Extension>> makePlot(const ActionContext &context) {
  DPL_LET(ActionArgs args, ActionArgs::bind(context.action, {"keys..", "file"},
                                            context.options));
  DPL_LET(std::vector<std::string> keys, args.texts("keys"));
  DPL_LET(std::string file, args.text("file", "plot.png"));
  if (keys.empty())
    return Status::error(Exit::Runtime, "`plot` needs at least one key");
  if (file.empty() || file.front() == '.' || file == "log" ||
      file.find('/') != std::string::npos)
    return Status::error(Exit::Usage,
                         "`plot` cannot write `" + file +
                             "`: a plot is a file in the folder of the run; "
                             "give a name without `/`, and not `log`");
  return std::unique_ptr<Extension>(
      std::make_unique<Plot>(std::move(keys), std::move(file)));
}

} // namespace dpl::rt
