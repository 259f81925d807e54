//===- InputFile.h - a fuzzer's input as a file -----------------*- C++ -*-===//

#ifndef DPL_TEST_FUZZ_INPUTFILE_H
#define DPL_TEST_FUZZ_INPUTFILE_H

#include "test/fuzz/Fuzzer.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace dpl::test {

/// Writes an input under a name in memory's file system, and removes it.
class InputFile {
public:
  InputFile(std::string path, const uint8_t *data, size_t size)
      : path(std::move(path)) {
    int fd = ::open(this->path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    DPL_PROMISE(fd >= 0);
    DPL_PROMISE(::write(fd, data, size) == static_cast<ssize_t>(size));
    ::close(fd);
  }
  InputFile(const InputFile &) = delete;
  ~InputFile() { ::unlink(path.c_str()); }

private:
  std::string path;
};

/// A folder of this process for such files, made once.
inline const std::string &inputFolder() {
  static const std::string folder = [] {
    std::string name = "/dev/shm/dpl-fuzz-XXXXXX";
    DPL_PROMISE(::mkdtemp(name.data()));
    std::atexit([] { ::rmdir(inputFolder().c_str()); });
    return name;
  }();
  return folder;
}

} // namespace dpl::test

#endif // DPL_TEST_FUZZ_INPUTFILE_H
