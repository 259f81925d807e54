//===- Extension.h - What an `every` block may hold -------------*- C++ -*-===//
//
// One extension per file in Extensions/; Extensions/Registry.cpp lists them.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_EXTENSION_H
#define DPL_RUNTIME_TRAIN_EXTENSION_H

#include "runtime/Base/Status.h"
#include "runtime/Program/Description.h"
#include "runtime/Train/Observation.h"
#include "runtime/Train/OptionValues.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace dpl::rt {

class Trainer;

/// Called by the trainer's thread, between iterations.
class Extension {
public:
  virtual ~Extension() = default;

  /// Whether `run` adds to the observation. Those that do run before all that
  /// do not, over all blocks of an iteration.
  virtual bool observes() const { return false; }

  /// The block's trigger fired, or training ends. `observation` holds what the
  /// block saw since it ran last; what an extension that observes adds is
  /// published to the other blocks, too.
  virtual Status run(Trainer &trainer, Observation &observation) = 0;

  /// Training ended as planned, and `run` was called for the last time.
  virtual Status finish(Trainer &trainer) { return Status::success(); }

  /// What a snapshot has to keep; null for nothing.
  virtual nlohmann::json save() const;
  /// The inverse of save, before the first iteration of a resumed run.
  virtual Status restore(const nlohmann::json &state, Trainer &trainer);
};

/// The settings of an action. Each accessor says which parameter of the
/// declaration it reads; a parameter may be positional or named.
class ActionArgs {
public:
  /// Fails on arguments that are none of `parameters`, which are in the order
  /// of the declaration; one that ends in `..` takes all positional ones that
  /// are left, and those behind it are named only.
  static Result<ActionArgs> bind(const desc::ActionSpec &action,
                                 std::vector<std::string> parameters,
                                 const OptionValues &options);

  Result<std::string> text(const std::string &name,
                           const std::string &otherwise) const;
  Result<int64_t> integer(const std::string &name, int64_t otherwise) const;
  Result<std::vector<std::string>> texts(const std::string &name) const;

private:
  Status mismatch(const std::string &name, const char *wanted) const;
  std::string action;
  std::map<std::string, desc::Value> values;
};

/// The extension of an action. Fails on an unknown name or argument.
Result<std::unique_ptr<Extension>> makeExtension(const desc::ActionSpec &action,
                                                 const Description &description,
                                                 const OptionValues &options);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_EXTENSION_H
