//===- RunFolder.cpp - The folder that a run writes into ------------------===//

#include "runtime/Train/RunFolder.h"

#include "runtime/Base/Log.h"
#include "runtime/Base/Text.h"
#include "runtime/Train/Snapshot.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>

namespace dpl::rt {

/// What another process that holds the lock is called.
static std::string holderText(int file) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  // The number is 0 or less where the process is one of another machine.
  if (::fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK ||
      lock.l_pid <= 0)
    return "another process";
  return concat("process ", lock.l_pid);
}

Status RunFolder::lock() {
  if (file)
    return Status::success();
  std::string name = path + "/.lock";
  file =
      FileDescriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file)
    return Status::error(Exit::Runtime,
                         concat("cannot write into the folder of the run `",
                                path, "`: ", std::strerror(errno),
                                "; choose another one with --out"));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file.get(), F_SETLK, &lock) == 0)
    return Status::success();
  if (errno == EACCES || errno == EAGAIN) {
    std::string holder = holderText(file.get());
    file.reset();
    return Status::error(Exit::Usage,
                         "`" + path + "` is in use by " + holder +
                             ", which trains into it; wait for its end, or "
                             "choose another folder with --out");
  }
  logWarning(concat("cannot lock `", name, "`: ", std::strerror(errno),
                    "; see to it that no other trainer writes into `", path,
                    "`"));
  return Status::success();
}

Status RunFolder::lockIfThere() {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? lock()
                                                      : Status::success();
}

Status RunFolder::open() {
  std::error_code ignored;
  if (fileExists(path) && !std::filesystem::is_directory(path, ignored))
    return Status::error(Exit::Runtime,
                         "`" + path +
                             "` is a file, but the run needs a "
                             "folder; choose another name with --out");
  Status made = createFolders(path, Exit::Runtime);
  if (!made.ok())
    return Status::error(
        Exit::Runtime,
        concat(made.chain().back(), "; choose another folder with --out"));
  DPL_TRY(lock());
  removeUnfinished(path);
  return Status::success();
}

} // namespace dpl::rt
