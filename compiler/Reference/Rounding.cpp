//===- Rounding.cpp - How far f32 arithmetic may stray --------------------===//

#include "compiler/Reference/Rounding.h"
#include "compiler/Reference/Primitives.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::reference;

/// Half a unit in the last place of a number near 1.
static constexpr double kRounding = 0x1p-24;
/// Units that a function of the C library or its vector form may be off.
static constexpr double kFunctionUnits = 4;

static bool isMaximum(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == ReduceKind::max;
  auto pool = dyn_cast<PoolOp>(op);
  return pool && pool.getKind() == ReduceKind::max;
}

/// Does the operation only move and choose numbers?
static bool isExact(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return !isa<FloatType>(type.getElementType()) || isMaximum(op) ||
         isa<ConstantOp, BroadcastOp, ReshapeOp, TransposeOp, ReverseOp,
             SliceOp, PadOp, ConcatOp, StopGradientOp, SelectOp, MaxOp, AbsOp,
             TakeOp, BatchSpreadOp, BatchCountOp>(op);
}

/// The operands with the magnitudes of what is added up.
static std::vector<Tensor> magnitudes(Operation *op,
                                      ArrayRef<const BatchValue *> operands,
                                      int64_t sample) {
  std::vector<Tensor> result;
  for (auto [i, value] : llvm::enumerate(operands)) {
    result.push_back(value->at(sample));
    bool added = isa<PoolMaxGradOp>(op)  ? i == 2
                 : isa<ScatterAddOp>(op) ? i == 0
                                         : true;
    if (added)
      for (double &v : result.back().data)
        v = std::fabs(v);
  }
  return result;
}

static double factor(double terms) {
  return kRounding * (1 + std::sqrt(terms));
}

static std::vector<double>
errorsOfBatchSum(Operation *op, ArrayRef<const BatchValue *> operands,
                 const BatchValue &result) {
  Tensor total(result.at(0).shape);
  size_t samples = 1, most = 1;
  for (const BatchValue *value : operands) {
    samples = std::max(samples, value->tensors.size());
    most = std::max<size_t>(most, value->at(0).size());
  }
  for (size_t s = 0; s < samples; ++s) {
    std::vector<Tensor> m = magnitudes(op, operands, s);
    if (auto contract = dyn_cast<BatchContractOp>(op))
      addContraction(m[0], m[1], contract.getLhsLabels(),
                     contract.getRhsLabels(), contract.getResultLabels(),
                     total);
    else
      for (int64_t i = 0; i < total.size(); ++i)
        total[i] += m[0][i];
  }
  for (auto [v, exact] : llvm::zip(total.data, result.at(0).data))
    v = std::max(v, std::fabs(exact)) * factor((double)(samples * most));
  return total.data;
}

static std::vector<double> errorsOfSum(Operation *op,
                                       ArrayRef<const BatchValue *> operands,
                                       const BatchValue &result) {
  std::vector<double> errors;
  for (size_t s = 0; s < result.tensors.size(); ++s) {
    std::vector<Tensor> m = magnitudes(op, operands, s);
    SmallVector<const Tensor *> pointers;
    int64_t most = 1;
    for (const Tensor &t : m) {
      pointers.push_back(&t);
      most = std::max(most, t.size());
    }
    Tensor sums = *evaluatePrimitive(op, pointers);
    for (double v : sums.data)
      errors.push_back(v * factor((double)most));
  }
  return errors;
}

static std::vector<double> errorsOf(Operation *op,
                                    ArrayRef<const BatchValue *> operands,
                                    const BatchValue &result) {
  if (isExact(op))
    return {};
  if (isa<BatchSumOp, BatchContractOp>(op))
    return errorsOfBatchSum(op, operands, result);
  if (!isa<ElementwiseOpInterface, RandomOp>(op))
    return errorsOfSum(op, operands, result);
  bool rounded = isa<AddOp, SubOp, MulOp, DivOp, SqrtOp, CastOp>(op);
  std::vector<double> errors;
  for (const Tensor &t : result.tensors)
    for (double v : t.data)
      errors.push_back(std::fabs(v) * kRounding *
                       (rounded ? 1 : kFunctionUnits));
  return errors;
}

Evaluator::Observer Rounding::measure() {
  errors.clear();
  return [this](Operation *op, ArrayRef<const BatchValue *> operands,
                BatchValue &result) {
    errors.push_back(errorsOf(op, operands, result));
  };
}

Evaluator::Observer Rounding::disturb(Random &random, double strength) {
  return [this, &random, strength,
          next = size_t(0)](Operation *, ArrayRef<const BatchValue *>,
                            BatchValue &result) mutable {
    const std::vector<double> &sizes = errors[next++];
    if (sizes.empty())
      return;
    const double *size = sizes.data();
    for (Tensor &t : result.tensors)
      for (double &v : t.data)
        v += (random.next() & 1 ? strength : -strength) * *size++;
  };
}
