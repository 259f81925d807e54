//===- Initializer.cpp - Initial values of parameters and states ----------===//

#include "runtime/Program/Initializer.h"

#include "runtime/Base/Random.h"

#include <algorithm>
#include <cmath>

namespace dpl::rt {

void initialize(const desc::InitSpec &init, uint64_t seed,
                std::string_view name, std::span<float> out) {
  RandomKey key = initialKey(seed, name);
  switch (init.kind) {
  case desc::InitKind::HeUniform: {
    auto bound =
        static_cast<float>(std::sqrt(6.0 / static_cast<double>(init.fanIn)));
    return fillUniform(out, key, -bound, bound);
  }
  case desc::InitKind::Uniform:
    return fillUniform(out, key, static_cast<float>(init.low),
                       static_cast<float>(init.high));
  case desc::InitKind::Normal:
    return fillNormal(out, key, static_cast<float>(init.mean),
                      static_cast<float>(init.std));
  case desc::InitKind::TruncatedNormal:
    return fillTruncatedNormal(out, key, init.mean, init.std, init.low,
                               init.high);
  case desc::InitKind::Zeros:
    std::fill(out.begin(), out.end(), 0.0f);
    return;
  case desc::InitKind::Ones:
    std::fill(out.begin(), out.end(), 1.0f);
    return;
  case desc::InitKind::Constant:
    std::fill(out.begin(), out.end(), static_cast<float>(init.constant));
    return;
  }
}

void initializeAll(const Description &description, uint64_t seed,
                   TensorSet &parameters, TensorSet &states) {
  for (size_t i = 0; i < parameters.size(); ++i)
    initialize(description.parameters[i].init, seed, parameters[i].name,
               parameters[i].data);
  for (size_t i = 0; i < states.size(); ++i)
    initialize(description.states[i].init, seed, states[i].name,
               states[i].data);
}

} // namespace dpl::rt
