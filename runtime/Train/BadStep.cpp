//===- BadStep.cpp - What went wrong in a step ----------------------------===//

#include "runtime/Train/BadStep.h"

#include "runtime/Base/Text.h"
#include "runtime/Train/Observation.h"
#include "runtime/Train/StepHistory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dpl::rt {
namespace {

bool isLoss(const std::string &name) {
  return name == "loss" || name.ends_with("/loss");
}

/// The first loss that is not finite, or null.
const desc::ReportSpec *findBadLoss(const desc::ProgramSpec &program,
                                    std::span<const ReportValue> reports) {
  for (size_t i = 0; i < program.reports.size(); ++i)
    if (isLoss(program.reports[i].name) && !std::isfinite(ratio(reports[i])))
      return &program.reports[i];
  return nullptr;
}

/// Steps that are only tried: weights are put back after each.
class Trial {
public:
  Trial(Session &session, const Batch &batch) : session(session), batch(batch) {
    before.take(session.executor());
  }

  /// Whether the loss is bad when the parameters of these layers are zero.
  bool lossIsBadWithout(std::span<const desc::LayerSpec *const> layers) {
    for (const desc::LayerSpec *layer : layers)
      for (const Tensor &tensor : session.executor().parameters())
        if (session.description.findLayerOf(tensor.name) == layer)
          std::fill(tensor.data.begin(), tensor.data.end(), 0.0f);
    auto reports = session.step(Session::trainProgramIndex, batch);
    bool bad = findBadLoss(session.trainProgram(), reports) != nullptr;
    before.putBack(session.executor());
    return bad;
  }

  /// Whether the sample at `place` of the batch alone makes a bad step.
  Result<bool> isBadAlone(int64_t place) {
    const RecordType &types =
        session.iterator(session.description.train.data)->fields();
    const int64_t tile = session.trainProgram().tile;
    std::vector<AlignedMemory> memory;
    std::vector<std::byte *> fields;
    for (size_t f = 0; f < batch.fieldCount(); ++f) {
      size_t bytes = types[f].bytes();
      DPL_LET(AlignedMemory copies,
              AlignedMemory::allocate(bytes * static_cast<size_t>(tile)));
      for (int64_t i = 0; i < tile; ++i)
        std::memcpy(copies.data() + static_cast<size_t>(i) * bytes,
                    batch.field(f) + static_cast<size_t>(place) * bytes, bytes);
      fields.push_back(copies.data());
      memory.push_back(std::move(copies));
    }
    StepBatch alone = session.stepBatch(Session::trainProgramIndex, batch);
    alone.fields = fields;
    alone.samples = alone.globalSamples = 1;
    if (!alone.numbers.empty())
      alone.numbers = alone.numbers.subspan(static_cast<size_t>(place), 1);
    auto reports = session.executor().run(Session::trainProgramIndex, alone);
    bool bad = !findNonFinite(session, reports).empty();
    before.putBack(session.executor());
    return bad;
  }

private:
  Session &session;
  const Batch &batch;
  WeightsCopy before;
};

/// Where the first value that is not finite comes from. A layer without
/// parameters cannot be told from the one before it.
std::string explainLayer(Session &session, Trial &trial) {
  std::vector<const desc::LayerSpec *> layers;
  for (const desc::ModelSpec &model : session.description.models)
    for (const desc::LayerSpec &layer : model.layers)
      if (!layer.parameters.empty())
        layers.push_back(&layer);
  if (!trial.lossIsBadWithout({}))
    return "";
  size_t good = 0;
  while (good < layers.size() &&
         !trial.lossIsBadWithout(std::span(layers).subspan(good)))
    ++good;
  if (good == 0)
    return "; it is so with all parameters zero, too: look at the data, and at "
           "logarithms, roots and quotients in layers and loss";
  std::string text = "; the first value that is not finite comes from " +
                     layers[good - 1]->text() + " or from behind it";
  return good == layers.size() ? text
                               : text + ", before " + layers[good]->text();
}

std::string explainSamples(const Iterator &iterator, const Batch &batch,
                           Trial &trial) {
  constexpr size_t shown = 4;
  EpochPlan plan = iterator.plan(batch.epoch());
  std::string list;
  size_t count = 0;
  for (int64_t place = 0; place < batch.samples(); ++place) {
    Result<bool> bad = trial.isBadAlone(place);
    if (!bad.ok() || !*bad)
      continue;
    if (++count <= shown)
      list += (count > 1 ? ", " : "") +
              std::to_string(plan.sample(batch.position().batch, place));
  }
  if (count == 0)
    return "";
  if (static_cast<int64_t>(count) == batch.samples())
    return "; it happens with every sample of the batch";
  if (count > shown)
    list += concat(" and ", count - shown, " more");
  return concat("; it happens with sample", count > 1 ? "s " : " ", list,
                " of data set `", iterator.dataset().name(), "`");
}

} // namespace

std::string findNonFinite(Session &session,
                          std::span<const ReportValue> reports) {
  const desc::ProgramSpec &program = session.trainProgram();
  if (const desc::ReportSpec *report = findBadLoss(program, reports))
    return "main/" + report->name + " is " +
           sixDigits(ratio(
               reports[static_cast<size_t>(report - program.reports.data())]));
  if (session.executor().parametersAreFinite())
    return "";
  // Gradients go from the last layer to the first and take bad values along, so
  // the last layer that has them is the nearest to their origin.
  const Tensor *last = nullptr;
  for (const Tensor &tensor : session.executor().parameters())
    if (!allFinite(tensor.data))
      last = &tensor;
  const desc::LayerSpec *layer = session.description.findLayerOf(last->name);
  return "the gradient or the update of `" + last->name + "`" +
         (layer ? " in " + layer->text() : "") + " is not finite";
}

std::string explainBadStep(Session &session, const Iterator &iterator,
                           const Batch &batch) {
  Trial trial(session, batch);
  std::string text =
      explainLayer(session, trial) + explainSamples(iterator, batch, trial);
  const auto &entries = session.description.settings.entries;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == "lr" || entries[i].name.ends_with(".lr") ||
        !std::isfinite(session.executor().settings()[i]))
      text += "; setting `" + entries[i].name + "` is " +
              sixDigits(static_cast<double>(session.executor().settings()[i]));
  return text;
}

} // namespace dpl::rt
