//===- Base/Files.h - Files that are whole or absent ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_FILES_H
#define DPL_RUNTIME_BASE_FILES_H

#include "runtime/Base/Status.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dpl::rt {

/// What is being written has a name that begins so, and gets its own name when
/// it is complete. After a crash such names may stay.
inline constexpr std::string_view unfinishedPrefix = ".unfinished_";

/// Owns a file descriptor; -1 is none.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd(other.release()) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept;
  ~FileDescriptor() { reset(); }
  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }
  int release() { return std::exchange(fd, -1); }
  void reset();

private:
  int fd = -1;
};

/// A file's bytes, mapped read-only. An empty file has an empty span. Moving
/// keeps the addresses.
class MappedFile {
public:
  /// Fails with `category` when the file cannot be opened or mapped.
  static Result<MappedFile> open(const std::string &path, Exit category);
  MappedFile(MappedFile &&other) noexcept
      : data(std::exchange(other.data, nullptr)),
        size(std::exchange(other.size, 0)) {}
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();
  std::span<const std::byte> bytes() const { return {data, size}; }

private:
  MappedFile(const std::byte *data, size_t size) : data(data), size(size) {}
  const std::byte *data = nullptr;
  size_t size = 0;
};

/// The whole file as text; fails with `category`.
Result<std::string> readFile(const std::string &path, Exit category);

/// Writes a file so that a reader, or a crash at any moment, sees the old
/// content or the new one, never a part: a temporary file in the same folder,
/// fsync, rename over `path`, fsync of the folder. Fails with `category`;
/// then the temporary file is gone and `path` is as before.
Status writeFileAtomically(const std::string &path,
                           std::span<const std::byte> content, Exit category);
Status writeFileAtomically(const std::string &path, std::string_view content,
                           Exit category);

/// Creates `path`, writes `content` and fsyncs it; fails when `path` exists.
/// For the files of a folder that is renamed as a whole.
Status writeNewFile(const std::string &path, std::span<const std::byte> content,
                    Exit category);

/// fsync of a folder: makes the names in it durable.
Status syncFolder(const std::string &path, Exit category);
/// rename(2), then fsync of the folder that holds `to` (and of the one that
/// holds `from` when that is another one).
Status renameDurably(const std::string &from, const std::string &to,
                     Exit category);
/// mkdir -p; each created folder is made durable in its parent.
Status createFolders(const std::string &path, Exit category);
/// The folder that holds `path`: `.` for a bare name.
std::string parentFolder(const std::string &path);
bool fileExists(const std::string &path);

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_FILES_H
