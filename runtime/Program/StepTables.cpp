//===- StepTables.cpp - A step program made flat --------------------------===//

#include "runtime/Program/StepTables.h"

#include <algorithm>

namespace dpl::rt {

using desc::BufferSpec;
using desc::Domain;
using desc::Space;

Regions Regions::plan(const desc::ProgramSpec &spec, int workers,
                      bool deterministic) {
  Regions regions;
  int64_t tiles = spec.paddedCapacity() / spec.tile;
  auto take = [&](int64_t bytes) {
    int64_t at = regions.bytes;
    regions.bytes += roundUp(bytes, DPL_ALIGNMENT);
    return at;
  };
  regions.batchAt = take(sizeof(float));
  if (!spec.random.empty())
    regions.samplesAt =
        take(spec.paddedCapacity() * static_cast<int64_t>(sizeof(int64_t)));
  regions.randomAt =
      take(static_cast<int64_t>(spec.random.size() * sizeof(RandomKey)));
  int64_t places = 0;
  for (const desc::ReportSpec &report : spec.reports)
    places = std::max<int64_t>({places, report.sum + 1, report.count + 1});
  regions.reportAt = take(places * static_cast<int64_t>(sizeof(float)));
  regions.uniformAt = take(spec.uniform);
  for (int64_t perSample : spec.saved) {
    regions.savedAt.push_back(take(perSample * spec.paddedCapacity()));
    regions.sizes.saved += perSample * spec.paddedCapacity();
  }
  regions.sumsStride = roundUp(spec.sums, DPL_ALIGNMENT);
  int64_t copies = chunkCount(tiles, workers, deterministic);
  regions.sumsAt = take(copies * regions.sumsStride);
  regions.reducedAt = take(spec.reduced);
  regions.arenaStride = roundUp(spec.arena, DPL_ALIGNMENT);
  regions.arenaAt = take(workers * regions.arenaStride);
  regions.sizes.uniform = spec.uniform;
  regions.sizes.sums = copies * regions.sumsStride;
  regions.sizes.reduced = spec.reduced;
  regions.sizes.arena = workers * regions.arenaStride;
  return regions;
}

void Regions::place(char *start) {
  workspace = start;
  sums = start + sumsAt;
  batch = reinterpret_cast<float *>(start + batchAt);
  samples = reinterpret_cast<int64_t *>(start + samplesAt);
  random = reinterpret_cast<RandomKey *>(start + randomAt);
  report = reinterpret_cast<float *>(start + reportAt);
}

/// The slot of a buffer; an input's base is left open.
static Slot makeSlot(const BufferSpec &buffer, Domain domain,
                     const Regions &regions, const SharedBases &shared) {
  Slot slot;
  slot.tile = buffer.tile;
  slot.block = buffer.block;
  auto tensor = [&](TensorSet &set) {
    return reinterpret_cast<char *>(set[buffer.index].data.data());
  };
  switch (buffer.space) {
  case Space::Parameter:
    slot.base = tensor(*shared.parameters);
    break;
  case Space::State:
    slot.base = tensor(*shared.states);
    break;
  case Space::Input:
    return slot;
  case Space::Saved:
    slot.base = regions.workspace + regions.savedAt[buffer.index];
    break;
  case Space::Uniform:
    slot.base = regions.workspace + regions.uniformAt;
    break;
  case Space::Sums:
    slot.base = regions.sums;
    slot.chunk = domain == Domain::Tiles ? regions.sumsStride : 0;
    break;
  case Space::Reduced:
    slot.base = regions.workspace + regions.reducedAt;
    break;
  case Space::Settings:
    slot.base = shared.settings;
    break;
  case Space::Batch:
    slot.base = reinterpret_cast<char *>(regions.batch);
    break;
  case Space::Samples:
    slot.base = reinterpret_cast<char *>(regions.samples);
    break;
  case Space::Random:
    slot.base = reinterpret_cast<char *>(regions.random);
    break;
  case Space::Report:
    slot.base = reinterpret_cast<char *>(regions.report);
    break;
  case Space::Arena:
    slot.base = regions.workspace + regions.arenaAt;
    slot.worker = regions.arenaStride;
    break;
  }
  slot.base += buffer.offset;
  return slot;
}

static void addTask(const dpl_program &program, const desc::ProgramSpec &spec,
                    const desc::TaskSpec &task, const SharedBases &shared,
                    StepTables &tables) {
  FlatTask flat;
  flat.kernel = program.kernels[task.kernel];
  flat.firstSlot = static_cast<uint32_t>(tables.slots.size());
  flat.slotCount = static_cast<uint32_t>(task.buffers.size());
  flat.count = task.count;
  for (const BufferSpec &buffer : task.buffers) {
    if (buffer.space == Space::Input)
      tables.inputSlots.push_back({static_cast<uint32_t>(tables.slots.size()),
                                   spec.inputFields[buffer.index],
                                   buffer.offset});
    tables.slots.push_back(
        makeSlot(buffer, task.domain, tables.regions, shared));
  }
  tables.tasks.push_back(flat);
}

static void addPhase(const dpl_program &program, const desc::ProgramSpec &spec,
                     const desc::PhaseSpec &phase, const SharedBases &shared,
                     StepTables &tables) {
  auto firstPart = static_cast<uint32_t>(tables.parts.size());
  int onceNumber = 0;
  for (size_t t = 0; t < phase.tasks.size(); ++t) {
    Domain domain = phase.tasks[t].domain;
    auto number = static_cast<uint32_t>(tables.tasks.size());
    bool joins = domain == Domain::Tiles && t > 0 &&
                 phase.tasks[t - 1].domain == Domain::Tiles;
    if (!joins)
      tables.parts.push_back(
          {domain, number, number, domain == Domain::Once ? onceNumber++ : 0});
    addTask(program, spec, phase.tasks[t], shared, tables);
    tables.parts.back().endTask = number + 1;
  }
  tables.phases.push_back(
      {firstPart, static_cast<uint32_t>(tables.parts.size())});
}

StepTables flatten(const dpl_program &program, const desc::ProgramSpec &spec,
                   const Regions &regions, const SharedBases &shared) {
  StepTables tables;
  tables.tile = spec.tile;
  tables.regions = regions;
  tables.reports = spec.reports;
  tables.random = spec.random;
  for (const desc::PhaseSpec &phase : spec.phases)
    addPhase(program, spec, phase, shared, tables);
  if (!spec.phases.empty())
    for (const desc::TaskSpec &task : spec.phases.front().tasks)
      for (const BufferSpec &buffer : task.buffers)
        tables.zeroBeforePhases |=
            task.domain != Domain::Tiles && buffer.space == Space::Sums;
  return tables;
}

} // namespace dpl::rt
