//===- Device/Cpu/Instructions.cpp - What this processor can run ----------===//

#include "runtime/Device/Cpu/Instructions.h"

#include "dpl/cpu_features.h"

using namespace dpl::rt;

bool dpl::rt::cpuHas(std::string_view feature) {
#if defined(__x86_64__)
#define DPL_ASK(name)                                                          \
  if (feature == name)                                                         \
    return __builtin_cpu_supports(name);
  DPL_X86_FEATURES(DPL_ASK)
#undef DPL_ASK
#endif
  return false;
}

std::vector<std::string>
dpl::rt::missingFeatures(std::span<const std::string> features) {
  std::vector<std::string> missing;
  for (const std::string &feature : features)
    if (!cpuHas(feature))
      missing.push_back(feature);
  return missing;
}

const char *dpl::rt::cpuLevel() {
#if defined(__x86_64__)
  const auto all = [](std::initializer_list<const char *> features) {
    for (const char *feature : features)
      if (!cpuHas(feature))
        return false;
    return true;
  };
  if (!all({"ssse3", "sse4.1", "sse4.2", "popcnt"}))
    return "x86-64";
  if (!all({"avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"}))
    return "x86-64-v2";
  if (!all({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}))
    return "x86-64-v3";
  return "x86-64-v4";
#else
  return "native";
#endif
}
