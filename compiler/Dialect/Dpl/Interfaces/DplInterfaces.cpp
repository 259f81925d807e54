//===- DplInterfaces.cpp - Interfaces of the primitives -------------------===//

#include "compiler/Dialect/Dpl/Interfaces/DplInterfaces.h"

using namespace mlir;

dpl::Structure dpl::elementwiseStructure(ArrayRef<int64_t> shape,
                                         unsigned operands,
                                         MLIRContext *context) {
  Structure s;
  s.domain.assign(shape.begin(), shape.end());
  s.iterators.assign(shape.size(), utils::IteratorType::parallel);
  s.output = AffineMap::getMultiDimIdentityMap(shape.size(), context);
  s.inputs.assign(operands, s.output);
  return s;
}

#include "compiler/Dialect/Dpl/Interfaces/DplInterfaces.cpp.inc"
