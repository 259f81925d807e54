//===- Data/Field.h - Types of fields and records ---------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_FIELD_H
#define DPL_RUNTIME_DATA_FIELD_H

#include "runtime/Base/DType.h"
#include "runtime/Base/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpl::rt {

/// One named value of a sample. A class label is i32 with `classes` set; its
/// values are 0 .. classes - 1.
struct FieldType {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape; ///< of one sample, C order; empty for a number
  std::optional<int64_t> classes;

  int64_t elements() const;
  /// Bytes of one sample.
  size_t bytes() const;
  /// `x: u8[1, 28, 28]`, `y: class(10)`.
  std::string text() const;
  bool operator==(const FieldType &) const = default;
};

/// The fields of a sample, in order.
using RecordType = std::vector<FieldType>;

/// `(x: u8[1, 28, 28], y: class(10))`.
std::string recordText(const RecordType &record);

/// Exit::Data with both types when they are not the same; `what` says what
/// `actual` is, `expected` what the program was compiled for.
Status checkRecord(const RecordType &actual, const RecordType &expected,
                   const std::string &what);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_FIELD_H
