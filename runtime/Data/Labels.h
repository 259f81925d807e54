//===- Data/Labels.h - Class labels of stored samples -----------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_LABELS_H
#define DPL_RUNTIME_DATA_LABELS_H

#include "runtime/Base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dpl::rt {

/// Labels of one byte in a file, one every `step` bytes.
struct LabelColumn {
  const std::string &path;
  size_t offset; ///< of the first label in the file
  size_t step;
  int64_t classes;
  /// The number that the first sample of the file has in the data set.
  int64_t firstSample = 0;
};

/// Exit::Data unless each label is 0 .. classes - 1; names the file, the
/// offset, the sample and both values. `bytes` start at the first label.
Status checkLabels(std::span<const std::byte> bytes, const LabelColumn &column);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_LABELS_H
