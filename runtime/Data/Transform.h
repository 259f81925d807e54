//===- Data/Transform.h - What happens to a field ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_TRANSFORM_H
#define DPL_RUNTIME_DATA_TRANSFORM_H

#include "runtime/Base/Status.h"
#include "runtime/Data/Arguments.h"
#include "runtime/Data/Field.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace dpl::rt {

class ElementwiseTransform;

/// One step from a field's value to another value of that field. It has no
/// state that changes, so any number of threads may apply it.
class Transform {
public:
  virtual ~Transform() = default;
  /// The type of the field behind it.
  virtual const FieldType &output() const = 0;
  /// Reads one sample at `in`, writes one at `out`; they do not overlap.
  virtual Status apply(const std::byte *in, std::byte *out) const = 0;
  /// Itself, when it works on each element alone; such ones are fused.
  virtual const ElementwiseTransform *elementwise() const { return nullptr; }
};

/// A transform of each element alone, in f32. A chain of them is one pass over
/// the sample, and a table of 256 values for each channel when it starts at
/// u8; both give the bits of one transform after the other.
class ElementwiseTransform {
public:
  virtual ~ElementwiseTransform() = default;
  /// Maps `count` values of one channel (index of the first axis) in place. A
  /// u8 element comes as its number.
  virtual void map(float *values, int64_t count, int64_t channel) const = 0;
};

/// Makes a transform for a field of type `input`. Errors are Exit::Usage.
using TransformFactory = Result<std::unique_ptr<Transform>> (*)(
    const FieldType &input, const Arguments &args);

/// Registers a transform under the name that source files use.
struct TransformRegistration {
  TransformRegistration(const char *name, TransformFactory factory);
};

Result<std::unique_ptr<Transform>> makeTransform(const std::string &name,
                                                 const FieldType &input,
                                                 const Arguments &args);
/// Registered names, sorted.
std::vector<std::string> transformNames();

/// Transforms of one field, in order, made ready to run.
class TransformChain {
public:
  explicit TransformChain(FieldType input);
  TransformChain(TransformChain &&);
  ~TransformChain();

  /// Adds a transform of the present output type.
  Status add(const std::string &name, const Arguments &args);
  /// Fuses; call it once, after the last add.
  void finish();

  const FieldType &output() const;
  /// Bytes that apply needs as scratch, aligned to DPL_ALIGNMENT.
  size_t scratchBytes() const;
  /// One sample from `in` to `out`.
  Status apply(const std::byte *in, std::byte *out, std::byte *scratch) const;

private:
  struct Stage;
  FieldType input;
  std::vector<std::unique_ptr<Transform>> transforms;
  std::vector<std::unique_ptr<Stage>> stages;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_TRANSFORM_H
