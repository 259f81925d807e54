//===- SourceProgram.h - A random program, by layers ------------*- C++ -*-===//

#ifndef DPL_TEST_RANDOM_SOURCEPROGRAM_H
#define DPL_TEST_RANDOM_SOURCEPROGRAM_H

#include "test/Random/Choice.h"

#include <string>

namespace dpl::test {

/// The text of a program whose model is random: layers of the prelude and of
/// its own, shared layers and values that several others use, two inputs, with
/// a random loss, metrics and solver.
std::string randomProgram(const Choice &choice);

} // namespace dpl::test

#endif // DPL_TEST_RANDOM_SOURCEPROGRAM_H
