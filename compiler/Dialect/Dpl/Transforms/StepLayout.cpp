//===- StepLayout.cpp - Where the values of a step are --------------------===//

#include "compiler/Dialect/Dpl/Transforms/StepLayout.h"

#include "dpl/abi.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace dpl;

/// Floats that one block of the reduction over chunks adds up, at most.
static constexpr int64_t kReduceBlock = 4096;
/// Bytes of a bucket, about: large enough that a reduction's latency does not
/// count, small enough that the first leaves early.
static constexpr int64_t kBucketBytes = 1 << 20;

int64_t dpl::bytesOf(RankedTensorType type) {
  return type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
}

static int64_t aligned(int64_t bytes) {
  return llvm::alignTo(bytes, DPL_ALIGNMENT);
}

ProgramNumbers::ProgramNumbers(ModuleOp module) {
  for (auto op : module.getOps<ParameterOp>())
    parameters.try_emplace(op.getSymName(), parameters.size());
  for (auto op : module.getOps<StateOp>())
    states.try_emplace(op.getSymName(), states.size());
  module.walk([&](SettingOp op) {
    settings.try_emplace(op.getName(), settings.size());
  });
}

/// Is `v` read by an operation of another stage than `stage`, directly or
/// through free operations?
static bool isReadElsewhere(Value v, int64_t stage, const Stages &stages) {
  return llvm::any_of(v.getUsers(), [&](Operation *user) {
    if (isFree(user))
      return isReadElsewhere(user->getResult(0), stage, stages);
    int64_t at = stages.of(user) - (isa<BatchSumOp>(user) ? 1 : 0);
    return at != stage;
  });
}

/// Does a kernel that runs for tiles read the uniform value `v`, directly or
/// through free operations?
static bool isReadInTiles(Value v) {
  return llvm::any_of(v.getUsers(), [](Operation *user) {
    if (isFree(user))
      return isReadInTiles(user->getResult(0));
    return isa<BatchSumOp>(user) ||
           (user->getNumResults() && isPerSample(user->getResult(0).getType()));
  });
}

StepLayout::StepLayout(func::FuncOp step, const Stages &stages,
                       const ProgramNumbers &numbers, bool bucketed)
    : numbers(numbers), zeros(step), bucketed(bucketed) {
  step.walk([&](RandomKeyOp op) { paths.insert(op.getPath()); });
  for (int64_t s = 0; s <= stages.last(); ++s)
    for (Operation *op : stages.operations(s)) {
      if (isa<BatchSumOp>(op)) {
        placeSum(op->getResult(0));
        if (!bucketed && isReadInTiles(op->getResult(0)))
          placeStored(op->getResult(0));
      } else if (op->getNumResults() &&
                 isReadElsewhere(op->getResult(0), s, stages))
        placeStored(op->getResult(0));
    }
  if (bucketed)
    sumsSize = llvm::alignTo(
        sumsSize, std::max<int64_t>(1, reduceBlock() * sizeof(float)));
}

void StepLayout::placeSum(Value v) {
  sums[v] = sumsSize;
  sumsSize += aligned(bytesOf(cast<RankedTensorType>(v.getType())));
}

void StepLayout::placeStored(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  if (isPerSample(type)) {
    saved[v] = savedSizes.size();
    savedSizes.push_back(bytesOf(type));
    return;
  }
  uniform[v] = uniformSize;
  uniformSize += aligned(bytesOf(type));
}

int64_t StepLayout::reduceBlock() const {
  return std::min<int64_t>(kReduceBlock, sumsSize / sizeof(float));
}

SmallVector<std::pair<int64_t, int64_t>> StepLayout::buckets() const {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (auto [v, offset] : sums) {
    int64_t bytes = aligned(bytesOf(cast<RankedTensorType>(v.getType())));
    if (ranges.empty() || ranges.back().second >= kBucketBytes)
      ranges.push_back({offset, bytes});
    else
      ranges.back().second += bytes;
  }
  return ranges;
}

Place StepLayout::symbolPlace(StringRef name) const {
  if (auto it = numbers.parameters.find(name); it != numbers.parameters.end())
    return {"parameter", it->second};
  return {"state", numbers.states.lookup(name)};
}

Place StepLayout::placeOf(Value v, bool inTiles) const {
  if (auto argument = dyn_cast<BlockArgument>(v))
    return {"input", argument.getArgNumber()};
  Operation *def = v.getDefiningOp();
  if (auto read = dyn_cast<ReadOp>(def))
    return symbolPlace(read.getSymbol());
  if (auto setting = dyn_cast<SettingValueOp>(def))
    return {"settings", std::nullopt,
            numbers.settings.lookup(setting.getName()) *
                (int64_t)sizeof(float)};
  if (isa<BatchCountOp>(def))
    return {"batch", std::nullopt};
  if (isa<SampleIndexOp>(def))
    return {"samples", std::nullopt};
  if (auto key = dyn_cast<RandomKeyOp>(def)) {
    int64_t at = llvm::find(paths, key.getPath()) - paths.begin();
    int64_t word = key.getWord();
    return {"random", std::nullopt, (2 * at + word) * (int64_t)sizeof(int32_t)};
  }
  if (auto it = sums.find(v); it != sums.end() && !(inTiles && isCopied(v)))
    return {bucketed ? "reduced" : "sums", std::nullopt, it->second};
  if (auto it = saved.find(v); it != saved.end())
    return {"saved", it->second};
  auto it = uniform.find(v);
  assert(it != uniform.end() && "a value of another kernel has no place");
  return {"uniform", std::nullopt, it->second};
}
