//===- Testing/TemporaryFolder.h - A folder for one test --------*- C++ -*-===//

#ifndef DPL_RUNTIME_TESTING_TEMPORARYFOLDER_H
#define DPL_RUNTIME_TESTING_TEMPORARYFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dpl::rt::testing {

/// A new empty folder that goes away with this object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "dpl-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      std::abort();
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;

  const std::string &path() const { return path_; }
  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

} // namespace dpl::rt::testing

#endif // DPL_RUNTIME_TESTING_TEMPORARYFOLDER_H
