//===- Primitives.cpp - arguments of primitives ---------------------------===//

#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

const Primitive *importer::findPrimitive(llvm::StringRef name) {
  for (llvm::ArrayRef<Primitive> table :
       {mathPrimitives(), shapePrimitives(), indexPrimitives(),
        windowPrimitives(), randomPrimitives()})
    for (const Primitive &primitive : table)
      if (primitive.name == name)
        return &primitive;
  return nullptr;
}

FailureOr<Tensor> PrimitiveCall::tensor(unsigned i) {
  if (auto *tensor = values[i].as<Tensor>())
    return *tensor;
  if (values[i].asNumber() || values[i].asScalar())
    return tensors.splat(values[i], TensorType{});
  return report(diag::not_a_tensor, at, values[i].text());
}

FailureOr<Tensor> PrimitiveCall::floatTensor(unsigned i) {
  FailureOr<Tensor> x = tensor(i);
  if (succeeded(x) && !isFloat(x->type.element))
    return report(diag::needs_float, at, function->name.text, x->type.text());
  return x;
}

Shape PrimitiveCall::ints(unsigned i) const {
  Shape result;
  for (const Value &v : *values[i].asList())
    result.push_back(*v.as<int64_t>());
  return result;
}

Shape PrimitiveCall::entries(unsigned i, size_t count) const {
  Shape given = ints(i);
  if (given.size() == 1)
    given.assign(count, given[0]);
  return given;
}

FailureOr<Shape> PrimitiveCall::sizes(unsigned i) {
  Shape result = ints(i);
  for (int64_t n : result)
    if (n < 1)
      return report(diag::size_positive, at, values[i].text(), n);
  return result;
}

FailureOr<Shape> PrimitiveCall::axes(unsigned i, int64_t rank) {
  Shape result;
  for (int64_t axis : ints(i)) {
    if (axis < -rank || axis >= rank) {
      tensors.context.reportShape("axis_range",
                                  "axis " + llvm::Twine(axis) + " of " +
                                      llvm::Twine(rank) + " axes",
                                  at);
      return failure();
    }
    result.push_back(axis < 0 ? axis + rank : axis);
  }
  llvm::sort(result);
  return result;
}

FailureOr<int64_t> PrimitiveCall::axis(unsigned i, int64_t rank) {
  Value single = Value::list({values[i]});
  std::swap(values[i], single);
  FailureOr<Shape> result = axes(i, rank);
  std::swap(values[i], single);
  return failed(result) ? FailureOr<int64_t>(failure()) : (*result)[0];
}
