//===- ConfigJson.cpp - The configuration of a run as JSON ----------------===//

#include "runtime/Train/RunConfig.h"

#include <nlohmann/json.hpp>

namespace dpl::rt {

static std::string resumeText(const RunConfig &config) {
  switch (config.resume) {
  case ResumeMode::Never:
    return "never";
  case ResumeMode::Auto:
    return "auto";
  case ResumeMode::From:
    return config.resumeFrom;
  }
  return "";
}

static const char *updateText(UpdateMode mode) {
  constexpr const char *names[] = {"auto", "fused", "bucketed"};
  return names[static_cast<int>(mode)];
}

std::string configJson(const RunConfig &config,
                       const Description &description) {
  const desc::TrainSpec &spec = description.train;
  nlohmann::ordered_json json;
  json["source"] = description.source;
  json["hash"] = description.hash;
  json["stop"] =
      config.epochs
          ? durationText(*config.epochs, desc::Unit::Epoch)
          : durationText(config.options.count(spec.stopCount), spec.stopUnit);
  if (config.maxIterations)
    json["max_iterations"] = *config.maxIterations;
  json["batch"] =
      config.batch.value_or(description.findIterator(spec.data)->batch);
  json["devices"] = config.device;
  json["out"] = config.out;
  json["resume"] = resumeText(config);
  if (config.weights)
    json["weights"] = *config.weights;
  json["seed"] = config.seed;
  if (config.workers)
    json["workers"] = *config.workers;
  if (!config.data.empty())
    json["data"] = config.data;
  if (!config.dataRoot.empty())
    json["data_root"] = config.dataRoot;
  json["deterministic"] = config.deterministic;
  json["update"] = updateText(config.update);
  json["options"] = config.options.texts();
  return json.dump(2);
}

} // namespace dpl::rt
