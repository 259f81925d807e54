//===- Evaluator.cpp - Reference evaluation of dpl functions --------------===//

#include "compiler/Reference/Evaluator.h"
#include "compiler/Reference/Primitives.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

FailureOr<std::vector<BatchValue>>
Evaluator::run(func::FuncOp func, std::vector<BatchValue> arguments) {
  written.clear();
  FailureOr<std::vector<BatchValue>> results = call(func, std::move(arguments));
  if (failed(results))
    return failure();
  for (auto &entry : written)
    store.tensors[entry.getKey()] = std::move(entry.getValue());
  return results;
}

FailureOr<std::vector<BatchValue>>
Evaluator::call(func::FuncOp func, std::vector<BatchValue> arguments) {
  assert(arguments.size() == func.getNumArguments() &&
         "wrong number of arguments");
  Values values;
  for (auto [argument, value] : llvm::zip(func.getArguments(), arguments))
    values[argument] = std::move(value);
  Block &body = func.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(evaluate(&op, values)))
      return failure();
  std::vector<BatchValue> results;
  for (Value v : body.getTerminator()->getOperands())
    results.push_back(values.lookup(v));
  return results;
}

LogicalResult Evaluator::evaluate(Operation *op, Values &values) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return evaluateCall(call, values);
  if (isa<ReadOp, WriteOp, OptionValueOp, SettingOp, SettingValueOp, ReportOp>(
          op))
    return evaluateProgramOp(op, values);
  if (isa<RandomKeyOp, SampleIndexOp>(op)) {
    values[op->getResult(0)] = evaluateCounter(op);
    return success();
  }
  bool crosses =
      isa<BatchSumOp, BatchSpreadOp, BatchContractOp, BatchCountOp>(op);
  FailureOr<BatchValue> result =
      crosses ? evaluateBatchOp(op, values) : evaluateEachSample(op, values);
  if (failed(result))
    return failure();
  if (observer) {
    SmallVector<const BatchValue *> operands;
    for (Value v : op->getOperands())
      operands.push_back(&values.find(v)->second);
    observer(op, operands, *result);
  }
  values[op->getResult(0)] = std::move(*result);
  return success();
}

LogicalResult Evaluator::evaluateCall(func::CallOp op, Values &values) {
  auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
  if (!callee || callee.isExternal())
    return op.emitError("calls @") << op.getCallee() << ", which has no body";
  std::vector<BatchValue> arguments;
  for (Value v : op.getOperands())
    arguments.push_back(values.lookup(v));
  auto results = call(callee, std::move(arguments));
  if (failed(results))
    return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), *results))
    values[result] = std::move(value);
  return success();
}

/// `name` of `map` as a uniform value.
template <typename Map>
static LogicalResult lookUp(Operation *op, const Map &map, StringRef name,
                            BatchValue &result) {
  auto it = map.find(name);
  if (it == map.end())
    return op->emitError("`") << name << "` has no value in the store";
  if constexpr (std::is_same_v<Map, llvm::StringMap<double>>)
    result = BatchValue::uniform(Tensor(Shape(), it->second));
  else
    result = BatchValue::uniform(it->second);
  return success();
}

LogicalResult Evaluator::evaluateProgramOp(Operation *op, Values &values) {
  auto uniform = [&](Value v) { return values[v].at(0); };
  if (auto read = dyn_cast<ReadOp>(op))
    return lookUp(op, store.tensors, read.getSymbol(),
                  values[read.getResult()]);
  if (auto value = dyn_cast<OptionValueOp>(op))
    return lookUp(op, store.options, value.getOption(),
                  values[value.getResult()]);
  if (auto value = dyn_cast<SettingValueOp>(op))
    return lookUp(op, store.settings, value.getName(),
                  values[value.getResult()]);
  if (auto write = dyn_cast<WriteOp>(op))
    written[write.getSymbol()] = uniform(write.getValue());
  if (auto setting = dyn_cast<SettingOp>(op))
    store.settings[setting.getName()] = uniform(setting.getValue());
  if (auto report = dyn_cast<ReportOp>(op))
    store.reports.push_back({report.getName().str(),
                             uniform(report.getSum())[0],
                             uniform(report.getCount())[0]});
  return success();
}

FailureOr<BatchValue> Evaluator::evaluateBatchOp(Operation *op,
                                                 Values &values) {
  if (auto spread = dyn_cast<BatchSpreadOp>(op))
    return BatchValue::samples(
        std::vector<Tensor>(sampleCount, values[spread.getX()].at(0)));
  Tensor total(resultShape(op));
  if (isa<BatchCountOp>(op))
    std::fill(total.data.begin(), total.data.end(), sampleCount);
  for (int64_t s = 0; s < sampleCount; ++s) {
    if (auto sum = dyn_cast<BatchSumOp>(op)) {
      const Tensor &x = values[sum.getX()].at(s);
      for (int64_t i = 0; i < total.size(); ++i)
        total[i] += x[i];
    } else if (auto contract = dyn_cast<BatchContractOp>(op)) {
      addContraction(values[contract.getLhs()].at(s),
                     values[contract.getRhs()].at(s), contract.getLhsLabels(),
                     contract.getRhsLabels(), contract.getResultLabels(),
                     total);
    }
  }
  return BatchValue::uniform(std::move(total));
}

BatchValue Evaluator::evaluateCounter(Operation *op) const {
  auto scalar = [](double v) { return Tensor(Shape(), v); };
  if (auto key = dyn_cast<RandomKeyOp>(op))
    return BatchValue::uniform(scalar(
        (int32_t)randomKey(store.counters, key.getPath())[key.getWord()]));
  std::vector<Tensor> numbers;
  for (int64_t s = 0; s < sampleCount; ++s)
    numbers.push_back(scalar(store.counters.sampleNumber(s)));
  return BatchValue::samples(std::move(numbers));
}

FailureOr<BatchValue> Evaluator::evaluateEachSample(Operation *op,
                                                    Values &values) {
  if (op->getNumResults() != 1)
    return op->emitOpError("has no reference evaluation");
  bool perSample = isPerSample(op->getResult(0).getType());
  BatchValue result;
  result.perSample = perSample;
  for (int64_t s = 0; s < (perSample ? sampleCount : 1); ++s) {
    SmallVector<const Tensor *> operands;
    for (Value v : op->getOperands())
      operands.push_back(&values.find(v)->second.at(s));
    std::optional<Tensor> t = evaluatePrimitive(op, operands);
    if (!t)
      return op->emitOpError("has no reference evaluation");
    result.tensors.push_back(std::move(*t));
  }
  return result;
}
