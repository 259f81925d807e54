//===- Base/DType.cpp - Element types -------------------------------------===//

#include "runtime/Base/DType.h"

#include <array>

using namespace dpl::rt;

namespace {
struct Entry {
  const char *name;
  size_t size;
};
} // namespace

/// In the order of the enumeration.
static constexpr std::array<Entry, 5> entries = {
    {{"u8", 1}, {"i32", 4}, {"i64", 8}, {"f32", 4}, {"f64", 8}}};

size_t dpl::rt::dtypeSize(DType type) {
  return entries[static_cast<size_t>(type)].size;
}

const char *dpl::rt::dtypeName(DType type) {
  return entries[static_cast<size_t>(type)].name;
}

std::optional<DType> dpl::rt::parseDType(std::string_view name) {
  for (size_t i = 0; i < entries.size(); ++i)
    if (name == entries[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}
