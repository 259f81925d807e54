//===- Log.cpp - log ------------------------------------------------------===//
//
// Keeps a row of everything that its block observed, and writes the rows of all
// blocks that log as a JSON list to the file `log` of the run, whole each time.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Log.h"
#include "runtime/Base/Files.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/LogRows.h"
#include "runtime/Train/Trainer.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace dpl::rt {
namespace {

class LogFile : public Extension {
public:
  Status run(Trainer &trainer, Observation &observation) override {
    rows.push_back(logRow(observation));
    trainer.logRows().push_back(rows.back());
    Status written = write(trainer);
    isWritten = written.ok();
    if (!isWritten)
      logWarning(written.text() + "; training goes on");
    return Status::success();
  }

  Status finish(Trainer &trainer) override {
    return isWritten ? Status() : write(trainer).as(Exit::SnapshotIO);
  }

  nlohmann::json save() const override { return saveRows(rows); }

  /// The file may hold rows of iterations that are going to be done again.
  Status restore(const nlohmann::json &state, Trainer &trainer) override {
    rows = restoreRows(state);
    auto &all = trainer.logRows();
    all.insert(all.end(), rows.begin(), rows.end());
    std::stable_sort(all.begin(), all.end(), [](auto &a, auto &b) {
      return a.at("iteration") < b.at("iteration");
    });
    return write(trainer);
  }

private:
  Status write(Trainer &trainer) const {
    return writeFileAtomically(trainer.path("log"), logText(trainer.logRows()),
                               Exit::Runtime);
  }

  std::vector<nlohmann::ordered_json> rows; ///< of this block
  bool isWritten = true;
};

} // namespace

Result<std::unique_ptr<Extension>> makeLog(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {}, context.options));
  return std::unique_ptr<Extension>(std::make_unique<LogFile>());
}

} // namespace dpl::rt
