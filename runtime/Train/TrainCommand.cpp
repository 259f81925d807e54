//===- TrainCommand.cpp - train -------------------------------------------===//

#include "runtime/Base/Log.h"
#include "runtime/Base/Text.h"
#include "runtime/Train/Commands.h"
#include "runtime/Train/RunFolder.h"
#include "runtime/Train/Trainer.h"
#include "runtime/Train/TrainerSnapshot.h"

#include <cstdio>
#include <filesystem>

namespace dpl::rt {

/// Whether a snapshot is one of the run in `folder`.
static bool liesIn(const std::string &snapshot, const std::string &folder) {
  std::error_code ignored;
  return std::filesystem::equivalent(std::filesystem::path(snapshot) / "..",
                                     folder, ignored);
}

static Status refuseRun(const RunConfig &config) {
  if (!holdsRun(config.out))
    return Status::success();
  return Status::error(Exit::Usage, "`" + config.out +
                                        "` holds a run already; go on with it "
                                        "by --resume, choose another folder "
                                        "with --out, or remove it");
}

/// The snapshot to go on from, or none for a start from scratch.
static Result<std::optional<SnapshotContent>>
chooseSnapshot(const RunConfig &config) {
  std::optional<SnapshotContent> none;
  switch (config.resume) {
  case ResumeMode::Never:
    DPL_TRY(refuseRun(config));
    return none;
  case ResumeMode::Auto: {
    std::optional<SnapshotContent> newest = findNewestSnapshot(config.out);
    if (!newest && holdsRun(config.out))
      logWarning("`" + config.out +
                 "` has no good snapshot: training starts from scratch");
    return newest;
  }
  case ResumeMode::From: {
    DPL_LET(SnapshotContent content, readSnapshot(config.resumeFrom));
    if (holdsRun(config.out) && !liesIn(config.resumeFrom, config.out))
      return Status::error(Exit::Usage,
                           "`" + config.out + "` holds a run already, and `" +
                               config.resumeFrom +
                               "` is a snapshot of another one; choose another "
                               "folder with --out");
    return std::optional<SnapshotContent>(std::move(content));
  }
  }
  return none;
}

static int64_t elementsOf(const TensorSet &set) { return set.byteCount() / 4; }

static void describeRun(Session &session) {
  Executor &executor = session.executor();
  std::printf("%s: %lld parameters, device %s with %d threads, %.1f MB, "
              "program `%s`\n",
              session.description.train.models.front().c_str(),
              static_cast<long long>(elementsOf(executor.parameters())),
              session.device().name().c_str(), session.device().workers(),
              static_cast<double>(executor.totalBytes()) * 1e-6,
              session.trainProgram().name.c_str());
  std::fflush(stdout);
}

Result<int> trainCommand(const dpl_program &program,
                         const Description &description,
                         const RunConfig &config) {
  RunFolder folder(config.out);
  if (!config.dryRun)
    DPL_TRY(folder.lockIfThere());
  DPL_LET(std::optional<SnapshotContent> snapshot, chooseSnapshot(config));
  TrainerPosition start;
  std::optional<ResumePoint> point;
  if (snapshot) {
    DPL_TRY(checkIdentity(*snapshot, description, config));
    DPL_LET(start, readPosition(*snapshot));
    point = {start.next, start.length, snapshot->path};
  }
  DPL_LET(auto session, Session::open(program, description, config,
                                      /*forTraining=*/true, point));
  Trainer trainer(*session);
  DPL_TRY(trainer.setup());
  if (config.weights && !snapshot) {
    DPL_LET(std::string weights, findWeights(*config.weights));
    DPL_TRY(loadWeights(weights, *session, Exit::Data));
  }
  if (config.dryRun) {
    describeRun(*session);
    return static_cast<int>(Exit::Done);
  }
  DPL_TRY(folder.open());
  // Another trainer may have come and gone before the folder was locked.
  if (config.resume == ResumeMode::Never)
    DPL_TRY(refuseRun(config));
  setAsideLater(config.out, start.iteration);
  if (snapshot) {
    DPL_TRY(trainer.restore(*snapshot));
    logInfo(concat("resumed from `", snapshot->path, "` at iteration ",
                   start.iteration));
  }
  return trainer.train();
}

} // namespace dpl::rt
