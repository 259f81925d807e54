//===- Data/Labels.cpp - Class labels of stored samples -------------------===//

#include "runtime/Data/Labels.h"

#include "runtime/Base/Text.h"

using namespace dpl::rt;

Status dpl::rt::checkLabels(std::span<const std::byte> bytes,
                            const LabelColumn &column) {
  int64_t sample = column.firstSample;
  for (size_t at = 0; at < bytes.size(); at += column.step) {
    const int label = std::to_integer<int>(bytes[at]);
    if (label >= column.classes)
      return Status::error(
          Exit::Data, concat(column.path, ": offset ", column.offset + at,
                             ": the label of sample ", sample, " is ", label,
                             ", but labels are 0 to ", column.classes - 1,
                             "; mend the file or fetch it again"));
    ++sample;
  }
  return Status::success();
}
