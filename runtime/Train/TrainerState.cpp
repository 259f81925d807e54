//===- TrainerState.cpp - Position and configuration of a run -------------===//

#include "runtime/Train/TrainerState.h"

#include "runtime/Base/Log.h"
#include "runtime/Base/Text.h"
#include "runtime/Train/Session.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <charconv>

namespace dpl::rt {

using nlohmann::json;

template <typename Spec>
static json tensorList(const std::vector<Spec> &specs) {
  json list = json::object();
  for (const Spec &spec : specs)
    list[spec.name] = shapeText(spec.shape);
  return list;
}

json identityJson(const Description &description, const RunConfig &config) {
  const desc::TrainSpec &train = description.train;
  json settings = json::array();
  for (const desc::SettingSpec &entry : description.settings.entries)
    settings.push_back(entry.name);
  return {{"hash", description.hash},
          {"source", description.source},
          {"compiler", description.compiler},
          {"parameters", tensorList(description.parameters)},
          {"states", tensorList(description.states)},
          {"settings", settings},
          {"options", config.options.texts()},
          {"seed", config.seed},
          {"batch",
           config.batch.value_or(description.findIterator(train.data)->batch)},
          {"deterministic", config.deterministic},
          {"update", chooseTrainProgram(description, config.update).name},
          {"device", config.device}};
}

static Status differs(const std::string &path, const std::string &what,
                      const std::string &then, const std::string &now,
                      const std::string &wayOut) {
  return Status::error(Exit::Usage,
                       "cannot resume from `" + path + "`: " + what + " was " +
                           then + " there and is " + now + " now; " + wayOut);
}

/// The first name or shape in which two lists of tensors differ.
static Status compareTensors(const std::string &path, const std::string &kind,
                             const json &then, const json &now) {
  std::string wayOut = "train into another folder with --out, or compile the "
                       "program that made the snapshot";
  for (auto it = then.begin(); it != then.end(); ++it) {
    std::string what = kind + " `" + it.key() + "`";
    if (!now.contains(it.key()))
      return differs(path, what, it.value().get<std::string>(), "absent",
                     wayOut);
    if (now[it.key()] != it.value())
      return differs(path, what, it.value().get<std::string>(),
                     now[it.key()].get<std::string>(), wayOut);
  }
  for (auto it = now.begin(); it != now.end(); ++it)
    if (!then.contains(it.key()))
      return differs(path, kind + " `" + it.key() + "`", "absent",
                     it.value().get<std::string>(), wayOut);
  return Status::success();
}

static Status compareOptions(const std::string &path, const json &then,
                             const json &now) {
  for (auto it = now.begin(); it != now.end(); ++it) {
    std::string was = then.contains(it.key())
                          ? then[it.key()].get<std::string>()
                          : std::string("absent");
    if (was != it.value().get<std::string>())
      return differs(path, "option `" + it.key() + "`", was,
                     it.value().get<std::string>(),
                     "resume with --" + it.key() + " " + was +
                         ", or train into another folder with --out");
  }
  return Status::success();
}

static Status compareIdentity(const std::string &path, const json &then,
                              const json &now) {
  DPL_TRY(compareTensors(path, "parameter", then.at("parameters"),
                         now["parameters"]));
  DPL_TRY(compareTensors(path, "state of the solver or model",
                         then.at("states"), now["states"]));
  if (then.at("settings") != now["settings"])
    return differs(path, "the list of solver settings",
                   then.at("settings").dump(), now["settings"].dump(),
                   "train into another folder with --out");
  if (then.at("hash") != now["hash"])
    return differs(
        path, "the program's hash", then.at("hash").get<std::string>(),
        now["hash"].get<std::string>(),
        "model, loss or solver of " + now["source"].get<std::string>() +
            " changed: train into another folder with --out");
  DPL_TRY(compareOptions(path, then.at("options"), now["options"]));
  for (const char *key : {"seed", "batch", "deterministic"})
    if (then.at(key) != now[key])
      return differs(path, "--" + std::string(key), then.at(key).dump(),
                     now[key].dump(),
                     "give the same value, or train into another folder with "
                     "--out");
  for (const char *key : {"update", "device"})
    if (then.at(key) != now[key] && !now["deterministic"].get<bool>())
      logWarning(concat("the snapshot was made with ", key, " ",
                        then.at(key).dump(), ", this run has ", now[key].dump(),
                        ": sums are added in another order, so results agree "
                        "up to rounding only"));
  return Status::success();
}

static Status damaged(const SnapshotContent &snapshot,
                      const std::string &what) {
  return Status::error(Exit::SnapshotIO, "`" + snapshot.path + "/" +
                                             trainerFile +
                                             "` is damaged: " + what);
}

Status checkIdentity(const SnapshotContent &snapshot,
                     const Description &description, const RunConfig &config) {
  try {
    json trainer = json::parse(snapshot.trainer);
    if (trainer.at("format") != trainerFormat)
      return Status::error(Exit::SnapshotIO,
                           concat("`", snapshot.path, "/", trainerFile,
                                  "` has format ", trainer.at("format").dump(),
                                  ", this trainer reads ", trainerFormat,
                                  "; go on with the trainer that wrote it"));
    return compareIdentity(snapshot.path, trainer.at("identity"),
                           identityJson(description, config));
  } catch (const json::exception &error) {
    return damaged(snapshot, error.what());
  }
}

json positionJson(const TrainerPosition &position) {
  json settings = json::array();
  for (float value : position.settings)
    settings.push_back(bitsText(static_cast<double>(value)));
  return {{"settings", settings},
          {"iteration", position.iteration},
          {"samples", position.samples},
          {"length", position.length},
          {"epoch_detail", bitsText(position.epochDetail)},
          {"elapsed", bitsText(position.elapsed)},
          {"epoch", position.next.epoch},
          {"batch", position.next.batch}};
}

Result<TrainerPosition> readPosition(const SnapshotContent &snapshot) {
  try {
    json fields = json::parse(snapshot.trainer).at("position");
    TrainerPosition position;
    position.iteration = fields.at("iteration").get<int64_t>();
    position.samples = fields.at("samples").get<int64_t>();
    position.length = fields.at("length").get<int64_t>();
    position.next.epoch = fields.at("epoch").get<int64_t>();
    position.next.batch = fields.at("batch").get<int64_t>();
    if (!parseBits(fields.at("epoch_detail"), position.epochDetail) ||
        !parseBits(fields.at("elapsed"), position.elapsed))
      return damaged(snapshot, "its position has no numbers");
    for (const json &text : fields.at("settings")) {
      double value = 0;
      if (!parseBits(text, value))
        return damaged(snapshot, "its settings are no numbers");
      position.settings.push_back(static_cast<float>(value));
    }
    return position;
  } catch (const json::exception &error) {
    return damaged(snapshot, error.what());
  }
}

std::string bitsText(double value) {
  char text[17];
  std::snprintf(
      text, sizeof(text), "%016llx",
      static_cast<unsigned long long>(std::bit_cast<uint64_t>(value)));
  return text;
}

bool parseBits(const std::string &text, double &value) {
  uint64_t bits = 0;
  auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  value = std::bit_cast<double>(bits);
  return text.size() == 16 && parsed.ec == std::errc() &&
         parsed.ptr == text.data() + text.size();
}

json reportSumsJson(const ReportSums &sums) {
  json list = json::array();
  for (const ReportValue &value : sums.values())
    list.push_back({bitsText(value.sum), bitsText(value.count)});
  return list;
}

bool readReportSums(const json &list, ReportSums &sums) {
  if (!list.is_array() || list.size() != sums.values().size())
    return false;
  for (size_t i = 0; i < list.size(); ++i)
    if (!list[i].is_array() || list[i].size() != 2 || !list[i][0].is_string() ||
        !list[i][1].is_string() ||
        !parseBits(list[i][0], sums.values()[i].sum) ||
        !parseBits(list[i][1], sums.values()[i].count))
      return false;
  return true;
}

json publishedJson(const PublishedMeans &means) {
  json list = json::array();
  for (const PublishedMeans::Entry &entry : means.entries())
    list.push_back({entry.key, bitsText(entry.sum), bitsText(entry.count)});
  return list;
}

bool readPublished(const json &list, PublishedMeans &means) {
  if (!list.is_array())
    return false;
  means.clear();
  for (const json &item : list) {
    PublishedMeans::Entry entry;
    if (!item.is_array() || item.size() != 3 || !item[0].is_string() ||
        !item[1].is_string() || !item[2].is_string() ||
        !parseBits(item[1], entry.sum) || !parseBits(item[2], entry.count))
      return false;
    entry.key = item[0].get<std::string>();
    means.entries().push_back(std::move(entry));
  }
  return true;
}

} // namespace dpl::rt
