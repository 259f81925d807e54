//===- StepTables.h - A step program made flat ------------------*- C++ -*-===//
//
// What the executor's inner loop reads: pointers and strides instead of names,
// spaces and indices. Made once at the start.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_STEPTABLES_H
#define DPL_RUNTIME_PROGRAM_STEPTABLES_H

#include "runtime/Base/Random.h"
#include "runtime/Program/Description.h"
#include "runtime/Program/Executor.h"
#include "runtime/Program/TensorSet.h"

#include "dpl/abi.h"

#include <cstdint>
#include <vector>

namespace dpl::rt {

/// Where the regions of one program lie in the workspace.
struct Regions {
  int64_t bytes = 0; ///< of the workspace that this program needs
  int64_t uniformAt = 0;
  std::vector<int64_t> savedAt;
  int64_t sumsAt = 0;
  int64_t sumsStride = 0; ///< between copies; 0 without sums
  int64_t reducedAt = 0;
  int64_t batchAt = 0;
  int64_t samplesAt = 0;
  int64_t randomAt = 0;
  int64_t reportAt = 0;
  int64_t arenaAt = 0;
  int64_t arenaStride = 0;
  RegionSizes sizes;

  char *workspace = nullptr;
  char *sums = nullptr;
  float *batch = nullptr;
  int64_t *samples = nullptr;
  RandomKey *random = nullptr;
  float *report = nullptr;

  static Regions plan(const desc::ProgramSpec &spec, int workers,
                      bool deterministic);
  /// Sets the pointers.
  void place(char *workspace);
};

/// A buffer of a task: base + tile * number + block * number + ..
struct Slot {
  char *base = nullptr; ///< of an input: set for each step
  int64_t tile = 0;
  int64_t block = 0;
  int64_t chunk = 0;
  int64_t worker = 0;
};

struct InputSlot {
  uint32_t slot;
  uint32_t field; ///< of the iterator
  int64_t offset;
};

struct FlatTask {
  dpl_kernel kernel = nullptr;
  uint32_t firstSlot = 0;
  uint32_t slotCount = 0;
  int64_t count = 1; ///< blocks
};

/// Tasks that are spread over the workers together (see Executor.h).
struct Part {
  desc::Domain domain = desc::Domain::Once;
  uint32_t firstTask = 0;
  uint32_t endTask = 0;
  int onceNumber = 0; ///< among the parts of domain once in its phase
};

struct FlatPhase {
  uint32_t firstPart = 0;
  uint32_t endPart = 0;
};

struct StepTables {
  int64_t tile = 1;
  Regions regions;
  std::vector<Slot> slots;
  std::vector<InputSlot> inputSlots;
  std::vector<FlatTask> tasks;
  std::vector<Part> parts;
  std::vector<FlatPhase> phases;
  std::vector<desc::ReportSpec> reports;
  std::vector<std::string> random; ///< call paths
  /// The first phase reads sums outside of a chunk, so that zeroing them has
  /// to be over before it.
  bool zeroBeforePhases = false;
};

/// What all programs of a replica share.
struct SharedBases {
  TensorSet *parameters;
  TensorSet *states;
  char *settings;
};

StepTables flatten(const dpl_program &program, const desc::ProgramSpec &spec,
                   const Regions &regions, const SharedBases &shared);

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_STEPTABLES_H
