//===- Print.cpp - print(keys..) ------------------------------------------===//
//
// A table on stdout: a header before the first line, then one line each time.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/Trainer.h"

#include <algorithm>
#include <cmath>

namespace dpl::rt {
namespace {

constexpr size_t leastWidth = 10;

/// Six digits, but counts in full.
std::string cellText(double value) {
  bool whole = std::trunc(value) == value && std::abs(value) < 1e15;
  return whole ? std::to_string(static_cast<int64_t>(value)) : sixDigits(value);
}

class Print : public Extension {
public:
  explicit Print(std::vector<std::string> keys) : keys(std::move(keys)) {}

  Status run(Trainer &trainer, Observation &observation) override {
    if (!headerShown)
      trainer.console().line(row([](const std::string &key) { return key; }));
    headerShown = true;
    trainer.console().line(row([&](const std::string &key) {
      std::optional<double> value = observation.find(key);
      return value ? cellText(*value) : std::string("-");
    }));
    return Status::success();
  }

private:
  template <typename Cell> std::string row(Cell cell) const {
    std::string line;
    for (const std::string &key : keys) {
      std::string text = cell(key);
      text.resize(std::max({text.size(), key.size(), leastWidth}), ' ');
      line += (line.empty() ? "" : "  ") + text;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  std::vector<std::string> keys;
  bool headerShown = false;
};

} // namespace

Result<std::unique_ptr<Extension>> makePrint(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {"keys.."}, context.options));
  DPL_LET(std::vector<std::string> keys, args.texts("keys"));
  if (keys.empty())
    return Status::error(Exit::Runtime, "`print` needs at least one key");
  return std::unique_ptr<Extension>(std::make_unique<Print>(std::move(keys)));
}

} // namespace dpl::rt
