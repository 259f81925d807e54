//===- Base/FilesTest.cpp -------------------------------------------------===//

#include "runtime/Base/Files.h"

#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace dpl::rt;
using namespace dpl::rt::testing;

static size_t entries(const std::string &folder) {
  const std::filesystem::directory_iterator begin(folder);
  return static_cast<size_t>(std::distance(begin, {}));
}

TEST(FilesTest, AtomicWriteReplacesAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  for (const std::string content : {"first", "", "a longer second one"}) {
    ASSERT_OK(writeFileAtomically(path, content, Exit::Runtime));
    auto read = readFile(path, Exit::Runtime);
    ASSERT_OK(read);
    EXPECT_EQ(*read, content);
    EXPECT_EQ(entries(folder.path()), 1u);
  }
}

TEST(FilesTest, FailedAtomicWriteNamesThePathAndKeepsTheCategory) {
  const TemporaryFolder folder;
  const std::string path = folder.file("no/log");
  expectFailure(writeFileAtomically(path, "x", Exit::SnapshotIO),
                Exit::SnapshotIO, {path, "No such file or directory"});
}

/// A disk that is full in the middle of a write: the old content stays. A
/// limit on the size of files in a process of its own plays the full disk.
TEST(FilesTest, AtomicWriteThatFailsInTheMiddleKeepsTheOldContent) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  ASSERT_OK(writeFileAtomically(path, "old", Exit::Runtime));
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status status =
        writeFileAtomically(path, std::string(5000, 'x'), Exit::SnapshotIO);
    ::_exit(status.exitCode());
  }
  int how = 0;
  ::waitpid(pid, &how, 0);
  EXPECT_EQ(WEXITSTATUS(how), static_cast<int>(Exit::SnapshotIO));
  EXPECT_EQ(*readFile(path, Exit::Runtime), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(FilesTest, NewFileRefusesAnExistingOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  const std::string content = "x";
  ASSERT_OK(
      writeNewFile(path, std::as_bytes(std::span(content)), Exit::Runtime));
  expectFailure(
      writeNewFile(path, std::as_bytes(std::span(content)), Exit::Runtime),
      Exit::Runtime, {path, "File exists"});
}

TEST(FilesTest, CreateFoldersMakesAllOfThemAndIsContentWithOldOnes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a/b/c");
  ASSERT_OK(createFolders(path, Exit::Runtime));
  ASSERT_OK(createFolders(path + "/", Exit::Runtime));
  EXPECT_TRUE(std::filesystem::is_directory(path));
  std::ofstream(folder.file("file")) << "x";
  expectFailure(createFolders(folder.file("file"), Exit::Runtime),
                Exit::Runtime, {"file", "File exists"});
  EXPECT_FALSE(createFolders(folder.file("file/a"), Exit::Runtime).ok());
}

TEST(FilesTest, RenameMovesBetweenFolders) {
  const TemporaryFolder folder;
  ASSERT_OK(createFolders(folder.file("a/x"), Exit::Runtime));
  ASSERT_OK(createFolders(folder.file("b"), Exit::Runtime));
  ASSERT_OK(
      renameDurably(folder.file("a/x"), folder.file("b/y"), Exit::Runtime));
  EXPECT_TRUE(fileExists(folder.file("b/y")));
  EXPECT_FALSE(fileExists(folder.file("a/x")));
  expectFailure(
      renameDurably(folder.file("gone"), folder.file("c"), Exit::SnapshotIO),
      Exit::SnapshotIO, {"gone", "No such file"});
}

TEST(FilesTest, ParentFolder) {
  EXPECT_EQ(parentFolder("a"), ".");
  EXPECT_EQ(parentFolder("a/"), ".");
  EXPECT_EQ(parentFolder("a/b"), "a");
  EXPECT_EQ(parentFolder("a//b//"), "a");
  EXPECT_EQ(parentFolder("/a"), "/");
  EXPECT_EQ(parentFolder("/"), "/");
  EXPECT_EQ(parentFolder(""), ".");
}

TEST(FilesTest, MappedFileHasTheBytesAndKeepsThemWhenMoved) {
  const TemporaryFolder folder;
  ASSERT_OK(writeFileAtomically(folder.file("a"), "abc", Exit::Runtime));
  ASSERT_OK(writeFileAtomically(folder.file("empty"), "", Exit::Runtime));
  auto file = MappedFile::open(folder.file("a"), Exit::Data);
  ASSERT_OK(file);
  const MappedFile moved = file.take();
  ASSERT_EQ(moved.bytes().size(), 3u);
  EXPECT_EQ(moved.bytes()[2], std::byte{'c'});
  auto empty = MappedFile::open(folder.file("empty"), Exit::Data);
  ASSERT_OK(empty);
  EXPECT_TRUE(empty->bytes().empty());
  expectFailure(MappedFile::open(folder.path(), Exit::Data).status(),
                Exit::Data, {folder.path(), "is not a file"});
  expectFailure(MappedFile::open(folder.file("no"), Exit::Data).status(),
                Exit::Data, {"no", "No such file"});
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  expectFailure(MappedFile::open(folder.file("pipe"), Exit::Data).status(),
                Exit::Data, {"pipe", "is not a file"});
}
