//===- Base/Files.cpp - Files that are whole or absent --------------------===//

#include "runtime/Base/Files.h"

#include "runtime/Base/Text.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dpl::rt;

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
  if (this != &other) {
    reset();
    fd = other.release();
  }
  return *this;
}

void FileDescriptor::reset() {
  if (fd >= 0)
    ::close(std::exchange(fd, -1));
}

static Status failed(Exit category, std::string_view what,
                     const std::string &path, int errnum) {
  return Status::systemError(category, concat("cannot ", what, " `", path, "`"),
                             errnum);
}

static int openRetrying(const std::string &path, int flags, mode_t mode = 0) {
  int fd;
  do
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

static bool syncRetrying(int fd) {
  int result;
  do
    result = ::fsync(fd);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

/// Opens for reading and gets the size; only regular files have one. A pipe
/// without a writer would block the opening.
static Result<FileDescriptor> openToRead(const std::string &path, Exit category,
                                         size_t &size) {
  FileDescriptor file(openRetrying(path, O_RDONLY | O_NONBLOCK));
  if (!file)
    return failed(category, "open", path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0)
    return failed(category, "examine", path, errno);
  if (!S_ISREG(info.st_mode))
    return Status::error(category, concat("`", path, "` is not a file"));
  size = static_cast<size_t>(info.st_size);
  return file;
}

Result<MappedFile> MappedFile::open(const std::string &path, Exit category) {
  size_t size = 0;
  DPL_LET(const FileDescriptor file, openToRead(path, category, size));
  if (size == 0)
    return MappedFile(nullptr, 0);
  void *mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapping == MAP_FAILED)
    return failed(category, "map", path, errno);
  ::madvise(mapping, size, MADV_WILLNEED);
  return MappedFile(static_cast<const std::byte *>(mapping), size);
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(data, other.data);
  std::swap(size, other.size);
  return *this;
}

MappedFile::~MappedFile() {
  if (data)
    ::munmap(const_cast<std::byte *>(data), size);
}

Result<std::string> dpl::rt::readFile(const std::string &path, Exit category) {
  size_t size = 0;
  DPL_LET(const FileDescriptor file, openToRead(path, category, size));
  std::string content(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(file.get(), content.data() + done, size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return failed(category, "read", path, errno);
    if (n == 0)
      break;
    done += static_cast<size_t>(n);
  }
  content.resize(done);
  return content;
}

static Status writeAll(int fd, std::span<const std::byte> content,
                       const std::string &path, Exit category) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return failed(category, "write", path, errno);
    content = content.subspan(static_cast<size_t>(n));
  }
  return Status::success();
}

Status dpl::rt::writeNewFile(const std::string &path,
                             std::span<const std::byte> content,
                             Exit category) {
  FileDescriptor file(openRetrying(path, O_WRONLY | O_CREAT | O_EXCL, 0666));
  if (!file)
    return failed(category, "create", path, errno);
  DPL_TRY(writeAll(file.get(), content, path, category));
  if (!syncRetrying(file.get()))
    return failed(category, "sync", path, errno);
  // Some file systems report a failed write only here.
  if (::close(file.release()) != 0 && errno != EINTR)
    return failed(category, "close", path, errno);
  return Status::success();
}

Status dpl::rt::writeFileAtomically(const std::string &path,
                                    std::span<const std::byte> content,
                                    Exit category) {
  static std::atomic<unsigned> number = 0;
  const std::string folder = parentFolder(path);
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const std::string temporary = concat(folder, "/", unfinishedPrefix, name, "-",
                                       ::getpid(), "-", number++);
  Status status = writeNewFile(temporary, content, category);
  if (status.ok())
    status = renameDurably(temporary, path, category);
  if (!status.ok())
    ::unlink(temporary.c_str());
  return std::move(status).within(concat("cannot write `", path, "`"));
}

Status dpl::rt::writeFileAtomically(const std::string &path,
                                    std::string_view content, Exit category) {
  return writeFileAtomically(path, std::as_bytes(std::span(content)), category);
}

Status dpl::rt::syncFolder(const std::string &path, Exit category) {
  const FileDescriptor folder(openRetrying(path, O_RDONLY | O_DIRECTORY));
  if (!folder)
    return failed(category, "open the folder", path, errno);
  // File systems that cannot sync a folder say EINVAL; there is nothing more
  // to do then.
  if (!syncRetrying(folder.get()) && errno != EINVAL)
    return failed(category, "sync the folder", path, errno);
  return Status::success();
}

Status dpl::rt::renameDurably(const std::string &from, const std::string &to,
                              Exit category) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    return failed(category, concat("rename `", from, "` to"), to, errno);
  DPL_TRY(syncFolder(parentFolder(to), category));
  if (parentFolder(from) != parentFolder(to))
    return syncFolder(parentFolder(from), category);
  return Status::success();
}

Status dpl::rt::createFolders(const std::string &path, Exit category) {
  if (::mkdir(path.c_str(), 0777) == 0)
    return syncFolder(parentFolder(path), category);
  const int errnum = errno;
  struct stat info = {};
  if (errnum == EEXIST && ::stat(path.c_str(), &info) == 0 &&
      S_ISDIR(info.st_mode))
    return Status::success();
  const std::string parent = parentFolder(path);
  if (errnum != ENOENT || parent == path)
    return failed(category, "create the folder", path, errnum);
  DPL_TRY(createFolders(parent, category));
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
    return failed(category, "create the folder", path, errno);
  return syncFolder(parent, category);
}

std::string dpl::rt::parentFolder(const std::string &path) {
  const size_t end = path.find_last_not_of('/');
  if (end == std::string::npos)
    return path.empty() ? "." : "/";
  const size_t slash = path.rfind('/', end);
  if (slash == std::string::npos)
    return ".";
  const size_t last = path.find_last_not_of('/', slash);
  return last == std::string::npos ? "/" : path.substr(0, last + 1);
}

bool dpl::rt::fileExists(const std::string &path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0;
}
