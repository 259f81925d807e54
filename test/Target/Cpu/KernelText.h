//===- KernelText.h - Writes test kernels in linalg ------------*- C++ -*-===//
//
// Builds the text of kernels as the CPU target takes them (the contract is in
// compiler/Target/Cpu/Phases.h): memref arguments, linalg on tensors inside.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TEST_TARGET_CPU_KERNELTEXT_H
#define DPL_TEST_TARGET_CPU_KERNELTEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace dpl::test {

using Shape = std::vector<int64_t>;

/// A value inside a kernel.
struct Tensor {
  std::string name;
  Shape shape;
  std::string element = "f32";

  std::string type() const;
};

/// One operation over an index domain.
struct Generic {
  std::string domain;            ///< loops, "n h w c"
  std::string reductions;        ///< those of them that are summed over
  std::vector<Tensor> inputs;    ///< %a0, %a1, .. of the body
  std::vector<std::string> maps; ///< index of each input, "n, h + i, c"
  std::vector<Tensor> outputs;   ///< initial values, %o0, .. of the body
  std::string map;               ///< index of the outputs
  std::vector<std::string> body; ///< operations; the last entry is yielded
};

/// The text of one `func.func`.
class KernelText {
public:
  explicit KernelText(std::string name) : name(std::move(name)) {}

  /// An argument that is read. `stride` is the distance of its rows in
  /// elements, 0 if it is contiguous.
  Tensor input(const Shape &shape, const std::string &element = "f32",
               int64_t stride = 0);
  /// An argument that is written by store(), and may be read before.
  Tensor output(const Shape &shape, const std::string &element = "f32");
  /// An argument that is read from place `place` of the sizes.
  std::string size(int place);

  /// Values for the outputs of an operation.
  Tensor empty(const Shape &shape, const std::string &element = "f32");
  Tensor fill(const Shape &shape, const std::string &value = "0.0");
  /// A buffer of its own, filled with zeros.
  Tensor zeros(const Shape &shape);

  std::vector<Tensor> generic(const Generic &op);
  /// An elementwise operation without reductions, on tensors of one shape.
  Tensor map(const std::vector<Tensor> &inputs,
             const std::vector<std::string> &body);
  /// The sum of products over `reductions`, into `into`.
  Tensor contract(const std::string &domain, const std::string &reductions,
                  const Tensor &a, const std::string &mapA, const Tensor &b,
                  const std::string &mapB, const Tensor &into,
                  const std::string &mapInto);
  Tensor slice(const Tensor &x, const Shape &offsets, const Shape &sizes,
               const Shape &strides);
  Tensor insert(const Tensor &x, const Tensor &into, const Shape &offsets,
                const Shape &strides);
  /// Adds an operation whose text follows the equals sign.
  Tensor emit(const Shape &shape, const std::string &element,
              const std::string &text);

  /// Writes `value` to `output`, an output() of this kernel.
  void store(const Tensor &value, const Tensor &output);

  std::string text() const;

private:
  Tensor argument(const Shape &shape, const std::string &element,
                  int64_t stride, const std::string &access);
  std::string fresh() { return "%v" + std::to_string(next++); }

  std::string name;
  std::vector<std::string> arguments;
  std::string body;
  int next = 0;
};

/// max(x, 0) of input %a0, as the body of an operation.
std::vector<std::string> reluBody();

} // namespace dpl::test

#endif // DPL_TEST_TARGET_CPU_KERNELTEXT_H
