//===- Data/TransformChain.cpp - Transforms in one pass -------------------===//

#include "runtime/Base/Memory.h"
#include "runtime/Data/Transform.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <span>

using namespace dpl::rt;

using Elements = std::vector<const ElementwiseTransform *>;

/// Copies `count` elements of `type` from element `start` on to f32.
static void loadFloats(DType type, const std::byte *from, int64_t start,
                       int64_t count, float *to) {
  const auto load = [&](auto zero) {
    using T = decltype(zero);
    from += start * static_cast<int64_t>(sizeof(T));
    for (int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, from + i * static_cast<int64_t>(sizeof(T)),
                  sizeof(T));
      to[i] = static_cast<float>(value);
    }
  };
  switch (type) {
  case DType::U8:
    return load(uint8_t{});
  case DType::I32:
    return load(int32_t{});
  case DType::I64:
    return load(int64_t{});
  case DType::F32:
    return load(float{});
  case DType::F64:
    return load(double{});
  }
}

static int64_t channelsOf(const FieldType &type) {
  return type.shape.empty() ? 1 : type.shape.front();
}

/// Maps one sample, in pieces that stay in the first cache from the first
/// transform to the last.
static void mapElements(const FieldType &input,
                        std::span<const ElementwiseTransform *const> elements,
                        const std::byte *in, std::byte *out) {
  constexpr int64_t piece = 1024;
  const int64_t channels = channelsOf(input);
  const int64_t perChannel = input.elements() / channels;
  auto *values = reinterpret_cast<float *>(out);
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t i = 0; i < perChannel; i += piece) {
      const int64_t count = std::min(piece, perChannel - i);
      const int64_t start = channel * perChannel + i;
      loadFloats(input.dtype, in, start, count, values + start);
      for (const ElementwiseTransform *element : elements)
        element->map(values + start, count, channel);
    }
}

static FieldType asFloat(FieldType type) {
  type.dtype = DType::F32;
  type.classes.reset();
  return type;
}

ElementwiseTransform::ElementwiseTransform(const FieldType &input)
    : Transform(input, asFloat(input)) {}

Status ElementwiseTransform::apply(const std::byte *in, std::byte *out) const {
  const ElementwiseTransform *const self = this;
  mapElements(input(), std::span(&self, 1), in, out);
  return Status::success();
}

class TransformChain::Stage {
public:
  virtual ~Stage() = default;
  virtual Status apply(const std::byte *in, std::byte *out) const = 0;
};

namespace {
/// Elementwise transforms from a type that is not u8.
class FusedStage final : public TransformChain::Stage {
public:
  FusedStage(FieldType input, Elements elements)
      : input(std::move(input)), elements(std::move(elements)) {}
  Status apply(const std::byte *in, std::byte *out) const override {
    mapElements(input, elements, in, out);
    return Status::success();
  }

private:
  FieldType input;
  Elements elements;
};

/// Elementwise transforms from u8: 256 results, for each channel if they
/// differ.
class TableStage final : public TransformChain::Stage {
public:
  TableStage(const FieldType &input, const Elements &elements, bool perChannel)
      : tables(static_cast<size_t>(perChannel ? channelsOf(input) : 1)),
        perTable(input.elements() / static_cast<int64_t>(tables.size())) {
    for (size_t channel = 0; channel < tables.size(); ++channel) {
      for (size_t value = 0; value < 256; ++value)
        tables[channel][value] = static_cast<float>(value);
      for (const ElementwiseTransform *element : elements)
        element->map(tables[channel].data(), 256,
                     static_cast<int64_t>(channel));
    }
  }
  Status apply(const std::byte *in, std::byte *out) const override {
    auto *values = reinterpret_cast<float *>(out);
    for (const auto &table : tables)
      for (int64_t i = 0; i < perTable; ++i)
        *values++ = table[std::to_integer<size_t>(*in++)];
    return Status::success();
  }

private:
  std::vector<std::array<float, 256>> tables;
  int64_t perTable;
};

/// One transform of the whole sample.
class WholeStage final : public TransformChain::Stage {
public:
  explicit WholeStage(const Transform &transform) : transform(transform) {}
  Status apply(const std::byte *in, std::byte *out) const override {
    return transform.apply(in, out);
  }

private:
  const Transform &transform;
};
} // namespace

static std::unique_ptr<TransformChain::Stage>
makeElementwiseStage(const Elements &elements) {
  const FieldType &input = elements.front()->input();
  const bool perChannel =
      std::any_of(elements.begin(), elements.end(),
                  [](const auto *element) { return element->perChannel(); });
  // Channels with few elements would read more table than data.
  const bool worthTable =
      !perChannel || input.elements() / channelsOf(input) >= 64;
  if (input.dtype == DType::U8 && worthTable)
    return std::make_unique<TableStage>(input, elements, perChannel);
  return std::make_unique<FusedStage>(input, elements);
}

TransformChain::TransformChain(FieldType input) : input(std::move(input)) {}
TransformChain::TransformChain(TransformChain &&) = default;
TransformChain::~TransformChain() = default;

const FieldType &TransformChain::output() const {
  return transforms.empty() ? input : transforms.back()->output();
}

Status TransformChain::add(const std::string &name, const Arguments &args) {
  DPL_LET(std::unique_ptr<Transform> transform,
          makeTransform(name, output(), args));
  add(std::move(transform));
  return Status::success();
}

void TransformChain::add(std::unique_ptr<Transform> transform) {
  assert(stages.empty() && "the chain is finished");
  assert(transform->input() == output() && "the chain is broken");
  transforms.push_back(std::move(transform));
}

void TransformChain::finish() {
  for (size_t i = 0; i < transforms.size();) {
    Elements elements;
    while (i + elements.size() < transforms.size() &&
           transforms[i + elements.size()]->elementwise())
      elements.push_back(transforms[i + elements.size()]->elementwise());
    if (elements.empty())
      stages.push_back(std::make_unique<WholeStage>(*transforms[i]));
    else
      stages.push_back(makeElementwiseStage(elements));
    i += std::max<size_t>(elements.size(), 1);
  }
}

/// Values between stages change places between two halves.
size_t TransformChain::scratchBytes() const {
  if (stages.size() < 2)
    return 0;
  size_t largest = 0;
  for (const auto &transform : transforms)
    largest = std::max(largest, transform->output().bytes());
  return 2 * static_cast<size_t>(
                 roundUp(static_cast<int64_t>(largest), DPL_ALIGNMENT));
}

Status TransformChain::apply(const std::byte *in, std::byte *out,
                             std::byte *scratch) const {
  if (stages.empty()) {
    std::memcpy(out, in, input.bytes());
    return Status::success();
  }
  const size_t half = scratchBytes() / 2;
  for (size_t i = 0; i < stages.size(); ++i) {
    std::byte *to = i + 1 == stages.size() ? out : scratch + i % 2 * half;
    DPL_TRY(stages[i]->apply(in, to));
    in = to;
  }
  return Status::success();
}
