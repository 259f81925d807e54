//===- OptionValues.h - What the options of a run are -----------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_OPTIONVALUES_H
#define DPL_RUNTIME_TRAIN_OPTIONVALUES_H

#include "runtime/Base/Status.h"
#include "runtime/Program/Description.h"

#include <map>
#include <string>
#include <vector>

namespace dpl::rt {

/// `10 epochs`, `1 iteration`, `0.5 seconds`.
std::string durationText(double count, desc::Unit unit);
/// A value as a user writes it: `0.01`, `true`, `10 epochs`, `[1, 2]`.
std::string valueText(const desc::Value &value);

/// The options of a program with the values of this run, in the order of the
/// description, which must outlive it.
class OptionValues {
public:
  explicit OptionValues(const Description &description);

  /// Sets an option from text; `origin` is the flag or variable that an error
  /// (Exit::Usage) names.
  Status set(size_t index, const std::string &text, const std::string &origin);

  const desc::Value &operator[](size_t index) const { return values[index]; }
  /// The buffer of options as the settings kernel takes it.
  std::vector<double> numbers() const;
  /// Name and text of each, for snapshots and `--print-config`.
  std::map<std::string, std::string> texts() const;

  /// `value` itself, or what the option that it refers to holds.
  const desc::Value &resolve(const desc::Value &value) const;
  /// A resolved count of a stop or trigger; the description is checked, so
  /// the value is a number or a duration.
  double count(const desc::Value &value) const;

private:
  const Description &description;
  std::vector<desc::Value> values;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_OPTIONVALUES_H
