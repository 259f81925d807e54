//===- Data/Elementwise.h - Transforms of each element alone ----*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_ELEMENTWISE_H
#define DPL_RUNTIME_DATA_ELEMENTWISE_H

#include "runtime/Data/Transform.h"

namespace dpl::rt {

/// `to_float`: u8 to f32 in [0, 1], x / 255 correctly rounded.
Result<std::unique_ptr<Transform>> makeToFloat(const FieldType &input,
                                               const Arguments &args);

/// `normalize(mean, std)`: (x - mean) / std of an f32 field, in f32. Both are a
/// number, or a list with one for each channel (index of the first axis).
Result<std::unique_ptr<Transform>> makeNormalize(const FieldType &input,
                                                 const Arguments &args);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_ELEMENTWISE_H
