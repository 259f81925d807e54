//===- Snapshot.h - The whole state of a run on disk ------------*- C++ -*-===//
//
// A snapshot is the folder `snapshot_iter_N` with
//   weights.safetensors    parameters, and states of the model
//   optimizer.safetensors  states of the optimizer
//   trainer.json           position, sums, log, configuration
//   manifest.json          size and SHA-256 of the three
// It is written to a hidden folder beside it, every file made durable, the
// manifest last, and renamed as a whole. So a folder of that name is complete
// unless it was damaged later, which the checksums show.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_SNAPSHOT_H
#define DPL_RUNTIME_TRAIN_SNAPSHOT_H

#include "runtime/Base/Status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpl::rt {

inline constexpr const char *weightsFile = "weights.safetensors";
inline constexpr const char *optimizerFile = "optimizer.safetensors";
inline constexpr const char *trainerFile = "trainer.json";
inline constexpr const char *manifestFile = "manifest.json";

struct SnapshotFile {
  std::string name;
  std::vector<std::byte> content;
};

/// A snapshot that was read and checked.
struct SnapshotContent {
  std::string path;
  std::string trainer; ///< text of trainer.json
};

/// `FOLDER/snapshot_iter_N`.
std::string snapshotPath(const std::string &folder, int64_t iteration);

/// Writes the snapshot of `iteration` into `folder`; replaces one of the same
/// iteration in one step. On failure (Exit::SnapshotIO) everything that was
/// there before is as it was.
Status writeSnapshot(const std::string &folder, int64_t iteration,
                     const std::vector<SnapshotFile> &files);

/// Checks sizes and checksums of the snapshot at `path` and reads its position.
/// Errors are Exit::SnapshotIO and name the file that is broken.
Result<SnapshotContent> readSnapshot(const std::string &path);

/// Iterations of the snapshots in `folder`, newest first, good or not.
std::vector<int64_t> listSnapshots(const std::string &folder);

/// The newest good snapshot in `folder`, if any. Broken ones before it are
/// reported as warnings.
std::optional<SnapshotContent> findNewestSnapshot(const std::string &folder);

/// After the snapshot of iteration `newest` was written: keeps it and the
/// `keep` - 1 before it. What unfinished writes left behind goes, too. Failures
/// are reported as warnings.
void pruneSnapshots(const std::string &folder, int64_t newest, int64_t keep);

/// Removes what writes that a crash cut short left in `folder`.
void removeUnfinished(const std::string &folder);

/// Before training goes on from `iteration`: snapshots of later iterations,
/// which belong to a part of the run that is being done again, get the name
/// `former_snapshot_iter_N`, so that nothing takes them for the newest.
void setAsideLater(const std::string &folder, int64_t iteration);

/// Whether `folder` holds anything of a run: a log or a snapshot.
bool holdsRun(const std::string &folder);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_SNAPSHOT_H
