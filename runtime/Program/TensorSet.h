//===- TensorSet.h - The parameters or states of a replica ------*- C++ -*-===//
//
// Named f32 tensors in C order in one aligned allocation. Their order is that
// of the description; lookups by name are for snapshots and reports only.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_TENSORSET_H
#define DPL_RUNTIME_PROGRAM_TENSORSET_H

#include "runtime/Base/Memory.h"
#include "runtime/Device/Device.h"
#include "runtime/Program/Description.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpl::rt {

/// One tensor of a set; `data` is owned by the set.
struct Tensor {
  std::string name;
  Shape shape;
  std::span<float> data;
};

class TensorSet {
public:
  TensorSet() = default;
  /// Zero-filled tensors in memory of `device`, each aligned to DPL_ALIGNMENT.
  static Result<TensorSet> make(std::vector<std::string> names,
                                std::vector<Shape> shapes, Device &device);

  size_t size() const { return tensors.size(); }
  Tensor &operator[](size_t index) { return tensors[index]; }
  const Tensor &operator[](size_t index) const { return tensors[index]; }
  auto begin() const { return tensors.begin(); }
  auto end() const { return tensors.end(); }

  /// All of them in one piece, in their order, with the zeros between them.
  std::span<float> all() const {
    return {storage.as<float>(), storage.size() / sizeof(float)};
  }

  /// The tensor of that name, or null.
  const Tensor *find(std::string_view name) const;
  /// Bytes of all tensors without padding.
  int64_t byteCount() const;
  /// The first tensor that holds a NaN or an infinity, or null.
  const Tensor *findNonFinite() const;

private:
  AlignedMemory storage;
  std::vector<Tensor> tensors;
};

/// Whether no value is a NaN or an infinity.
bool allFinite(std::span<const float> values);

Result<TensorSet> makeParameters(const Description &description,
                                 Device &device);
Result<TensorSet> makeStates(const Description &description, Device &device);

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_TENSORSET_H
