//===- TinyRuntime.cpp - Stands for the runtime in a linking test ---------===//
//
// Runs the program's first kernel on the numbers 1, 2, 3 and prints its
// description and the result.
//
//===----------------------------------------------------------------------===//

#include "dpl/abi.h"

#include <iostream>
#include <string>

int main() {
  const dpl_program &program = dpl_main_program;
  if (program.abi_version != DPL_ABI_VERSION || program.kernel_count != 1)
    return 1;
  float values[] = {1, 2, 3};
  alignas(DPL_ALIGNMENT) char arena[4096];
  void *buffers[] = {values, arena};
  int64_t sizes[DPL_SIZE_COUNT] = {};
  program.kernels[0](buffers, sizes);
  std::cout << std::string(program.description, program.description_size)
            << values[0] << values[1] << values[2] << "\n";
  return 0;
}
