//===- Block.cpp - One `every` block of a training ------------------------===//

#include "runtime/Train/Block.h"

#include "runtime/Train/Trainer.h"

namespace dpl::rt {

static constexpr const char *timeKey = "elapsed_time";

/// What the block itself has seen since it ran last.
static Observation observe(Trainer &trainer, const Block &block) {
  Observation observation;
  const Progress &now = trainer.progress();
  observation.set("epoch", static_cast<double>(now.epoch()));
  observation.set("iteration", static_cast<double>(now.iteration));
  const auto &reports = trainer.session().trainProgram().reports;
  for (size_t i = 0; i < reports.size(); ++i)
    observation.set("main/" + reports[i].name, ratio(block.sums.values()[i]));
  observation.set(timeKey, trainer.elapsed());
  return observation;
}

static Status runExtensions(Trainer &trainer, Block &block,
                            Observation &observation, bool observing) {
  for (size_t i = 0; i < block.extensions.size(); ++i) {
    if (block.extensions[i]->observes() != observing)
      continue;
    observation.set(timeKey, trainer.elapsed());
    DPL_TRY(block.extensions[i]
                ->run(trainer, observation)
                .within("in `" + block.names[i] + "` after iteration " +
                        std::to_string(trainer.progress().iteration)));
  }
  return Status::success();
}

/// Tells the other blocks what a block observed beyond its own reports.
static void publish(std::vector<Block> &blocks, const Block &from,
                    const Observation &observation, size_t firstNew) {
  for (size_t i = firstNew; i < observation.entries().size(); ++i)
    for (Block &block : blocks)
      if (&block != &from)
        block.published.add(observation.entries()[i].first,
                            observation.entries()[i].second);
}

Status runBlocks(Trainer &trainer, std::vector<Block> &blocks,
                 const std::vector<Block *> &due) {
  std::vector<Observation> observations;
  for (Block *block : due) {
    Observation &observation =
        observations.emplace_back(observe(trainer, *block));
    size_t firstNew = observation.entries().size();
    DPL_TRY(runExtensions(trainer, *block, observation, /*observing=*/true));
    publish(blocks, *block, observation, firstNew);
  }
  for (size_t i = 0; i < due.size(); ++i) {
    Block &block = *due[i];
    for (const PublishedMeans::Entry &entry : block.published.entries())
      if (!observations[i].find(entry.key))
        observations[i].set(entry.key, entry.sum / entry.count);
    DPL_TRY(runExtensions(trainer, block, observations[i],
                          /*observing=*/false));
    block.sums.clear();
    block.published.clear();
    block.lastRun = trainer.progress().iteration;
  }
  return Status::success();
}

} // namespace dpl::rt
