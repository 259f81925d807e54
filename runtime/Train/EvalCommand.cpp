//===- EvalCommand.cpp - eval ---------------------------------------------===//

#include "runtime/Base/Files.h"
#include "runtime/Base/Text.h"
#include "runtime/Train/Commands.h"
#include "runtime/Train/Evaluation.h"
#include "runtime/Train/Snapshot.h"
#include "runtime/Train/TrainerSnapshot.h"

#include <cmath>
#include <cstdio>

namespace dpl::rt {

/// The weights file to read: the named one, or that of the newest good snapshot
/// of the run.
static Result<std::string> chooseWeights(const RunConfig &config) {
  if (config.weights)
    return findWeights(*config.weights);
  std::optional<SnapshotContent> newest = findNewestSnapshot(config.out);
  if (!newest)
    return Status::error(Exit::Usage,
                         "`" + config.out +
                             "` has no good snapshot; name weights with "
                             "--weights FILE, or the run's folder with --out");
  return newest->path + "/" + weightsFile;
}

Status evalCommand(const dpl_program &program, const Description &description,
                   const RunConfig &config) {
  if (description.train.evaluate.empty())
    return Status::error(Exit::Usage, description.source +
                                          " evaluates nothing: it has no "
                                          "`evaluate` in an `every` block");
  DPL_LET(std::string weights, chooseWeights(config));
  DPL_LET(auto session, Session::open(program, description, config,
                                      /*forTraining=*/false));
  DPL_TRY(loadWeights(weights, *session, Exit::Data));
  std::printf("weights `%s`\n", weights.c_str());
  for (const desc::EvaluateSpec &spec : description.train.evaluate) {
    DPL_LET(EvaluationResult result, evaluate(*session, spec.iterator));
    std::string line = spec.iterator + ":";
    for (size_t i = 0; i < result.totals.size(); ++i) {
      line += "  main/" + result.program->reports[i].name + " " +
              sixDigits(ratio(result.totals[i]));
    }
    std::printf("%s  (%lld samples)\n", line.c_str(),
                static_cast<long long>(result.samples));
    std::fflush(stdout);
    for (size_t i = 0; i < result.totals.size(); ++i)
      if (!std::isfinite(ratio(result.totals[i])))
        return Status::error(
            Exit::Diverged,
            "main/" + result.program->reports[i].name + " on `" +
                spec.iterator + "` is " + sixDigits(ratio(result.totals[i])) +
                ": the weights are those of a run that diverged, or the data "
                "hold values that are not finite");
  }
  return Status::success();
}

} // namespace dpl::rt
