//===- RandomInputs.cpp - Random values for a step to run on --------------===//

#include "compiler/Reference/RandomInputs.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

using Range = std::pair<double, double>;

static Tensor randomTensor(ArrayRef<int64_t> shape, Range range,
                           Random &random) {
  Tensor t(shape);
  for (double &v : t.data)
    v = random.uniform(range.first, range.second);
  return t;
}

/// Where the values of a parameter or state lie.
static Range rangeOf(DictionaryAttr init) {
  auto number = [&](StringRef name, double otherwise) {
    Attribute a = init.get(name);
    if (auto f = dyn_cast_or_null<FloatAttr>(a))
      return f.getValueAsDouble();
    if (auto i = dyn_cast_or_null<IntegerAttr>(a))
      return (double)i.getInt();
    return otherwise;
  };
  auto around = [](double middle) {
    constexpr double spread = 0.3;
    return Range(middle - spread, middle + spread);
  };
  auto kind = init.getAs<StringAttr>("kind");
  StringRef name = kind ? kind.getValue() : "";
  if (name == "he_uniform") {
    double bound = std::sqrt(6 / number("fan_in", 1));
    return {-bound, bound};
  }
  if (name == "normal") {
    // A uniform distribution of the same mean and variance.
    double half = number("std", 1) * std::sqrt(3.0), mean = number("mean", 0);
    return {mean - half, mean + half};
  }
  if (name == "uniform" || name == "truncated_normal")
    return {number("low", 0), number("high", 1)};
  return around(name == "ones"       ? 1
                : name == "constant" ? number("value", 0)
                                     : 0);
}

static LogicalResult evaluateSettings(ModuleOp module, Store &store) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || func.getBody().front().getOps<SettingOp>().empty())
      continue;
    std::vector<BatchValue> none(func.getNumArguments(),
                                 BatchValue::uniform(Tensor()));
    if (failed(Evaluator(module, store, 1).run(func, std::move(none))))
      return failure();
  }
  return success();
}

LogicalResult dpl::reference::fillStore(ModuleOp module, Random &random,
                                        Store &store) {
  for (Operation &op : module.getOps()) {
    auto fill = [&](auto tensor) {
      store.tensors[tensor.getSymName()] =
          randomTensor(cast<RankedTensorType>(tensor.getType()).getShape(),
                       rangeOf(tensor.getInit()), random);
    };
    if (auto parameter = dyn_cast<ParameterOp>(op))
      fill(parameter);
    else if (auto state = dyn_cast<StateOp>(op))
      fill(state);
    else if (auto option = dyn_cast<OptionOp>(op)) {
      if (auto f = dyn_cast<FloatAttr>(option.getValue()))
        store.options[option.getSymName()] = f.getValueAsDouble();
      else if (auto i = dyn_cast<IntegerAttr>(option.getValue()))
        store.options[option.getSymName()] =
            (double)i.getValue().getSExtValue();
    }
  }
  return evaluateSettings(module, store);
}

/// Number of classes of the field that a step's argument takes; 0 if it has
/// none or the module does not say.
static int64_t classesOf(func::FuncOp step, unsigned argument) {
  auto name =
      step.getArgAttrOfType<StringAttr>(argument, DplDialect::kFieldAttr);
  auto iteratorName =
      step->getAttrOfType<StringAttr>(DplDialect::kIteratorAttr);
  if (!name || !iteratorName)
    return 0;
  SymbolTable symbols(step->getParentOfType<ModuleOp>());
  auto iterator = symbols.lookup<IteratorOp>(iteratorName.getValue());
  auto dataset =
      iterator ? symbols.lookup<DatasetOp>(iterator.getDataset()) : DatasetOp();
  if (!dataset)
    return 0;
  for (auto field : dataset.getFields().getAsRange<DictionaryAttr>())
    if (field.getAs<StringAttr>("name") == name)
      if (auto classes = field.getAs<IntegerAttr>("classes"))
        return classes.getInt();
  return 0;
}

std::vector<BatchValue> dpl::reference::randomArguments(func::FuncOp step,
                                                        Random &random,
                                                        int64_t samples) {
  std::vector<BatchValue> arguments;
  for (auto [i, type] : llvm::enumerate(step.getArgumentTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    Type element = tensor.getElementType();
    int64_t classes = classesOf(step, i);
    int64_t top = classes ? classes - 1 : element.isInteger(8) ? 255 : 1;
    auto draw = [&] {
      Tensor t = randomTensor(tensor.getShape(), {-1, 1}, random);
      if (isa<IntegerType>(element))
        for (double &v : t.data)
          v = random.between(0, top);
      return t;
    };
    BatchValue value;
    value.perSample = isPerSample(type);
    for (int64_t s = 0; s < (value.perSample ? samples : 1); ++s)
      value.tensors.push_back(draw());
    arguments.push_back(std::move(value));
  }
  return arguments;
}
