//===- Executor.cpp - Runs the step programs of one replica ---------------===//

#include "runtime/Program/Executor.h"

#include "runtime/Program/StepTables.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace dpl::rt {

int64_t chunkCount(int64_t tiles, int64_t threads, bool deterministic) {
  return deterministic ? tiles : std::min(tiles, threads);
}

int64_t firstTileOfChunk(int64_t chunk, int64_t chunks, int64_t tiles) {
  return (chunk * tiles + chunks - 1) / chunks;
}

/// What every worker needs to know of the step that runs.
namespace {
struct Step {
  int64_t samples = 0;
  int64_t tiles = 0;
  int64_t chunks = 0;
};
} // namespace

/// Fills the spaces that random numbers count with; places behind the true
/// samples hold the number of the last one, as their fields are copies of it.
static void placeCounters(const StepTables &table, const StepBatch &batch) {
  for (size_t i = 0; i < table.random.size(); ++i)
    table.regions.random[i] = stepKey(
        batch.seed, static_cast<uint64_t>(batch.epoch), "", table.random[i]);
  auto places = static_cast<size_t>((batch.samples + table.tile - 1) /
                                    table.tile * table.tile);
  for (size_t i = 0; i < places; ++i)
    table.regions.samples[i] =
        batch.numbers[std::min(i, static_cast<size_t>(batch.samples) - 1)];
}

struct Executor::Impl {
  const dpl_program &program;
  const Description &description;
  Device &device;
  ExecutorOptions options;
  TensorSet parameters, states;
  AlignedMemory workspace;
  AlignedMemory settings;
  AlignedMemory optionValues;
  std::vector<StepTables> tables;
  std::vector<std::vector<void *>> pointers; ///< of each worker
  std::vector<ReportValue> reports;

  void zeroSums(const StepTables &table, const Step &step, int worker);
  void call(const StepTables &table, const FlatTask &task, int64_t tile,
            int64_t chunk, int64_t block, const Step &step, int worker);
  void runTiles(const StepTables &table, const Part &part, const Step &step,
                int worker);
  void runPart(const StepTables &table, const Part &part, const Step &step,
               int worker);
};

void Executor::Impl::zeroSums(const StepTables &table, const Step &step,
                              int worker) {
  TaskRange chunks = taskRange(step.chunks, worker, device.workers());
  std::memset(table.regions.sums + chunks.begin * table.regions.sumsStride, 0,
              static_cast<size_t>((chunks.end - chunks.begin) *
                                  table.regions.sumsStride));
}

void Executor::Impl::call(const StepTables &table, const FlatTask &task,
                          int64_t tile, int64_t chunk, int64_t block,
                          const Step &step, int worker) {
  void **buffers = pointers[static_cast<size_t>(worker)].data();
  const Slot *slots = table.slots.data() + task.firstSlot;
  for (uint32_t i = 0; i < task.slotCount; ++i)
    buffers[i] = slots[i].base + tile * slots[i].tile + block * slots[i].block +
                 chunk * slots[i].chunk + worker * slots[i].worker;
  int64_t sizes[DPL_SIZE_COUNT];
  sizes[DPL_SIZE_VALID] =
      std::min(table.tile, step.samples - tile * table.tile);
  sizes[DPL_SIZE_SAMPLES] = step.samples;
  sizes[DPL_SIZE_TILES] = step.tiles;
  sizes[DPL_SIZE_CHUNKS] = step.chunks;
  sizes[DPL_SIZE_BLOCK] = block;
  task.kernel(buffers, sizes);
}

void Executor::Impl::runTiles(const StepTables &table, const Part &part,
                              const Step &step, int worker) {
  TaskRange chunks = taskRange(step.chunks, worker, device.workers());
  for (int64_t chunk = chunks.begin; chunk < chunks.end; ++chunk) {
    int64_t end = firstTileOfChunk(chunk + 1, step.chunks, step.tiles);
    for (int64_t tile = firstTileOfChunk(chunk, step.chunks, step.tiles);
         tile < end; ++tile)
      for (uint32_t t = part.firstTask; t < part.endTask; ++t)
        call(table, table.tasks[t], tile, chunk, 0, step, worker);
  }
}

void Executor::Impl::runPart(const StepTables &table, const Part &part,
                             const Step &step, int worker) {
  const FlatTask &task = table.tasks[part.firstTask];
  switch (part.domain) {
  case desc::Domain::Tiles:
    return runTiles(table, part, step, worker);
  case desc::Domain::Once:
    if (part.onceNumber % device.workers() == worker)
      call(table, task, 0, 0, 0, step, worker);
    return;
  case desc::Domain::Blocks: {
    TaskRange blocks = taskRange(task.count, worker, device.workers());
    for (int64_t block = blocks.begin; block < blocks.end; ++block)
      call(table, task, 0, 0, block, step, worker);
    return;
  }
  }
}

Executor::Executor(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executor::~Executor() = default;

TensorSet &Executor::parameters() { return impl->parameters; }
TensorSet &Executor::states() { return impl->states; }

Result<std::unique_ptr<Executor>>
Executor::create(const dpl_program &program, const Description &description,
                 std::span<const std::string> programs, Device &device,
                 const ExecutorOptions &options) {
  auto impl = std::unique_ptr<Impl>(new Impl{
      program, description, device, options, {}, {}, {}, {}, {}, {}, {}, {}});
  DPL_LET(impl->parameters, makeParameters(description, device));
  DPL_LET(impl->states, makeStates(description, device));
  DPL_LET(impl->settings,
          device.allocate(sizeof(float) * description.settings.entries.size()));
  DPL_LET(impl->optionValues,
          device.allocate(sizeof(double) * description.options.size()));

  int64_t bytes = 0;
  std::vector<const desc::ProgramSpec *> specs;
  for (const std::string &name : programs) {
    specs.push_back(description.findProgram(name));
    bytes = std::max(bytes, Regions::plan(*specs.back(), device.workers(),
                                          options.deterministic)
                                .bytes);
  }
  DPL_LET(impl->workspace, device.allocate(static_cast<size_t>(bytes)));

  SharedBases shared{&impl->parameters, &impl->states,
                     impl->settings.as<char>()};
  size_t mostSlots = 0, mostReports = 0;
  for (const desc::ProgramSpec *spec : specs) {
    Regions regions =
        Regions::plan(*spec, device.workers(), options.deterministic);
    regions.place(impl->workspace.as<char>());
    impl->tables.push_back(flatten(program, *spec, regions, shared));
    for (const FlatTask &task : impl->tables.back().tasks)
      mostSlots = std::max<size_t>(mostSlots, task.slotCount);
    mostReports = std::max(mostReports, spec->reports.size());
  }
  impl->pointers.assign(static_cast<size_t>(device.workers()),
                        std::vector<void *>(mostSlots));
  impl->reports.resize(mostReports);
  return std::unique_ptr<Executor>(new Executor(std::move(impl)));
}

void Executor::computeSettings(std::span<const double> options,
                               const TrainingTime &time) {
  const desc::SettingsSpec &spec = impl->description.settings;
  if (!spec.kernel)
    return;
  alignas(DPL_ALIGNMENT) TrainingTime aligned = time;
  std::copy(options.begin(), options.end(), impl->optionValues.as<double>());
  void *buffers[] = {impl->optionValues.data(), impl->settings.data(),
                     &aligned};
  int64_t sizes[DPL_SIZE_COUNT] = {};
  impl->program.kernels[*spec.kernel](buffers, sizes);
}

void Executor::setSettings(std::span<const float> values) {
  std::copy(values.begin(), values.end(), impl->settings.as<float>());
}

bool Executor::parametersAreFinite() const {
  std::span<const float> all = impl->parameters.all();
  std::atomic<bool> finite = true;
  impl->device.run([&](int worker) {
    TaskRange part = taskRange(static_cast<int64_t>(all.size()), worker,
                               impl->device.workers());
    if (!allFinite(all.subspan(static_cast<size_t>(part.begin),
                               static_cast<size_t>(part.end - part.begin))))
      finite.store(false, std::memory_order_relaxed);
  });
  return finite;
}

std::span<const float> Executor::settings() const {
  return {impl->settings.as<float>(),
          impl->description.settings.entries.size()};
}

std::span<const ReportValue> Executor::run(size_t index,
                                           const StepBatch &batch) {
  StepTables &table = impl->tables[index];
  for (const InputSlot &input : table.inputSlots)
    table.slots[input.slot].base =
        reinterpret_cast<char *>(batch.fields[input.field]) + input.offset;
  *table.regions.batch = static_cast<float>(batch.globalSamples);

  if (!table.random.empty())
    placeCounters(table, batch);

  Step step;
  step.samples = batch.samples;
  step.tiles = (batch.samples + table.tile - 1) / table.tile;
  step.chunks = chunkCount(step.tiles, impl->device.workers(),
                           impl->options.deterministic);
  bool zeroed = table.regions.sumsStride == 0;
  if (!zeroed && table.zeroBeforePhases) {
    impl->device.run([&](int worker) { impl->zeroSums(table, step, worker); });
    zeroed = true;
  }
  for (const FlatPhase &phase : table.phases) {
    impl->device.run([&](int worker) {
      if (!zeroed)
        impl->zeroSums(table, step, worker);
      for (uint32_t p = phase.firstPart; p < phase.endPart; ++p)
        impl->runPart(table, table.parts[p], step, worker);
    });
    zeroed = true;
  }

  for (size_t i = 0; i < table.reports.size(); ++i)
    impl->reports[i] = {table.regions.report[table.reports[i].sum],
                        table.regions.report[table.reports[i].count]};
  return {impl->reports.data(), table.reports.size()};
}

bool Executor::drawsRandom(size_t index) const {
  return !impl->tables[index].random.empty();
}

RegionSizes Executor::sizes(size_t index) const {
  return impl->tables[index].regions.sizes;
}

int64_t Executor::totalBytes() const {
  return impl->parameters.byteCount() + impl->states.byteCount() +
         static_cast<int64_t>(impl->workspace.size());
}

} // namespace dpl::rt
