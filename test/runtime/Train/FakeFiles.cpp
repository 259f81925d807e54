//===- FakeFiles.cpp - A disk that fails, and one that forgets ------------===//
//
// Functions that stand before those of the C library. Environment:
//   FAKE_FAULT   `kill:N` ends the process before the N-th operation that
//                changes files, `fail:N` makes that one fail with ENOSPC
//   FAKE_FORGET  N: the N-th fsync does nothing
// After a crash of the machine a disk may have forgotten whatever was not
// synced. So the program ends with code 98 as soon as it relies on something
// that might be forgotten: when it gives a name to a file or folder whose
// content is not durable, or does anything else before that name is durable.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using dpl::rt::parentFolder;

namespace {

/// Whether this operation is to fail; may not return.
bool faulty() {
  static const char *fault = std::getenv("FAKE_FAULT");
  static int left = fault ? std::atoi(fault + std::strlen("kill:")) : 0;
  if (left <= 0 || --left > 0)
    return false;
  if (std::strncmp(fault, "kill", 4) == 0)
    _exit(99);
  errno = ENOSPC;
  return true;
}

bool forgotten() {
  static const char *number = std::getenv("FAKE_FORGET");
  static int left = number ? std::atoi(number) : 0;
  return left > 0 && --left == 0;
}

/// What is not durable yet.
class Disk {
public:
  void opened(int fd, const std::string &path, bool created) {
    if (created && isIgnored(path))
      return;
    if (created)
      checkNames("create `" + path + "`");
    paths[fd] = path;
    if (!created)
      return;
    files.insert(fd);
    contents.insert(path);
    contents.insert(parentFolder(path));
  }
  bool isWritten(int fd) const { return files.count(fd) != 0; }
  void written(int fd) {
    if (isWritten(fd))
      contents.insert(paths[fd]);
  }
  void synced(int fd) {
    contents.erase(paths[fd]);
    names.erase(paths[fd]);
  }
  /// The program has been told that the names are not safe.
  void failedToSync(int fd) { names.erase(paths[fd]); }
  void closed(int fd) {
    paths.erase(fd);
    files.erase(fd);
  }
  void madeFolder(const std::string &path) {
    checkNames("make `" + path + "`");
    if (!isUnfinished(path))
      names.insert(parentFolder(path));
  }
  void renames(const std::string &from, const std::string &to) {
    checkNames("rename `" + from + "`");
    for (const std::string &path : contents)
      if (path == from || path.starts_with(from + "/"))
        fail("`" + path + "` is not durable when `" + to + "` is named");
    if (!isUnfinished(to))
      names.insert(parentFolder(to));
  }
  void checkNames(const std::string &next) {
    for (const std::string &folder : names)
      fail("the names in `" + folder + "` are not durable before: " + next);
  }

private:
  static bool isUnfinished(const std::string &path) {
    return path.find(std::string("/") +
                     std::string(dpl::rt::unfinishedPrefix)) !=
           std::string::npos;
  }
  /// A lock means nothing after a crash.
  static bool isIgnored(const std::string &path) {
    return path.ends_with("/.lock");
  }
  [[noreturn]] static void fail(const std::string &what) {
    std::fprintf(stderr, "not durable: %s\n", what.c_str());
    _exit(98);
  }

  std::map<int, std::string> paths; ///< of open files and folders
  std::set<int> files;              ///< those that are being written
  std::set<std::string> contents;   ///< of files and folders
  std::set<std::string> names;      ///< folders with new names
};

Disk &disk() {
  static Disk *instance = [] {
    std::atexit([] { disk().checkNames("end"); });
    return new Disk;
  }();
  return *instance;
}

} // namespace

extern "C" {
int fsync(int fd) {
  if (faulty()) {
    disk().failedToSync(fd);
    return -1;
  }
  if (forgotten())
    return 0;
  disk().synced(fd);
  return static_cast<int>(syscall(SYS_fsync, fd));
}

int close(int fd) {
  const bool fails = disk().isWritten(fd) && faulty();
  disk().closed(fd);
  const int result = static_cast<int>(syscall(SYS_close, fd));
  if (fails)
    errno = ENOSPC;
  return fails ? -1 : result;
}

int renameat2(int fromFolder, const char *from, int toFolder, const char *to,
              unsigned flags) noexcept {
  if (faulty())
    return -1;
  disk().renames(from, to);
  return static_cast<int>(
      syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
}

int rename(const char *from, const char *to) noexcept {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode) noexcept {
  if (faulty())
    return -1;
  const int result =
      static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
  if (result == 0)
    disk().madeFolder(path);
  return result;
}

ssize_t write(int fd, const void *data, size_t size) {
  if (fd > STDERR_FILENO && faulty())
    return -1;
  disk().written(fd);
  return syscall(SYS_write, fd, data, size);
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
    if (faulty())
      return -1;
  }
  const int fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (fd >= 0 && (flags & (O_CREAT | O_DIRECTORY)))
    disk().opened(fd, path, flags & O_CREAT);
  return fd;
}
}
