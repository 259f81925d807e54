//===- Initializer.h - Initial values of parameters and states --*- C++ -*-===//
//
// An initial value is a function of (seed, name, element index), counter based
// (Base/Random.h). So values do not depend on the order of initialisation, on
// threads, or on which other parameters exist.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_INITIALIZER_H
#define DPL_RUNTIME_PROGRAM_INITIALIZER_H

#include "runtime/Program/Description.h"
#include "runtime/Program/TensorSet.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace dpl::rt {

/// Fills `out` with the initial values of the tensor `name`:
///   he_uniform  uniform in [-b, b), b = sqrt(6 / fan_in) (He et al., 2015)
///   uniform     uniform in [low, high)
///   normal      mean + std * z, z standard normal
///   zeros, ones, constant
void initialize(const desc::InitSpec &init, uint64_t seed,
                std::string_view name, std::span<float> out);

/// Gives every tensor of both sets its initial value.
void initializeAll(const Description &description, uint64_t seed,
                   TensorSet &parameters, TensorSet &states);

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_INITIALIZER_H
