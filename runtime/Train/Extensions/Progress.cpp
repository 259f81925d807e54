//===- Progress.cpp - progress --------------------------------------------===//
//
// How far training is, how fast, and how long it still takes: a bar on a
// terminal, otherwise a line at most every ten seconds on stderr.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Clock.h"
#include "runtime/Train/Extensions/Extensions.h"
#include "runtime/Train/Trainer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dpl::rt {
namespace {

constexpr double quietSeconds = 10;

std::string timeText(double seconds) {
  auto whole = static_cast<long long>(std::llround(seconds));
  char text[32];
  if (whole >= 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", whole / 3600,
                  whole / 60 % 60, whole % 60);
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld", whole / 60, whole % 60);
  return text;
}

class ProgressLine : public Extension {
public:
  Status run(Trainer &trainer, Observation &) override {
    double seconds = sinceLast.seconds();
    Console &console = trainer.console();
    bool due = console.errIsTerminal() || seconds >= quietSeconds;
    if (!started || !due) {
      // The first time only starts the clock: before it lies the start.
      if (!started)
        note(trainer);
      started = true;
      return Status::success();
    }
    double iterations =
        static_cast<double>(trainer.progress().iteration - lastIteration);
    double samples = static_cast<double>(trainer.samplesDone() - lastSamples);
    std::string text =
        describe(trainer, iterations / seconds, samples / seconds);
    if (console.errIsTerminal())
      console.bar(
          bar(trainer, console.width() - static_cast<int>(text.size())) + text);
    else
      console.note(text);
    note(trainer);
    return Status::success();
  }

private:
  void note(Trainer &trainer) {
    sinceLast.restart();
    lastIteration = trainer.progress().iteration;
    lastSamples = trainer.samplesDone();
  }

  static std::string describe(Trainer &trainer, double iterationRate,
                              double sampleRate) {
    const Progress &progress = trainer.progress();
    char text[160];
    std::snprintf(text, sizeof(text),
                  "epoch %.2f  iteration %lld  %.0f samples/s",
                  progress.epochDetail,
                  static_cast<long long>(progress.iteration), sampleRate);
    std::string result = text;
    double left = trainer.iterationsLeft() / iterationRate;
    if (trainer.stop().unit == desc::Unit::Second)
      left = std::min(left, trainer.stop().count - progress.elapsed);
    if (std::isfinite(left))
      result += "  " + timeText(std::max(left, 0.0)) + " left";
    return result;
  }

  static std::string bar(Trainer &trainer, int room) {
    int width = std::min(room - 4, 40);
    double done = static_cast<double>(trainer.progress().iteration);
    double fraction = done / (done + trainer.iterationsLeft());
    if (trainer.stop().unit == desc::Unit::Second)
      fraction = trainer.progress().elapsed / trainer.stop().count;
    if (width < 8)
      return "";
    auto full = static_cast<size_t>(
        std::lround(std::clamp(fraction, 0.0, 1.0) * width));
    return "[" + std::string(full, '=') +
           std::string(static_cast<size_t>(width) - full, ' ') + "] ";
  }

  Stopwatch sinceLast;
  bool started = false;
  int64_t lastIteration = 0;
  int64_t lastSamples = 0;
};

} // namespace

Result<std::unique_ptr<Extension>> makeProgress(const ActionContext &context) {
  DPL_LET(ActionArgs args,
          ActionArgs::bind(context.action, {}, context.options));
  return std::unique_ptr<Extension>(std::make_unique<ProgressLine>());
}

} // namespace dpl::rt
