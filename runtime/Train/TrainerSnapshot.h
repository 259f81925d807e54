//===- TrainerSnapshot.h - From a trainer to files and back -----*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_TRAINERSNAPSHOT_H
#define DPL_RUNTIME_TRAIN_TRAINERSNAPSHOT_H

#include "runtime/Train/Trainer.h"
#include "runtime/Train/TrainerState.h"

#include <vector>

namespace dpl::rt {

/// The files of a snapshot of this moment.
std::vector<SnapshotFile> snapshotFiles(Session &session,
                                        const std::vector<Block> &blocks,
                                        const TrainerPosition &position);

/// Puts weights, states, sums and the state of extensions back. Errors are
/// Exit::SnapshotIO, and Exit::Usage where the blocks of the program changed.
Status restoreTrainer(const SnapshotContent &snapshot, Session &session,
                      std::vector<Block> &blocks, Trainer &trainer,
                      TrainerPosition &position);

/// The weights file that `path` names: itself, or that of the snapshot that it
/// is, which is checked. Errors are Exit::SnapshotIO.
Result<std::string> findWeights(const std::string &path);

/// Loads parameters, and states of the model, from a weights file; names and
/// shapes have to be those of the program.
Status loadWeights(const std::string &path, Session &session, Exit category);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_TRAINERSNAPSHOT_H
