//===- Device/Cpu/Instructions.h - What this processor can run --*- C++ -*-===//

#ifndef DPL_RUNTIME_DEVICE_CPU_INSTRUCTIONS_H
#define DPL_RUNTIME_DEVICE_CPU_INSTRUCTIONS_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpl::rt {

/// Whether this processor, and its system, run the instruction set of that name
/// (see dpl/cpu_features.h). False for a name that is not in the list.
bool cpuHas(std::string_view feature);

/// Those of `features` that this processor lacks, in their order.
std::vector<std::string> missingFeatures(std::span<const std::string> features);

/// The highest level of x86-64 that this processor has, as --march of the
/// compiler takes it; `native` on other architectures.
const char *cpuLevel();

} // namespace dpl::rt

#endif // DPL_RUNTIME_DEVICE_CPU_INSTRUCTIONS_H
