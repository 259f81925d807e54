//===- Testing/NumberReader.h - Samples that say who they are ---*- C++ -*-===//

#ifndef DPL_RUNTIME_TESTING_NUMBERREADER_H
#define DPL_RUNTIME_TESTING_NUMBERREADER_H

#include "runtime/Data/Dataset.h"

#include <cstring>
#include <functional>

namespace dpl::rt::testing {

/// Yields (x: u8[3, 2], i: i32): sample number and values made from it. Before
/// a sample is read, `before` may fail, wait, or end the process.
class NumberReader final : public Reader {
public:
  using Before = std::function<Status(int64_t)>;

  explicit NumberReader(int64_t length, Before before = {})
      : length_(length), before(std::move(before)) {
    record_ = {{"x", DType::U8, {3, 2}, std::nullopt},
               {"i", DType::I32, {}, std::nullopt}};
  }

  int64_t length() const override { return length_; }
  const RecordType &record() const override { return record_; }
  Status read(int64_t index,
              std::span<const std::byte *> values) const override {
    if (before)
      DPL_TRY(before(index));
    auto *x = const_cast<std::byte *>(values[0]);
    for (int64_t k = 0; k < 6; ++k)
      x[k] = pixel(index, k);
    const auto number = static_cast<int32_t>(index);
    std::memcpy(const_cast<std::byte *>(values[1]), &number, sizeof(number));
    return Status::success();
  }

  static std::byte pixel(int64_t index, int64_t k) {
    return static_cast<std::byte>((index * 37 + k * 11) & 255);
  }

private:
  int64_t length_;
  Before before;
  RecordType record_;
};

/// A data set called `numbers`.
inline std::shared_ptr<const Dataset>
numbers(int64_t length, NumberReader::Before before = {},
        std::vector<TransformSpec> transforms = {}) {
  DatasetSpec spec;
  spec.name = "numbers";
  spec.transforms = std::move(transforms);
  return Dataset::make(
             spec, std::make_unique<NumberReader>(length, std::move(before)))
      .take();
}

} // namespace dpl::rt::testing

#endif // DPL_RUNTIME_TESTING_NUMBERREADER_H
