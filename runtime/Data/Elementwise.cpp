//===- Data/Elementwise.cpp - Transforms of each element alone ------------===//

#include "runtime/Data/Elementwise.h"

#include "runtime/Base/Text.h"

#include <cmath>

using namespace dpl::rt;

namespace {
class ToFloat final : public ElementwiseTransform {
public:
  using ElementwiseTransform::ElementwiseTransform;
  bool perChannel() const override { return false; }
  void map(float *values, int64_t count, int64_t channel) const override {
    for (int64_t i = 0; i < count; ++i)
      values[i] /= 255.0f;
  }
};

class Normalize final : public ElementwiseTransform {
public:
  Normalize(const FieldType &input, std::vector<double> mean,
            std::vector<double> deviation)
      : ElementwiseTransform(input), mean(std::move(mean)),
        deviation(std::move(deviation)) {}
  bool perChannel() const override {
    return mean.size() > 1 || deviation.size() > 1;
  }
  void map(float *values, int64_t count, int64_t channel) const override {
    const float m = of(mean, channel), d = of(deviation, channel);
    for (int64_t i = 0; i < count; ++i)
      values[i] = (values[i] - m) / d;
  }

private:
  static float of(const std::vector<double> &values, int64_t channel) {
    return static_cast<float>(
        values[values.size() > 1 ? static_cast<size_t>(channel) : 0]);
  }
  std::vector<double> mean, deviation;
};
} // namespace

Result<std::unique_ptr<Transform>> dpl::rt::makeToFloat(const FieldType &input,
                                                        const Arguments &args) {
  DPL_TRY(args.checkNames({}));
  if (input.dtype != DType::U8)
    return Status::error(Exit::Usage, concat("`to_float` needs u8, but the "
                                             "field is ",
                                             input.text()));
  return std::unique_ptr<Transform>(std::make_unique<ToFloat>(input));
}

/// The numbers of an argument, one or one for each channel.
static Result<std::vector<double>> channelNumbers(const FieldType &input,
                                                  const Arguments &args,
                                                  const char *name) {
  DPL_LET(std::vector<double> values, args.numbers(name));
  const int64_t channels = input.shape.empty() ? 1 : input.shape.front();
  if (values.size() != 1 && static_cast<int64_t>(values.size()) != channels)
    return Status::error(Exit::Usage,
                         concat("argument `", name, "` has ", values.size(),
                                " numbers, but the field ", input.text(),
                                " has ", channels,
                                " channels; give one number or one for each"));
  for (const double value : values)
    if (!std::isfinite(static_cast<float>(value)))
      return Status::error(Exit::Usage,
                           concat("argument `", name, "` has ", value,
                                  ", but must be finite in f32"));
  return values;
}

Result<std::unique_ptr<Transform>>
dpl::rt::makeNormalize(const FieldType &input, const Arguments &args) {
  DPL_TRY(args.checkNames({"mean", "std"}));
  if (input.dtype != DType::F32)
    return Status::error(
        Exit::Usage,
        concat("`normalize` needs f32, but the field is ", input.text(),
               input.dtype == DType::U8 ? "; put `to_float` before it" : ""));
  DPL_LET(std::vector<double> mean, channelNumbers(input, args, "mean"));
  DPL_LET(std::vector<double> deviation, channelNumbers(input, args, "std"));
  for (const double value : deviation)
    if (static_cast<float>(value) <= 0)
      return Status::error(Exit::Usage, concat("argument `std` has ", value,
                                               ", but must be above 0"));
  return std::unique_ptr<Transform>(std::make_unique<Normalize>(
      input, std::move(mean), std::move(deviation)));
}
