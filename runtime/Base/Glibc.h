//===- Base/Glibc.h - Which C library this program needs --------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_GLIBC_H
#define DPL_RUNTIME_BASE_GLIBC_H

#include <string>

namespace dpl::rt {

/// The oldest version of glibc that this executable runs with, `2.34`: the
/// newest one that it needs a symbol of. Empty where it needs none.
std::string neededGlibc();

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_GLIBC_H
