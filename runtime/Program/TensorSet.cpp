//===- TensorSet.cpp - The parameters or states of a replica --------------===//

#include "runtime/Program/TensorSet.h"

#include <bit>

namespace dpl::rt {

/// Adding one to the exponent carries into the sign exactly where the exponent
/// has all bits set. Integers, so that the compiler makes vectors of it.
bool allFinite(std::span<const float> values) {
  uint32_t carried = 0;
  for (float value : values)
    carried |= (std::bit_cast<uint32_t>(value) & 0x7fffffffu) + 0x00800000u;
  return carried >> 31 == 0;
}

Result<TensorSet> TensorSet::make(std::vector<std::string> names,
                                  std::vector<Shape> shapes, Device &device) {
  int64_t bytes = 0;
  for (const Shape &shape : shapes)
    bytes += roundUp(4 * elementCount(shape), DPL_ALIGNMENT);
  TensorSet set;
  DPL_LET(set.storage, device.allocate(static_cast<size_t>(bytes)));
  std::byte *next = set.storage.data();
  for (size_t i = 0; i < names.size(); ++i) {
    int64_t count = elementCount(shapes[i]);
    set.tensors.push_back({std::move(names[i]), std::move(shapes[i]),
                           std::span<float>(reinterpret_cast<float *>(next),
                                            static_cast<size_t>(count))});
    next += roundUp(4 * count, DPL_ALIGNMENT);
  }
  return set;
}

const Tensor *TensorSet::find(std::string_view name) const {
  for (const Tensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

int64_t TensorSet::byteCount() const {
  int64_t bytes = 0;
  for (const Tensor &tensor : tensors)
    bytes += static_cast<int64_t>(tensor.data.size_bytes());
  return bytes;
}

const Tensor *TensorSet::findNonFinite() const {
  for (const Tensor &tensor : tensors)
    if (!allFinite(tensor.data))
      return &tensor;
  return nullptr;
}

template <typename Spec>
static Result<TensorSet> makeSet(const std::vector<Spec> &specs,
                                 Device &device) {
  std::vector<std::string> names;
  std::vector<Shape> shapes;
  for (const Spec &spec : specs) {
    names.push_back(spec.name);
    shapes.push_back(spec.shape);
  }
  return TensorSet::make(std::move(names), std::move(shapes), device);
}

Result<TensorSet> makeParameters(const Description &description,
                                 Device &device) {
  return makeSet(description.parameters, device);
}

Result<TensorSet> makeStates(const Description &description, Device &device) {
  return makeSet(description.states, device);
}

} // namespace dpl::rt
