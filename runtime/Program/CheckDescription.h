//===- CheckDescription.h - What parts must agree on ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_PROGRAM_CHECKDESCRIPTION_H
#define DPL_RUNTIME_PROGRAM_CHECKDESCRIPTION_H

#include "runtime/Program/Description.h"

#include <optional>
#include <string>

namespace dpl::rt::desc {

/// Checks a description whose form is sound: names resolve, indices and
/// offsets stay inside their regions, kinds fit their use. Fills in what
/// follows from it (ProgramSpec::inputFields). Sets `error` to the first
/// thing that is wrong.
void checkDescription(Description &description, uint32_t kernelCount,
                      std::optional<std::string> &error);

} // namespace dpl::rt::desc

#endif // DPL_RUNTIME_PROGRAM_CHECKDESCRIPTION_H
