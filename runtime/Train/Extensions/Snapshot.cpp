//===- Snapshot.cpp - snapshot(keep: 0) -----------------------------------===//

#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/Trainer.h"

namespace dpl::rt {
namespace {

/// Only asks: the snapshot is taken when all blocks of the iteration have run,
/// so that a resumed run neither repeats nor misses one of them.
class SnapshotWish : public Extension {
public:
  explicit SnapshotWish(int64_t keep) : keep(keep) {}

  Status run(Trainer &trainer, Observation &) override {
    trainer.requestSnapshot(keep);
    return Status::success();
  }

private:
  int64_t keep;
};

} // namespace

Result<std::unique_ptr<Extension>> makeSnapshot(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {"keep"}, context.options));
  DPL_LET(int64_t keep, args.integer("keep", 0));
  if (keep < 0)
    return Status::error(Exit::Runtime, "`snapshot` cannot keep " +
                                            std::to_string(keep) +
                                            " snapshots");
  return std::unique_ptr<Extension>(std::make_unique<SnapshotWish>(keep));
}

} // namespace dpl::rt
