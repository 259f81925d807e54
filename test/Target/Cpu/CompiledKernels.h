//===- CompiledKernels.h - Compiles and runs test kernels ------*- C++ -*-===//

#ifndef DPL_TEST_TARGET_CPU_COMPILEDKERNELS_H
#define DPL_TEST_TARGET_CPU_COMPILEDKERNELS_H

#include "dpl/abi.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace dpl::test {

/// The CPUs that this machine can run code for, as --march takes them: every
/// vector width that it has.
std::vector<std::string> runnableTargets();

/// A target's name as a part of a test's name.
std::string targetName(const testing::TestParamInfo<std::string> &info);

/// Kernels, compiled as a trainer's are and loaded into this process.
class CompiledKernels {
public:
  /// Compiles the functions of `text` (linalg on tensors) for `march`; the
  /// kernels with names in `table` become the program table. Null after a
  /// failure, whose errors are then failures of the test.
  static std::unique_ptr<CompiledKernels>
  compile(const std::string &text, const std::string &march,
          const std::vector<std::string> &table = {},
          const std::string &description = "{}");
  ~CompiledKernels();

  /// Runs a kernel. The arena is passed behind `buffers`, full of NaN, and
  /// must not be written past its end.
  void run(const std::string &kernel, std::vector<void *> buffers,
           const std::vector<int64_t> &sizes = {});

  /// The address of a symbol; null if there is none.
  void *lookup(const std::string &symbol);

  /// The size of a kernel's arena in bytes.
  int64_t arena(const std::string &kernel) const { return arenas.at(kernel); }

private:
  CompiledKernels();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::map<std::string, int64_t> arenas;
};

/// Memory as kernels take it: aligned, with `value` in it.
class Floats {
public:
  explicit Floats(size_t size, float value = 0);
  /// Numbers between -1 and 1 that depend on `seed` alone.
  static Floats random(size_t size, unsigned seed);

  float &operator[](size_t index) { return data[index]; }
  float operator[](size_t index) const { return data[index]; }
  size_t size() const { return length; }
  void *raw() { return data.get(); }

private:
  struct Free {
    void operator()(float *memory) const;
  };
  std::unique_ptr<float[], Free> data;
  size_t length;
};

/// The largest difference between `values` and `expected`, relative to the
/// largest expected magnitude (at least 1); infinite if one is NaN.
double relativeError(const Floats &values, const std::vector<double> &expected);

} // namespace dpl::test

#endif // DPL_TEST_TARGET_CPU_COMPILEDKERNELS_H
