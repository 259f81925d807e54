//===- Snapshot.cpp - The whole state of a run on disk --------------------===//

#include "runtime/Train/Snapshot.h"

#include "runtime/Base/Files.h"
#include "runtime/Base/Log.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Base/Text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

namespace dpl::rt {

namespace fs = std::filesystem;
using nlohmann::json;

static constexpr std::string_view prefix = "snapshot_iter_";
static constexpr int64_t manifestFormat = 1;

std::string snapshotPath(const std::string &folder, int64_t iteration) {
  return folder + "/" + std::string(prefix) + std::to_string(iteration);
}

static std::string hiddenPath(const std::string &folder, int64_t iteration) {
  return folder + "/" + std::string(unfinishedPrefix) +
         std::to_string(iteration);
}

static std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span<const char>(text));
}

static std::string makeManifest(const std::vector<SnapshotFile> &files) {
  json list = json::array();
  for (const SnapshotFile &file : files)
    list.push_back({{"name", file.name},
                    {"bytes", file.content.size()},
                    {"sha256", sha256Hex(file.content)}});
  return json({{"format", manifestFormat}, {"files", list}}).dump(1) + "\n";
}

static Status fillFolder(const std::string &path,
                         const std::vector<SnapshotFile> &files) {
  // Its name becomes durable with its last one.
  if (::mkdir(path.c_str(), 0777) != 0)
    return Status::systemError(
        Exit::SnapshotIO, "cannot create the folder `" + path + "`", errno);
  for (const SnapshotFile &file : files)
    DPL_TRY(
        writeNewFile(path + "/" + file.name, file.content, Exit::SnapshotIO));
  DPL_TRY(writeNewFile(path + "/" + manifestFile, bytesOf(makeManifest(files)),
                       Exit::SnapshotIO));
  return syncFolder(path, Exit::SnapshotIO);
}

/// Puts `hidden` in the place of `path`. A snapshot that is already there
/// changes places with it, so that at every moment one of the two is there.
static Status publishFolder(const std::string &hidden,
                            const std::string &path) {
  if (!fileExists(path))
    return renameDurably(hidden, path, Exit::SnapshotIO);
  if (renameat2(AT_FDCWD, hidden.c_str(), AT_FDCWD, path.c_str(),
                RENAME_EXCHANGE) != 0)
    return Status::systemError(
        Exit::SnapshotIO,
        "cannot put `" + hidden + "` in the place of `" + path + "`", errno);
  DPL_TRY(syncFolder(parentFolder(path), Exit::SnapshotIO));
  std::error_code ignored;
  fs::remove_all(hidden, ignored);
  return Status::success();
}

Status writeSnapshot(const std::string &folder, int64_t iteration,
                     const std::vector<SnapshotFile> &files) {
  std::string hidden = hiddenPath(folder, iteration);
  std::string path = snapshotPath(folder, iteration);
  std::error_code ignored;
  fs::remove_all(hidden, ignored);
  Status status = fillFolder(hidden, files);
  if (status.ok())
    status = publishFolder(hidden, path);
  if (!status.ok()) {
    fs::remove_all(hidden, ignored);
    return std::move(status).within("cannot write snapshot `" + path + "`");
  }
  return status;
}

static Status checkFile(const std::string &folder, const json &entry) {
  if (!entry.is_object() || !entry.contains("name") ||
      !entry["name"].is_string() || !entry.contains("bytes") ||
      !entry["bytes"].is_number_unsigned() || !entry.contains("sha256") ||
      !entry["sha256"].is_string())
    return Status::error(Exit::SnapshotIO,
                         "an entry of its manifest is damaged");
  std::string path = folder + "/" + entry["name"].get<std::string>();
  DPL_LET(MappedFile file, MappedFile::open(path, Exit::SnapshotIO));
  auto bytes = entry["bytes"].get<uint64_t>();
  if (file.bytes().size() != bytes)
    return Status::error(Exit::SnapshotIO,
                         concat("`", path, "` has ", file.bytes().size(),
                                " bytes, its manifest says ", bytes));
  std::string digest = sha256Hex(file.bytes());
  if (digest != entry["sha256"].get<std::string>())
    return Status::error(Exit::SnapshotIO,
                         "`" + path + "` has SHA-256 " + digest +
                             ", its manifest says " +
                             entry["sha256"].get<std::string>());
  return Status::success();
}

static Status checkManifest(const std::string &path) {
  DPL_LET(std::string text,
          readFile(path + "/" + manifestFile, Exit::SnapshotIO));
  json manifest = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!manifest.is_object() || !manifest.contains("format") ||
      !manifest.contains("files") || !manifest["files"].is_array())
    return Status::error(Exit::SnapshotIO, "its manifest is damaged");
  if (manifest["format"] != manifestFormat)
    return Status::error(Exit::SnapshotIO,
                         concat("its format is ", manifest["format"].dump(),
                                ", this trainer reads ", manifestFormat));
  std::vector<std::string> names;
  for (const json &entry : manifest["files"]) {
    DPL_TRY(checkFile(path, entry));
    names.push_back(entry["name"].get<std::string>());
  }
  for (const char *needed : {weightsFile, optimizerFile, trainerFile})
    if (std::find(names.begin(), names.end(), needed) == names.end())
      return Status::error(Exit::SnapshotIO,
                           "its manifest has no `" + std::string(needed) + "`");
  return Status::success();
}

Result<SnapshotContent> readSnapshot(const std::string &path) {
  Status checked = checkManifest(path);
  if (!checked.ok())
    return std::move(checked).within("snapshot `" + path + "` is broken");
  DPL_LET(std::string trainer,
          readFile(path + "/" + trainerFile, Exit::SnapshotIO));
  return SnapshotContent{path, std::move(trainer)};
}

std::vector<int64_t> listSnapshots(const std::string &folder) {
  std::vector<int64_t> iterations;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix))
      continue;
    int64_t iteration = 0;
    const char *begin = name.data() + prefix.size();
    const char *end = name.data() + name.size();
    auto parsed = std::from_chars(begin, end, iteration);
    if (parsed.ec == std::errc() && parsed.ptr == end)
      iterations.push_back(iteration);
  }
  std::sort(iterations.rbegin(), iterations.rend());
  return iterations;
}

std::optional<SnapshotContent> findNewestSnapshot(const std::string &folder) {
  for (int64_t iteration : listSnapshots(folder)) {
    Result<SnapshotContent> content =
        readSnapshot(snapshotPath(folder, iteration));
    if (content.ok())
      return content.take();
    logWarning(content.status().text() + "; trying the one before");
  }
  return std::nullopt;
}

/// A snapshot goes away under a hidden name, so that one that is half removed
/// is never taken for a broken one.
static void removeSnapshot(const std::string &folder, int64_t iteration) {
  std::string path = snapshotPath(folder, iteration);
  std::string hidden = hiddenPath(folder, iteration);
  std::error_code error;
  fs::rename(path, hidden, error);
  if (!error)
    fs::remove_all(hidden, error);
  if (error)
    logWarning("cannot remove `" + path + "`: " + error.message());
}

void pruneSnapshots(const std::string &folder, int64_t newest, int64_t keep) {
  int64_t kept = 0;
  for (int64_t iteration : listSnapshots(folder))
    if (iteration <= newest && ++kept > keep)
      removeSnapshot(folder, iteration);
  removeUnfinished(folder);
}

void removeUnfinished(const std::string &folder) {
  std::error_code error;
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(unfinishedPrefix))
      leftovers.push_back(entry.path());
  for (const fs::path &path : leftovers)
    fs::remove_all(path, error);
}

void setAsideLater(const std::string &folder, int64_t iteration) {
  for (int64_t later : listSnapshots(folder)) {
    if (later <= iteration)
      continue;
    std::string path = snapshotPath(folder, later);
    std::string aside =
        folder + "/former_" + std::string(prefix) + std::to_string(later);
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    Status renamed = renameDurably(path, aside, Exit::SnapshotIO);
    if (!renamed.ok())
      logWarning(renamed.text());
    else
      logInfo("`" + path + "` is of a part of the run that is done again; it " +
              "is `" + aside + "` now");
  }
}

bool holdsRun(const std::string &folder) {
  return fileExists(folder + "/log") || !listSnapshots(folder).empty();
}

} // namespace dpl::rt
