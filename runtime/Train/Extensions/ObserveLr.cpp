//===- ObserveLr.cpp - observe_lr -----------------------------------------===//
//
// Reports the setting `lr` of the last step; with several optimizers each
// setting whose name ends in `.lr`.
//
//===----------------------------------------------------------------------===//

#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/Trainer.h"

#include <charconv>

namespace dpl::rt {
namespace {

/// The f64 with the shortest decimal of an f32: 0.01 for 0.01f.
double shortestDouble(float value) {
  char text[32];
  char *end = std::to_chars(text, text + sizeof(text), value).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result;
}

class ObserveLr : public Extension {
public:
  explicit ObserveLr(std::vector<size_t> settings)
      : settings(std::move(settings)) {}

  bool observes() const override { return true; }

  Status run(Trainer &trainer, Observation &observation) override {
    Session &session = trainer.session();
    for (size_t index : settings)
      observation.set(session.description.settings.entries[index].name,
                      shortestDouble(session.executor().settings()[index]));
    return Status::success();
  }

private:
  std::vector<size_t> settings;
};

} // namespace

Result<std::unique_ptr<Extension>> makeObserveLr(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {}, context.options));
  std::vector<size_t> settings;
  const auto &entries = context.description.settings.entries;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == "lr" || entries[i].name.ends_with(".lr"))
      settings.push_back(i);
  if (settings.empty())
    return Status::error(Exit::Runtime,
                         "`observe_lr`: the optimizer has no setting `lr`");
  return std::unique_ptr<Extension>(
      std::make_unique<ObserveLr>(std::move(settings)));
}

} // namespace dpl::rt
