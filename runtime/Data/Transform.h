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
  Transform(FieldType input, FieldType output)
      : input_(std::move(input)), output_(std::move(output)) {}
  virtual ~Transform() = default;
  /// The types of the field before and behind it.
  const FieldType &input() const { return input_; }
  const FieldType &output() const { return output_; }
  /// Reads one sample at `in`, writes one at `out`; they do not overlap.
  virtual Status apply(const std::byte *in, std::byte *out) const = 0;
  /// Itself, when it works on each element alone; such ones are fused.
  virtual const ElementwiseTransform *elementwise() const { return nullptr; }

private:
  FieldType input_, output_;
};

/// A transform of each element alone, in f32; its output is f32. A chain of
/// them is one pass over the sample, and a table of 256 values when it starts
/// at u8; both give the bits of one transform after the other.
class ElementwiseTransform : public Transform {
public:
  /// `input` may have any element type.
  explicit ElementwiseTransform(const FieldType &input);
  /// Whether map depends on the channel.
  virtual bool perChannel() const = 0;
  /// Maps `count` values of one channel (index of the first axis) in place.
  /// Integers come as their value rounded to f32.
  virtual void map(float *values, int64_t count, int64_t channel) const = 0;

  Status apply(const std::byte *in, std::byte *out) const final;
  const ElementwiseTransform *elementwise() const final { return this; }
};

/// Makes a transform for a field of type `input`. Errors are Exit::Usage.
using TransformFactory = Result<std::unique_ptr<Transform>> (*)(
    const FieldType &input, const Arguments &args);

/// Makes the transform called `name`; an unknown name is Exit::Usage.
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

  /// Adds a transform, whose input is the present output.
  Status add(const std::string &name, const Arguments &args);
  void add(std::unique_ptr<Transform> transform);
  /// Fuses; call it once, after the last add.
  void finish();

  const FieldType &output() const;
  /// Bytes that apply needs as scratch.
  size_t scratchBytes() const;
  /// One sample from `in` to `out`; `scratch` is aligned to DPL_ALIGNMENT.
  Status apply(const std::byte *in, std::byte *out, std::byte *scratch) const;

  /// A stretch of the chain that is one pass over the sample.
  class Stage;

private:
  FieldType input;
  std::vector<std::unique_ptr<Transform>> transforms;
  std::vector<std::unique_ptr<Stage>> stages;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_TRANSFORM_H
