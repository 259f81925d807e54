//===- Tensor.cpp - Tensors of the reference evaluator --------------------===//

#include "compiler/Reference/Tensor.h"

using namespace dpl;
using namespace dpl::reference;
using llvm::ArrayRef;

int64_t dpl::reference::elementCount(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

Shape dpl::reference::strides(ArrayRef<int64_t> shape) {
  Shape s(shape.size(), 1);
  for (int64_t i = (int64_t)shape.size() - 2; i >= 0; --i)
    s[i] = s[i + 1] * shape[i + 1];
  return s;
}

std::vector<int64_t> dpl::reference::offsets(ArrayRef<int64_t> sizes,
                                             ArrayRef<int64_t> steps) {
  std::vector<int64_t> result = {0};
  for (unsigned axis = 0; axis < sizes.size(); ++axis) {
    std::vector<int64_t> longer;
    longer.reserve(result.size() * sizes[axis]);
    for (int64_t base : result)
      for (int64_t i = 0; i < sizes[axis]; ++i)
        longer.push_back(base + i * steps[axis]);
    result = std::move(longer);
  }
  return result;
}
