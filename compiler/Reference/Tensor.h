//===- Tensor.h - Tensors of the reference evaluator ------------*- C++ -*-===//
//
// Plain f64 tensors in C order. Integers and booleans are whole numbers in
// f64: every i32 is exact there.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_REFERENCE_TENSOR_H
#define DPL_REFERENCE_TENSOR_H

#include "compiler/Dialect/Dpl/IR/ShapeRules.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace dpl::reference {

/// Number of elements of a shape; 1 for a scalar.
int64_t elementCount(llvm::ArrayRef<int64_t> shape);

/// Strides of a C-ordered tensor, in elements.
Shape strides(llvm::ArrayRef<int64_t> shape);

/// Offsets of all places of a loop nest of `sizes`, in C order, when a step
/// of loop i moves by `steps[i]` elements.
std::vector<int64_t> offsets(llvm::ArrayRef<int64_t> sizes,
                             llvm::ArrayRef<int64_t> steps);

/// The instance of a tensor for one sample, or a uniform one.
struct Tensor {
  Tensor() : data(1, 0.0) {}
  explicit Tensor(llvm::ArrayRef<int64_t> shape, double fill = 0)
      : shape(shape), data(elementCount(shape), fill) {}

  int64_t size() const { return data.size(); }
  int64_t rank() const { return shape.size(); }
  double &operator[](int64_t i) { return data[i]; }
  double operator[](int64_t i) const { return data[i]; }

  Shape shape;
  std::vector<double> data;
};

/// A value of the IR: one tensor, or one for each true sample of the batch.
struct BatchValue {
  static BatchValue uniform(Tensor t) { return {{std::move(t)}, false}; }
  static BatchValue samples(std::vector<Tensor> t) {
    return {std::move(t), true};
  }

  /// What sample `i` sees.
  const Tensor &at(int64_t i) const { return tensors[perSample ? i : 0]; }

  std::vector<Tensor> tensors;
  bool perSample = false;
};

} // namespace dpl::reference

#endif // DPL_REFERENCE_TENSOR_H
