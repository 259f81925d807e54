//===- FakeTrainer.cpp - The fake program as an executable ----------------===//
//
// Linked with the runtime's main like any trainer. Environment:
//   FAKE_PATCH   JSON merge patch of the description
//   FAKE_STEP_MICROSECONDS  what every step takes longer
//   FAKE_RATE_JUMPS_AT      the number of iterations after which the learning
//                           rate is infinite for one step
//   FAKE_ABI     another ABI version
//   FAKE_FAULT   `kill:N` ends the process before the N-th operation that
//                changes files, `fail:N` makes that one fail with ENOSPC
//
//===----------------------------------------------------------------------===//

#include "FakeProgram.h"

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const std::string &description() {
  static const std::string text = [] {
    nlohmann::json json = dpl::rt::testing::fakeDescription();
    if (const char *patch = std::getenv("FAKE_PATCH"))
      json.merge_patch(nlohmann::json::parse(patch));
    return json.dump();
  }();
  return text;
}

static dpl_program program() {
  dpl_program result = dpl::rt::testing::fakeProgram(description());
  if (const char *version = std::getenv("FAKE_ABI"))
    result.abi_version = static_cast<uint32_t>(std::atoi(version));
  return result;
}

extern "C" const dpl_program dpl_main_program = program();

//===--- Faults: these stand before those of the C library ----------------===//

/// Whether this operation is to fail; may not return.
static bool faulty() {
  static const char *fault = std::getenv("FAKE_FAULT");
  static int left = fault ? std::atoi(fault + std::strlen("kill:")) : 0;
  if (left <= 0 || --left > 0)
    return false;
  if (std::strncmp(fault, "kill", 4) == 0)
    _exit(99);
  errno = ENOSPC;
  return true;
}

extern "C" {
int fsync(int fd) {
  return faulty() ? -1 : static_cast<int>(syscall(SYS_fsync, fd));
}
int rename(const char *from, const char *to) noexcept {
  return faulty() ? -1
                  : static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from,
                                             AT_FDCWD, to, 0));
}
int renameat2(int fromFolder, const char *from, int toFolder, const char *to,
              unsigned flags) noexcept {
  return faulty() ? -1
                  : static_cast<int>(syscall(SYS_renameat2, fromFolder, from,
                                             toFolder, to, flags));
}
int mkdir(const char *path, mode_t mode) noexcept {
  return faulty()
             ? -1
             : static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
ssize_t write(int fd, const void *data, size_t size) {
  if (fd > STDERR_FILENO && faulty())
    return -1;
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
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
}
