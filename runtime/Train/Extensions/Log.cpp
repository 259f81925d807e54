//===- Log.cpp - log ------------------------------------------------------===//
//
// Keeps a row of everything that its block observed, and writes all rows as a
// JSON list to the file `log` of the run, whole each time.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Log.h"
#include "runtime/Base/Files.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/LogRows.h"
#include "runtime/Train/Trainer.h"

#include <nlohmann/json.hpp>

namespace dpl::rt {
namespace {

class LogFile : public Extension {
public:
  Status run(Trainer &trainer, Observation &observation) override {
    rows.push_back(logRow(observation));
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
    return write(trainer);
  }

private:
  Status write(Trainer &trainer) const {
    return writeFileAtomically(trainer.path("log"), logText(rows),
                               Exit::Runtime);
  }

  std::vector<nlohmann::ordered_json> rows;
  bool isWritten = true;
};

} // namespace

Result<std::unique_ptr<Extension>> makeLog(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {}, context.options));
  return std::unique_ptr<Extension>(std::make_unique<LogFile>());
}

} // namespace dpl::rt
