//===- Evaluate.cpp - evaluate(data, name: "val") -------------------------===//
//
// Reports `NAME/main/<report>` over one pass of the iterator.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Log.h"
#include "runtime/Train/Evaluation.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/Trainer.h"

namespace dpl::rt {
namespace {

class Evaluate : public Extension {
public:
  Evaluate(std::string iterator, std::string name)
      : iterator(std::move(iterator)), name(std::move(name)) {}

  bool observes() const override { return true; }

  Status run(Trainer &trainer, Observation &observation) override {
    Result<EvaluationResult> evaluated = evaluate(trainer.session(), iterator);
    if (!evaluated.ok() &&
        evaluated.status().category() == Exit::StoppedResumable) {
      logWarning(evaluated.status().text() + ": there is no evaluation `" +
                 name + "` after iteration " +
                 std::to_string(trainer.progress().iteration));
      return Status::success();
    }
    DPL_LET(EvaluationResult result, std::move(evaluated));
    for (size_t i = 0; i < result.totals.size(); ++i)
      observation.set(name + "/main/" + result.program->reports[i].name,
                      ratio(result.totals[i]));
    return Status::success();
  }

private:
  std::string iterator, name;
};

} // namespace

Result<std::unique_ptr<Extension>> makeEvaluate(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {"data", "name"}, context.options));
  DPL_LET(std::string iterator, args.text("data", ""));
  DPL_LET(std::string name, args.text("name", "val"));
  for (const desc::EvaluateSpec &spec : context.description.train.evaluate)
    if (spec.iterator == iterator)
      return std::unique_ptr<Extension>(
          std::make_unique<Evaluate>(std::move(iterator), std::move(name)));
  return Status::error(Exit::Runtime, "the program has no evaluation of "
                                      "iterator `" +
                                          iterator + "`");
}

} // namespace dpl::rt
