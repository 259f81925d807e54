//===- Registry.cpp - The extensions by name ------------------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Train/Extensions/Extensions.h"

namespace dpl::rt {

static constexpr struct {
  const char *name;
  ExtensionMaker *make;
} registry[] = {
    {"evaluate", makeEvaluate},    {"log", makeLog},
    {"observe_lr", makeObserveLr}, {"plot", makePlot},
    {"print", makePrint},          {"progress", makeProgress},
    {"snapshot", makeSnapshot},
};

Result<std::unique_ptr<Extension>> makeExtension(const desc::ActionSpec &action,
                                                 const Description &description,
                                                 const OptionValues &options) {
  std::vector<std::string> known;
  for (auto &entry : registry) {
    if (action.name == entry.name)
      return entry.make({action, description, options});
    known.push_back(entry.name);
  }
  return Status::error(Exit::Runtime, "there is no action `" + action.name +
                                          "`" + knownNames(action.name, known));
}

} // namespace dpl::rt
