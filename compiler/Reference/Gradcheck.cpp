//===- Gradcheck.cpp - Gradients against finite differences ---------------===//

#include "compiler/Reference/Gradcheck.h"

#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Reference/Differences.h"
#include "compiler/Reference/RandomInputs.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

namespace {

/// A value that is differentiated by. If it is read from a parameter, the
/// parameter is what is varied, in the store, wherever else it is read;
/// otherwise it is an argument of Probe::value.
struct Point {
  std::string name;
  bool isParameter;
};

/// Two functions cut out of a step, with the step's arguments.
struct Probe {
  func::FuncOp gradients; ///< value, points, gradients
  func::FuncOp value;     ///< a further argument for each point; value
  std::vector<Point> points;
};

/// Checks one `dpl.grad`.
class Checker {
public:
  Checker(ModuleOp module, const Probe &probe, const GradcheckOptions &options,
          raw_ostream &report)
      : module(module), probe(probe), options(options), report(report),
        random(options.seed) {}

  /// Null if evaluation failed, otherwise whether all gradients are right.
  FailureOr<bool> run(StringRef title);

private:
  FailureOr<bool> checkPoint(unsigned point, const Tensor &gradient);
  FailureOr<Comparison> compare(unsigned point, int64_t element, double claimed,
                                double scale);

  ModuleOp module;
  const Probe &probe;
  const GradcheckOptions &options;
  raw_ostream &report;
  Random random;
  Store store;
  std::vector<BatchValue> arguments; ///< of probe.value
  size_t firstPoint = 0;             ///< its first argument that is a point
  double center = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

static void eraseDead(func::FuncOp func) {
  SmallVector<Operation *> ops;
  for (Operation &op : func.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op) || isa<WriteOp, ReportOp>(op))
      op->erase();
}

/// A private copy of `step` that ends before its `index`-th `dpl.grad`, which
/// is still there, and returns nothing.
static std::pair<func::FuncOp, GradOp>
cutAtGrad(func::FuncOp step, unsigned index, StringRef suffix) {
  func::FuncOp copy = step.clone();
  copy.setName((step.getName() + suffix).str());
  copy.setPrivate();
  step->getBlock()->getOperations().insert(step->getIterator(), copy);
  Block &body = copy.getBody().front();
  auto grads = body.getOps<GradOp>();
  GradOp grad = *std::next(grads.begin(), index);
  while (&body.back() != grad.getOperation())
    body.back().erase();
  return {copy, grad};
}

static void finish(func::FuncOp func, ArrayRef<Value> results) {
  Block &body = func.getBody().front();
  OpBuilder b = OpBuilder::atBlockEnd(&body);
  func::ReturnOp::create(b, func.getLoc(), results);
  func.setFunctionType(b.getFunctionType(body.getArgumentTypes(),
                                         ValueRange(results).getTypes()));
  eraseDead(func);
}

static func::FuncOp makeValueFunction(func::FuncOp step, unsigned index) {
  auto [func, grad] = cutAtGrad(step, index, ".gradcheck.value");
  Value value = grad.getValue();
  SmallVector<Value> points(grad.getWrt());
  grad.erase();
  Block &body = func.getBody().front();
  for (Value point : points) {
    Value argument = body.addArgument(point.getType(), point.getLoc());
    if (point.getDefiningOp<ReadOp>())
      continue;
    if (point == value)
      value = argument;
    point.replaceAllUsesWith(argument);
  }
  if (ArrayAttr attrs = func.getAllArgAttrs()) {
    SmallVector<Attribute> all(attrs.begin(), attrs.end());
    all.resize(body.getNumArguments(), DictionaryAttr::get(func.getContext()));
    func.setAllArgAttrs(ArrayAttr::get(func.getContext(), all));
  }
  finish(func, {value});
  return func;
}

static FailureOr<Probe> makeProbe(func::FuncOp step, unsigned index) {
  Probe probe;
  probe.value = makeValueFunction(step, index);
  auto [func, grad] = cutAtGrad(step, index, ".gradcheck");
  SmallVector<Value> results = {grad.getValue()};
  llvm::append_range(results, grad.getWrt());
  llvm::append_range(results, grad.getGradients());
  for (auto [i, point] : llvm::enumerate(grad.getWrt())) {
    auto read = point.getDefiningOp<ReadOp>();
    probe.points.push_back(
        {read ? read.getSymbol().str() : "value " + std::to_string(i),
         bool(read)});
  }
  finish(func, results);
  PassManager passes(func.getContext(), func::FuncOp::getOperationName());
  passes.addPass(createDifferentiatePass());
  if (failed(passes.run(func)))
    return failure();
  probe.gradients = func;
  return probe;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

FailureOr<Comparison> Checker::compare(unsigned point, int64_t element,
                                       double claimed, double scale) {
  double &x = probe.points[point].isParameter
                  ? store.tensors[probe.points[point].name][element]
                  : arguments[firstPoint + point].tensors[0][element];
  double at = x;
  bool broken = false;
  auto valueAt = [&](double offset) {
    x = at + offset;
    auto result =
        Evaluator(module, store, options.samples).run(probe.value, arguments);
    x = at;
    broken |= failed(result);
    return broken ? NAN : result->front().at(0)[0];
  };
  Comparison c = compareDerivative(valueAt, center, claimed, scale,
                                   options.step * std::max(1.0, std::fabs(at)),
                                   options.tolerance);
  if (broken)
    return failure();
  return c;
}

/// `count` of the numbers below `total`, or all; different ones, ascending.
static std::vector<int64_t> choose(int64_t count, int64_t total,
                                   Random &random) {
  std::vector<int64_t> chosen;
  for (int64_t i = 0; i < total; ++i)
    if (random.between(0, total - i - 1) < count - (int64_t)chosen.size())
      chosen.push_back(i);
  return chosen;
}

FailureOr<bool> Checker::checkPoint(unsigned point, const Tensor &gradient) {
  // Elements that hardly matter are held to the size of those that do.
  constexpr double share = 1e-2;
  double largest = 0, worst = 0;
  for (double g : gradient.data)
    largest = std::max(largest, std::fabs(g));
  std::vector<int64_t> elements =
      choose(options.elements, gradient.size(), random);
  int64_t kinks = 0, wrong = 0;
  for (int64_t e : elements) {
    FailureOr<Comparison> c = compare(point, e, gradient[e], share * largest);
    if (failed(c))
      return failure();
    worst = std::max(worst, std::isnan(gradient[e]) ? INFINITY : c->error);
    kinks += c->kind == Comparison::Kink;
    wrong += c->kind == Comparison::Wrong;
    if (c->kind == Comparison::Wrong)
      report << "    " << probe.points[point].name << "[" << e << "]: gradient "
             << llvm::format("%.9g", gradient[e]) << ", difference "
             << llvm::format("%.9g", c->numeric) << "\n";
  }
  bool good =
      wrong == 0 && (double)kinks <= options.kinks * (double)elements.size();
  report << "  " << llvm::left_justify(probe.points[point].name, 28)
         << elements.size() << " of " << gradient.size()
         << " elements, largest relative error " << llvm::format("%.1e", worst)
         << ", " << kinks << " on kinks: " << (good ? "PASS" : "FAIL")
         << (good && largest == 0 ? ", without influence here" : "") << "\n";
  return good;
}

FailureOr<bool> Checker::run(StringRef title) {
  if (failed(fillStore(module, random, store)))
    return failure();
  arguments = randomArguments(probe.gradients, random, options.samples);
  firstPoint = arguments.size();
  auto results =
      Evaluator(module, store, options.samples).run(probe.gradients, arguments);
  if (failed(results))
    return failure();
  center = results->front().at(0)[0];
  report << title << ": value " << llvm::format("%.6g", center) << ", seed "
         << options.seed << ", " << options.samples << " samples, tolerance "
         << llvm::format("%.1e", options.tolerance) << "\n";
  size_t points = probe.points.size();
  for (size_t i = 0; i < points; ++i)
    arguments.push_back((*results)[1 + i]);
  bool good = true;
  for (size_t i = 0; i < points; ++i) {
    FailureOr<bool> one = checkPoint(i, (*results)[1 + points + i].at(0));
    if (failed(one))
      return failure();
    good &= *one;
  }
  return good;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static LogicalResult inlineCalls(ModuleOp module) {
  DialectRegistry registry;
  func::registerInlinerExtension(registry);
  module.getContext()->appendDialectRegistry(registry);
  PassManager passes(module.getContext());
  // No simplification: what is checked is what was written.
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  return passes.run(module);
}

LogicalResult dpl::reference::gradcheck(ModuleOp module,
                                        const GradcheckOptions &options,
                                        raw_ostream &report) {
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(inlineCalls(*copy)))
    return failure();
  SmallVector<func::FuncOp> steps;
  for (auto func : copy->getOps<func::FuncOp>())
    if (auto kind = func->getAttrOfType<StringAttr>(DplDialect::kStepAttr);
        kind && kind.getValue() == "train")
      steps.push_back(func);
  bool good = true;
  for (func::FuncOp step : steps) {
    auto grads = step.getBody().front().getOps<GradOp>();
    unsigned count = std::distance(grads.begin(), grads.end());
    for (unsigned i = 0; i < count; ++i) {
      FailureOr<Probe> probe = makeProbe(step, i);
      if (failed(probe))
        return failure();
      std::string title = step.getName().str();
      if (count > 1)
        title += ", gradient " + std::to_string(i + 1) + " of " +
                 std::to_string(count);
      FailureOr<bool> one = Checker(*copy, *probe, options, report).run(title);
      if (failed(one))
        return failure();
      good &= *one;
      probe->value.erase();
      probe->gradients.erase();
    }
  }
  return success(good);
}
