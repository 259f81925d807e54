//===- TrainerState.h - Position and configuration of a run -----*- C++ -*-===//
//
// What trainer.json of a snapshot holds besides the blocks. Sums are written
// with the exact bits of their f64, as 16 hexadecimal digits.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_TRAINERSTATE_H
#define DPL_RUNTIME_TRAIN_TRAINERSTATE_H

#include "runtime/Data/Iterator.h"
#include "runtime/Train/Observation.h"
#include "runtime/Train/RunConfig.h"
#include "runtime/Train/Snapshot.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dpl::rt {

/// Of trainer.json; changes with what it holds.
inline constexpr int64_t trainerFormat = 2;

/// Where training stands.
struct TrainerPosition {
  int64_t iteration = 0;
  int64_t samples = 0;
  double epochDetail = 0;
  double elapsed = 0;
  Position next;               ///< of the training iterator
  std::vector<float> settings; ///< of the last step
  int64_t length = 0; ///< samples of the training data, which plan the epochs
};

/// What a resumed run must agree on, as JSON.
nlohmann::json identityJson(const Description &description,
                            const RunConfig &config);

/// Compares the identity in a snapshot with that of this run. A difference is
/// Exit::Usage and names what differs, with both values and the way out. What
/// changes only rounding is reported as a warning.
Status checkIdentity(const SnapshotContent &snapshot,
                     const Description &description, const RunConfig &config);

nlohmann::json positionJson(const TrainerPosition &position);
/// Reads the position of a snapshot; Exit::SnapshotIO when it is damaged.
Result<TrainerPosition> readPosition(const SnapshotContent &snapshot);

/// The bits of an f64 and back; `parse` fails on anything else.
std::string bitsText(double value);
bool parseBits(const std::string &text, double &value);

nlohmann::json reportSumsJson(const ReportSums &sums);
bool readReportSums(const nlohmann::json &json, ReportSums &sums);
nlohmann::json publishedJson(const PublishedMeans &means);
bool readPublished(const nlohmann::json &json, PublishedMeans &means);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_TRAINERSTATE_H
