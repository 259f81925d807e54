//===- Data/Resize.cpp - Pictures of another size -------------------------===//

#include "runtime/Data/Resize.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

using namespace dpl::rt;

static constexpr int weightBits = 22;

namespace {
/// What one pixel of the result is made of: neighbours along an axis.
struct Stretch {
  int64_t first = 0;
  std::vector<int32_t> weights; ///< fixed point
};

class Resize final : public Transform {
public:
  Resize(const FieldType &input, const FieldType &output);
  Status apply(const std::byte *in, std::byte *out) const override;

private:
  void shrinkRows(const uint8_t *in, uint8_t *out) const;
  void shrinkColumns(const uint8_t *in, uint8_t *out) const;

  int64_t channels, rows, columns, newRows, newColumns;
  std::vector<Stretch> alongRow;    ///< one for each new column
  std::vector<Stretch> alongColumn; ///< one for each new row
};
} // namespace

/// The stretches of an axis that goes from `size` to `newSize` pixels.
static std::vector<Stretch> makeStretches(int64_t size, int64_t newSize) {
  const double scale = static_cast<double>(size) / static_cast<double>(newSize);
  const double reach = std::max(scale, 1.0);
  std::vector<Stretch> stretches(static_cast<size_t>(newSize));
  for (int64_t i = 0; i < newSize; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const auto first =
        std::max<int64_t>(static_cast<int64_t>(center - reach + 0.5), 0);
    const auto end =
        std::min<int64_t>(static_cast<int64_t>(center + reach + 0.5), size);
    std::vector<double> weights;
    double sum = 0;
    for (int64_t pixel = first; pixel < end; ++pixel) {
      const double distance =
          std::abs((static_cast<double>(pixel) - center + 0.5) * (1.0 / reach));
      weights.push_back(std::max(1.0 - distance, 0.0));
      sum += weights.back();
    }
    Stretch &stretch = stretches[static_cast<size_t>(i)];
    stretch.first = first;
    for (const double weight : weights)
      stretch.weights.push_back(
          static_cast<int32_t>(0.5 + weight / sum * (1 << weightBits)));
  }
  return stretches;
}

static uint8_t rounded(int32_t sum) {
  return static_cast<uint8_t>(std::min(sum >> weightBits, 255));
}

Resize::Resize(const FieldType &input, const FieldType &output)
    : Transform(input, output), channels(input.shape[0]), rows(input.shape[1]),
      columns(input.shape[2]), newRows(output.shape[1]),
      newColumns(output.shape[2]), alongRow(makeStretches(columns, newColumns)),
      alongColumn(makeStretches(rows, newRows)) {}

void Resize::shrinkRows(const uint8_t *in, uint8_t *out) const {
  if (columns == newColumns) {
    std::memcpy(out, in, static_cast<size_t>(rows * columns));
    return;
  }
  for (int64_t row = 0; row < rows; ++row, in += columns)
    for (const Stretch &stretch : alongRow) {
      const uint8_t *pixels = in + stretch.first;
      int32_t sum = 1 << (weightBits - 1);
      for (size_t i = 0; i < stretch.weights.size(); ++i)
        sum += pixels[i] * stretch.weights[i];
      *out++ = rounded(sum);
    }
}

void Resize::shrinkColumns(const uint8_t *in, uint8_t *out) const {
  if (rows == newRows) {
    std::memcpy(out, in, static_cast<size_t>(rows * newColumns));
    return;
  }
  std::vector<int32_t> sums(static_cast<size_t>(newColumns));
  for (const Stretch &stretch : alongColumn) {
    std::fill(sums.begin(), sums.end(), 1 << (weightBits - 1));
    const uint8_t *pixels = in + stretch.first * newColumns;
    for (const int32_t weight : stretch.weights)
      for (int32_t &sum : sums)
        sum += *pixels++ * weight;
    out = std::transform(sums.begin(), sums.end(), out, rounded);
  }
}

Status Resize::apply(const std::byte *in, std::byte *out) const {
  const auto *from = reinterpret_cast<const uint8_t *>(in);
  auto *to = reinterpret_cast<uint8_t *>(out);
  std::vector<uint8_t> between(static_cast<size_t>(rows * newColumns));
  for (int64_t channel = 0; channel < channels; ++channel) {
    shrinkRows(from, between.data());
    shrinkColumns(between.data(), to);
    from += rows * columns;
    to += newRows * newColumns;
  }
  return Status::success();
}

Result<std::unique_ptr<Transform>> dpl::rt::makeResize(const FieldType &input,
                                                       const Arguments &args) {
  DPL_TRY(args.checkNames({"size"}));
  if (input.dtype != DType::U8 || input.shape.size() != 3)
    return Status::error(
        Exit::Usage,
        concat("`resize` needs u8[channels, rows, columns], but the field is ",
               input.text(),
               input.dtype == DType::F32 ? "; put it before `to_float`" : ""));
  DPL_LET(const std::vector<int64_t> size, args.integers("size"));
  FieldType output = input;
  for (size_t axis = 0; axis < 2; ++axis) {
    output.shape[axis + 1] = size.size() == 2 ? size[axis] : 0;
    if (output.shape[axis + 1] < 1)
      return Status::error(Exit::Usage,
                           concat("argument `size` is ", shapeText(size),
                                  ", but must be two numbers of at least 1, "
                                  "rows and columns"));
  }
  return std::unique_ptr<Transform>(std::make_unique<Resize>(input, output));
}
