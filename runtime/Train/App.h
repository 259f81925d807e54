//===- App.h - A trainer from argv to exit code -----------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_APP_H
#define DPL_RUNTIME_TRAIN_APP_H

#include "dpl/abi.h"

namespace dpl::rt {

/// Does what the command line asks `program` for, and returns the exit code
/// (runtime/Base/Status.h). An error is one message on stderr.
int runTrainer(int argc, const char *const *argv, const dpl_program &program);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_APP_H
