//===- TrainerSnapshot.cpp - From a trainer to files and back -------------===//

#include "runtime/Train/TrainerSnapshot.h"

#include "runtime/Base/Text.h"
#include "runtime/Train/Safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dpl::rt {

using nlohmann::json;

/// The tensors of the weights file, or those of the optimizer's file.
static std::vector<Tensor> tensorsOf(Session &session, bool weights) {
  std::vector<Tensor> tensors;
  const auto &states = session.description.states;
  TensorSet &set = session.executor().states();
  if (weights)
    for (const Tensor &tensor : session.executor().parameters())
      tensors.push_back(tensor);
  for (size_t i = 0; i < set.size(); ++i)
    if ((states[i].owner == "model") == weights)
      tensors.push_back(set[i]);
  return tensors;
}

static std::vector<std::byte> tensorFile(const std::vector<Tensor> &tensors) {
  std::vector<TensorView> views;
  for (const Tensor &tensor : tensors)
    views.push_back({tensor.name, tensor.shape, tensor.data});
  return writeSafetensors(std::move(views));
}

static json blocksJson(const std::vector<Block> &blocks) {
  json list = json::array();
  for (const Block &block : blocks) {
    json states = json::array();
    for (auto &extension : block.extensions)
      states.push_back(extension->save());
    list.push_back({{"every", block.trigger.count},
                    {"unit", toString(block.trigger.unit)},
                    {"actions", block.names},
                    {"sums", reportSumsJson(block.sums)},
                    {"published", publishedJson(block.published)},
                    {"last_run", block.lastRun},
                    {"extensions", states}});
  }
  return list;
}

std::vector<SnapshotFile> snapshotFiles(Session &session,
                                        const std::vector<Block> &blocks,
                                        const TrainerPosition &position) {
  json trainer = {
      {"format", trainerFormat},
      {"identity", identityJson(session.description, session.config)},
      {"position", positionJson(position)},
      {"blocks", blocksJson(blocks)}};
  std::string text = trainer.dump(1) + "\n";
  auto bytes = std::as_bytes(std::span<const char>(text));
  return {{weightsFile, tensorFile(tensorsOf(session, true))},
          {optimizerFile, tensorFile(tensorsOf(session, false))},
          {trainerFile, {bytes.begin(), bytes.end()}}};
}

/// ` of layer `fc1` (linear)`, or nothing where no layer has the parameter.
static std::string ownerText(const Description &description,
                             const std::string &parameter) {
  const desc::LayerSpec *layer = description.findLayerOf(parameter);
  return layer ? " of " + layer->text() : "";
}

/// Copies a file's tensors; both have to have the same names and shapes.
static Status loadTensors(const SafetensorsFile &file,
                          const Description &description,
                          const std::vector<Tensor> &tensors, Exit category) {
  auto fail = [&](const std::string &what) {
    return Status::error(category, "`" + file.path() +
                                       "` does not fit the program: " + what +
                                       "; give weights of this model");
  };
  for (const Tensor &tensor : tensors) {
    const TensorView *view = file.find(tensor.name);
    if (!view)
      return fail("it has no tensor `" + tensor.name + "`" +
                  ownerText(description, tensor.name));
    if (view->shape != tensor.shape)
      return fail("tensor `" + tensor.name + "`" +
                  ownerText(description, tensor.name) + " has shape " +
                  shapeText(view->shape) + " there and " +
                  shapeText(tensor.shape) + " in the program");
  }
  for (const TensorView &view : file.tensors()) {
    auto sameName = [&](const Tensor &tensor) {
      return tensor.name == view.name;
    };
    if (std::none_of(tensors.begin(), tensors.end(), sameName))
      return fail("the program has no tensor `" + view.name + "`");
  }
  for (const TensorView &view : file.tensors()) {
    if (allFinite(view.data))
      continue;
    size_t at = 0;
    while (std::isfinite(view.data[at]))
      ++at;
    return Status::error(
        Exit::Diverged,
        concat("`", file.path(), "`: value ", at, " of tensor `", view.name,
               "` is ", sixDigits(static_cast<double>(view.data[at])),
               "; these weights are of a run that diverged, give those of an "
               "earlier step"));
  }
  for (const Tensor &tensor : tensors)
    std::ranges::copy(file.find(tensor.name)->data, tensor.data.begin());
  return Status::success();
}

Result<std::string> findWeights(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored))
    return path;
  DPL_LET(SnapshotContent content, readSnapshot(path));
  return content.path + "/" + weightsFile;
}

Status loadWeights(const std::string &path, Session &session, Exit category) {
  DPL_LET(SafetensorsFile file, SafetensorsFile::open(path, category));
  return loadTensors(file, session.description, tensorsOf(session, true),
                     category);
}

static bool sameBlocks(const json &list, const std::vector<Block> &blocks) {
  if (!list.is_array() || list.size() != blocks.size())
    return false;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (list[i].at("actions") != json(blocks[i].names) ||
        list[i].at("every") != json(blocks[i].trigger.count) ||
        list[i].at("unit") != json(toString(blocks[i].trigger.unit)))
      return false;
  return true;
}

static Status restoreBlocks(const SnapshotContent &snapshot,
                            std::vector<Block> &blocks, Trainer &trainer) {
  json list = json::parse(snapshot.trainer).at("blocks");
  if (!sameBlocks(list, blocks))
    return Status::error(Exit::Usage,
                         "cannot resume from `" + snapshot.path +
                             "`: the `every` blocks of the program changed; "
                             "train into another folder with --out");
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block &block = blocks[i];
    if (!readReportSums(list[i].at("sums"), block.sums) ||
        !readPublished(list[i].at("published"), block.published))
      return Status::error(Exit::SnapshotIO, "`" + snapshot.path + "/" +
                                                 trainerFile +
                                                 "` has damaged sums");
    block.lastRun = list[i].at("last_run").get<int64_t>();
    for (size_t e = 0; e < block.extensions.size(); ++e)
      DPL_TRY(block.extensions[e]->restore(list[i].at("extensions").at(e),
                                           trainer));
  }
  return Status::success();
}

Status restoreTrainer(const SnapshotContent &snapshot, Session &session,
                      std::vector<Block> &blocks, Trainer &trainer,
                      TrainerPosition &position) {
  DPL_LET(position, readPosition(snapshot));
  if (position.settings.size() != session.executor().settings().size())
    return Status::error(
        Exit::SnapshotIO,
        concat("`", snapshot.path, "/", trainerFile, "` is damaged: it has ",
               position.settings.size(), " settings instead of ",
               session.executor().settings().size()));
  session.executor().setSettings(position.settings);
  DPL_TRY(loadWeights(snapshot.path + "/" + weightsFile, session,
                      Exit::SnapshotIO));
  DPL_LET(SafetensorsFile file,
          SafetensorsFile::open(snapshot.path + "/" + optimizerFile,
                                Exit::SnapshotIO));
  DPL_TRY(loadTensors(file, session.description, tensorsOf(session, false),
                      Exit::SnapshotIO));
  try {
    return restoreBlocks(snapshot, blocks, trainer);
  } catch (const json::exception &error) {
    return Status::error(Exit::SnapshotIO, "`" + snapshot.path + "/" +
                                               trainerFile +
                                               "` is damaged: " + error.what());
  }
}

} // namespace dpl::rt
