//===- Commands.h - The subcommands of a trainer ----------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TRAIN_COMMANDS_H
#define DPL_RUNTIME_TRAIN_COMMANDS_H

#include "runtime/Base/Status.h"
#include "runtime/Train/RunConfig.h"

#include "dpl/abi.h"

#include <string>

namespace dpl::rt {

/// Trains; returns the exit code.
Result<int> trainCommand(const dpl_program &program,
                         const Description &description,
                         const RunConfig &config);
/// Evaluates weights on every iterator that training evaluates.
Status evalCommand(const dpl_program &program, const Description &description,
                   const RunConfig &config);
/// Layers, shapes, parameters, FLOPs, kernels, memory plan and target as text.
/// `workers` is the number of threads that the plan is for.
std::string infoText(const dpl_program &program, const Description &description,
                     const RunConfig &config, int workers);
/// Plots a log in the terminal, or into a PNG.
Status plotCommand(const RunConfig &config);

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_COMMANDS_H
