//===- Block.h - One `every` block of a training ----------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_BLOCK_H
#define DPL_RUNTIME_TRAIN_BLOCK_H

#include "runtime/Train/Extension.h"
#include "runtime/Train/Observation.h"
#include "runtime/Train/Trigger.h"

#include <memory>
#include <string>
#include <vector>

namespace dpl::rt {

struct Block {
  Trigger trigger;
  std::vector<std::string> names; ///< of the extensions
  std::vector<std::unique_ptr<Extension>> extensions;
  ReportSums sums;          ///< since it ran last
  PublishedMeans published; ///< by other blocks since it ran last
  int64_t lastRun = 0;      ///< the iteration after which it ran last
};

/// Runs those of `blocks` that `due` points to, after the present iteration of
/// `trainer`: first the extensions that observe, of all of them, then the
/// others, so that the rows of one iteration know of all that was observed in
/// it, whatever the order of blocks in the file.
Status runBlocks(Trainer &trainer, std::vector<Block> &blocks,
                 const std::vector<Block *> &due);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_BLOCK_H
