//===- RunFolder.h - The folder that a run writes into ----------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_RUNFOLDER_H
#define DPL_RUNTIME_TRAIN_RUNFOLDER_H

#include "runtime/Base/Files.h"

#include <string>

namespace dpl::rt {

/// Holds the folder for this process alone, by a lock of the system on the file
/// `.lock` in it, which ends with the process however it ends. Processes that
/// are forked from this one do not inherit it.
class RunFolder {
public:
  explicit RunFolder(std::string path) : path(std::move(path)) {}

  /// Locks the folder if it is there. A folder that another process holds is
  /// Exit::Usage, with the number of that process.
  Status lockIfThere();
  /// Makes the folder if it is not there, locks it, and removes what writes
  /// that a crash cut short left behind. A folder that cannot be written is
  /// Exit::Runtime.
  Status open();

private:
  Status lock();
  std::string path;
  FileDescriptor file;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_RUNFOLDER_H
