//===- Data/DataPaths.h - Where data sets lie -------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_DATAPATHS_H
#define DPL_RUNTIME_DATA_DATAPATHS_H

#include "runtime/Base/Status.h"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace dpl::rt {

/// Turns the path that a source file gives for a data set into the one that is
/// opened. `--data NAME=PATH` replaces the path of the data set NAME, `--data
/// PATH` that of every other one, both taken as they are. A path of the source
/// file that is relative starts at the data root ($DPL_DATA) when there is
/// one, otherwise at the current folder.
class DataPaths {
public:
  DataPaths() = default;
  explicit DataPaths(std::string root) : root(std::move(root)) {}

  /// One value of `--data`. Text before the first `=` is a name when it is one
  /// of `datasets`; a name that looks like one but is unknown is Exit::Usage.
  Status addFlag(const std::string &value,
                 std::span<const std::string> datasets);
  std::string resolve(const std::string &dataset,
                      const std::string &path) const;

private:
  std::string root;
  std::optional<std::string> all;
  std::map<std::string, std::string> named;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_DATAPATHS_H
