//===- Data/Field.cpp - Types of fields and records -----------------------===//

#include "runtime/Data/Field.h"

#include "runtime/Base/Text.h"

using namespace dpl::rt;

int64_t FieldType::elements() const {
  int64_t count = 1;
  for (const int64_t size : shape)
    count *= size;
  return count;
}

size_t FieldType::bytes() const {
  return static_cast<size_t>(elements()) * dtypeSize(dtype);
}

std::string FieldType::text() const {
  const std::string element =
      classes ? concat("class(", *classes, ")") : dtypeName(dtype);
  return concat(name, ": ", element, shape.empty() ? "" : shapeText(shape));
}

std::string dpl::rt::recordText(const RecordType &record) {
  std::string text = "(";
  for (const FieldType &field : record)
    text += (text.size() > 1 ? ", " : "") + field.text();
  return text + ")";
}

Status dpl::rt::checkRecord(const RecordType &actual,
                            const RecordType &expected,
                            const std::string &what) {
  if (actual == expected)
    return Status::success();
  return Status::error(Exit::Data,
                       concat(what, " has the fields ", recordText(actual),
                              ", but the program was compiled for ",
                              recordText(expected),
                              "; give other data or change the declaration and "
                              "compile again"));
}
