//===- ParseNumber.h - Numbers from flags and variables ---------*- C++ -*-===//
//
// `origin` is the flag or environment variable that an error names; errors are
// Exit::Usage. The whole text has to be the number.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_PARSENUMBER_H
#define DPL_RUNTIME_TRAIN_PARSENUMBER_H

#include "runtime/Base/Status.h"

#include <cstdint>
#include <string>

namespace dpl::rt {

/// An integer from `least` to `most`.
Result<int64_t> parseInteger(const std::string &text, const std::string &origin,
                             int64_t least, int64_t most = INT64_MAX);
/// A finite number.
Result<double> parseReal(const std::string &text, const std::string &origin);
/// true, false, 1, 0, yes, no, on, off.
Result<bool> parseBool(const std::string &text, const std::string &origin);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_PARSENUMBER_H
