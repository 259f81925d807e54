//===- Expectation.cpp - What a program should compute --------------------===//

#include "test/Random/Expectation.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Reference/RandomInputs.h"
#include "compiler/Reference/Rounding.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using namespace dpl::reference;

static constexpr double kSafety = 8;
/// The size that is asked of a tensor's tolerance at least: a gradient that
/// cancels, before a normalisation, is nothing but rounding.
static constexpr double kSmall = 1e-2;
/// Errors are measured for the exact values. Where those are zero, a difference
/// of equals, what is computed of their errors has errors of this size.
static constexpr double kSecondOrder = 0x1p-48;

static void toFloats(Tensor &tensor) {
  for (double &v : tensor.data)
    v = (float)v;
}

//===----------------------------------------------------------------------===//
// Oracle
//===----------------------------------------------------------------------===//

Oracle::Oracle(ModuleOp module, uint64_t seed)
    : module(module.clone()), random(seed) {}

std::unique_ptr<Oracle> Oracle::make(ModuleOp module, uint64_t seed,
                                     std::string &error) {
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    error += diagnostic.str() + "\n";
                                    return success();
                                  });
  std::unique_ptr<Oracle> oracle(new Oracle(module, seed));
  PassManager passes(module.getContext());
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addNestedPass<func::FuncOp>(createDifferentiatePass());
  if (failed(passes.run(*oracle->module)) ||
      failed(fillStore(*oracle->module, oracle->random, oracle->begin))) {
    error += "the module has no reference evaluation\n";
    return nullptr;
  }
  for (auto &entry : oracle->begin.tensors)
    toFloats(entry.getValue());
  for (auto &entry : oracle->begin.settings)
    toFloats(entry.getValue());
  return oracle;
}

/// Random samples of one field of a data set.
static BatchValue drawField(DictionaryAttr field, int64_t samples,
                            Random &random) {
  Shape shape;
  if (auto sizes = field.getAs<ArrayAttr>("shape"))
    for (auto size : sizes.getAsRange<IntegerAttr>())
      shape.push_back(size.getInt());
  auto classes = field.getAs<IntegerAttr>("classes");
  bool mayBeIgnored = bool(field.get("optional"));
  // Now and then nothing of a batch counts.
  bool allIgnored = mayBeIgnored && random.between(0, 9) == 0;
  std::vector<Tensor> values;
  for (int64_t s = 0; s < samples; ++s) {
    Tensor t(shape);
    for (double &v : t.data) {
      bool ignored = mayBeIgnored && (allIgnored || random.between(0, 3) == 0);
      v = !classes  ? random.uniform(-1, 1)
          : ignored ? -1
                    : (double)random.between(0, classes.getInt() - 1);
    }
    toFloats(t);
    values.push_back(std::move(t));
  }
  return BatchValue::samples(std::move(values));
}

std::vector<Batch> Oracle::batchesFor(StringRef name) {
  SymbolTable symbols(*module);
  auto step = symbols.lookup<func::FuncOp>(name);
  auto iterator = symbols.lookup<IteratorOp>(
      step->getAttrOfType<StringAttr>(DplDialect::kIteratorAttr).getValue());
  auto dataset = symbols.lookup<DatasetOp>(iterator.getDataset());
  std::vector<Batch> batches;
  for (int64_t samples :
       {(int64_t)iterator.getBatch(), random.between(1, iterator.getBatch())}) {
    Batch batch;
    batch.samples = samples;
    batch.counters = {random.next(), (uint64_t)random.between(0, 9), {}};
    for (int64_t s = 0; s < samples; ++s)
      batch.counters.samples.push_back(random.between(0, int64_t(1) << 40));
    for (auto field : dataset.getFields().getAsRange<DictionaryAttr>())
      batch.fields[field.getAs<StringAttr>("name").getValue()] =
          drawField(field, samples, random);
    batches.push_back(std::move(batch));
  }
  return batches;
}

LogicalResult Oracle::run(StringRef name, ArrayRef<Batch> batches,
                          Evaluator::Observer observer, Store &store) {
  auto step = module->lookupSymbol<func::FuncOp>(name);
  for (const Batch &batch : batches) {
    std::vector<BatchValue> arguments;
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      auto field = step.getArgAttrOfType<StringAttr>(i, DplDialect::kFieldAttr);
      arguments.push_back(batch.fields.find(field.getValue())->second);
    }
    store.counters = batch.counters;
    Evaluator evaluator(*module, store, batch.samples);
    evaluator.observe(
        [&](Operation *op, ArrayRef<const BatchValue *> operands,
            BatchValue &result) { observer(op, operands, result); });
    if (failed(evaluator.run(step, std::move(arguments))))
      return failure();
  }
  return success();
}

FailureOr<Oracle::Outcome> Oracle::evaluate(StringRef name,
                                            ArrayRef<Batch> batches, int runs,
                                            double strength) {
  Rounding rounding;
  Outcome outcome;
  outcome.exact = begin;
  if (failed(run(name, batches, rounding.measure(), outcome.exact)))
    return failure();
  for (int i = 0; i < runs; ++i) {
    outcome.strayed.push_back(begin);
    if (failed(run(name, batches, rounding.disturb(random, strength),
                   outcome.strayed.back())))
      return failure();
  }
  return outcome;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

using Named = std::vector<std::pair<std::string, std::vector<double>>>;

static Named namedValues(const Store &store) {
  Named result;
  for (const auto &entry : store.tensors)
    result.push_back({entry.getKey().str(), entry.getValue().data});
  llvm::StringMap<int> steps;
  for (const Report &report : store.reports)
    result.push_back({llvm::formatv("report {0} of step {1}", report.name,
                                    steps[report.name]++),
                      {report.sum, report.count}});
  llvm::sort(result);
  return result;
}

static double distance(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::fabs(a - b);
}

static double rms(ArrayRef<double> values) {
  double sum = 0;
  for (double v : values)
    sum += v * v;
  return std::sqrt(sum / (double)values.size());
}

/// What rounding errors did to each element, at most.
static std::vector<double> strayOf(const std::vector<double> &exact,
                                   ArrayRef<Named> strayed, size_t index) {
  std::vector<double> result(exact.size());
  for (const Named &run : strayed)
    for (size_t i = 0; i < exact.size(); ++i)
      result[i] = std::max(result[i], distance(exact[i], run[index].second[i]));
  return result;
}

Agreement dpl::test::compare(const Oracle::Outcome &expected,
                             const Store &computed) {
  Agreement agreement;
  Named exact = namedValues(expected.exact), got = namedValues(computed);
  std::vector<Named> strayed;
  for (const Store &store : expected.strayed)
    strayed.push_back(namedValues(store));
  if (exact.size() != got.size()) {
    agreement.difference = "the numbers of tensors and reports differ";
    return agreement;
  }
  for (size_t t = 0; t < exact.size(); ++t) {
    const auto &[name, values] = exact[t];
    std::vector<double> stray = strayOf(values, strayed, t);
    double mean = rms(stray), size = rms(values);
    ++agreement.compared;
    agreement.loose += kSafety * mean > 1e-2 * std::max(size, kSmall);
    for (size_t i = 0; i < values.size(); ++i) {
      double error = distance(values[i], got[t].second[i]);
      double tolerance = kSafety * (stray[i] + mean + kSecondOrder) +
                         std::fabs(values[i]) * 0x1p-23;
      if (!(error <= tolerance) && agreement.difference.empty())
        agreement.difference = llvm::formatv(
            "{0}[{1}] is {2:e9}, expected {3:e9}: off by {4:e2}, rounding "
            "explains {5:e2}",
            name, i, got[t].second[i], values[i], error, tolerance);
    }
  }
  return agreement;
}

std::string dpl::test::differenceInBits(const Store &a, const Store &b) {
  Named first = namedValues(a), second = namedValues(b);
  for (auto [x, y] : llvm::zip(first, second))
    for (auto [i, v] : llvm::enumerate(x.second))
      if (double w = y.second[i]; std::memcmp(&v, &w, sizeof v) != 0)
        return llvm::formatv("{0}[{1}] is {2:e9} and {3:e9}", x.first, i, v, w);
  return "";
}
