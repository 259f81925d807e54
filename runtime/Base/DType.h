//===- Base/DType.h - Element types -----------------------------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_DTYPE_H
#define DPL_RUNTIME_BASE_DTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dpl::rt {

/// The element types that a program's description names.
enum class DType : uint8_t { U8, I32, I64, F32, F64 };

/// Bytes of one element.
size_t dtypeSize(DType type);
/// `u8`, `i32`, `i64`, `f32` or `f64`.
const char *dtypeName(DType type);
/// The inverse of dtypeName.
std::optional<DType> parseDType(std::string_view name);

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_DTYPE_H
