//===- OutlineSteps.cpp - Step functions to kernels -----------------------===//

#include "compiler/Dialect/Dpl/Transforms/Blocks.h"
#include "compiler/Dialect/Dpl/Transforms/KernelBuilder.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Dialect/Dpl/Transforms/StepLayout.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace dpl {
#define GEN_PASS_DEF_OUTLINESTEPSPASS
#include "compiler/Dialect/Dpl/Transforms/Passes.h.inc"
} // namespace dpl

using namespace mlir;
using namespace dpl;

namespace {

/// Outlines one step function.
class StepOutliner {
public:
  StepOutliner(func::FuncOp step, IteratorOp iterator,
               const ProgramNumbers &numbers, int64_t tile, int64_t block)
      : step(step), iterator(iterator), stages(step),
        bucketed(attribute(DplDialect::kUpdateAttr) == "bucketed"),
        layout(step, stages, numbers, bucketed),
        tile(std::min<int64_t>(tile, iterator.getBatch())), block(block),
        b(step) {}

  void run() {
    for (int64_t s = 0; s <= stages.last(); ++s) {
      if (s & 1)
        outlineTiles(s);
      else
        outlineUniform(s);
    }
    writeProgram();
    step.erase();
  }

private:
  StringRef attribute(StringRef name) {
    auto attr = step->getAttrOfType<StringAttr>(name);
    return attr ? attr.getValue() : "";
  }

  void outlineTiles(int64_t stage);
  void outlineReduction();
  void outlineUniform(int64_t stage);
  void outlineCopy(Value sum);
  SmallVector<Value> copiedSums(int64_t stage);
  void outlineGroup(ArrayRef<Operation *> group);
  SmallVector<SmallVector<Operation *>> groupsOf(int64_t stage);
  void addReport(KernelBuilder &kernel, ReportOp op);
  void writeProgram();
  void beginPhase(StringRef name, bool reduce = false) {
    SmallVector<NamedAttribute> entries = {
        b.getNamedAttr("name", b.getStringAttr(name))};
    if (reduce)
      entries.push_back(b.getNamedAttr("reduce", b.getBoolAttr(true)));
    phases.push_back(b.getDictionaryAttr(entries));
  }
  KernelBuilder makeKernel(StringRef domain, const BlockPlan &plan) {
    std::string name = (step.getName() + "." + Twine(kernels++)).str();
    return KernelBuilder(b, step.getLoc(), name, step.getName(),
                         phases.size() - 1, domain, layout, plan,
                         domain == "tiles" ? tile : 0);
  }

  func::FuncOp step;
  IteratorOp iterator;
  Stages stages;
  bool bucketed;
  StepLayout layout;
  int64_t tile, block;
  OpBuilder b;
  unsigned kernels = 0;
  SmallVector<Attribute> phases, reports;
};

} // namespace

void StepOutliner::outlineTiles(int64_t stage) {
  if (stages.operations(stage).empty())
    return;
  beginPhase("tiles");
  BlockPlan whole;
  KernelBuilder kernel = makeKernel("tiles", whole);
  bool sums = false;
  for (Operation *op : stages.operations(stage)) {
    kernel.clone(op);
    Value v = op->getResult(0);
    if (isa<BatchSumOp>(op))
      kernel.store(v, layout.accumulatorOf(v));
    else if (layout.isStored(v))
      kernel.store(v, layout.placeOf(v, /*inTiles=*/true));
    sums |= isa<BatchSumOp>(op);
  }
  kernel.finish();
  if (sums && bucketed)
    outlineReduction();
}

void StepOutliner::outlineReduction() {
  beginPhase("reduce", /*reduce=*/true);
  BlockPlan plan;
  plan.count =
      layout.sumsBytes() / (layout.reduceBlock() * (int64_t)sizeof(float));
  KernelBuilder kernel = makeKernel("blocks", plan);
  auto type = RankedTensorType::get({layout.reduceBlock()}, b.getF32Type());
  int64_t stride = layout.reduceBlock() * (int64_t)sizeof(float);
  Value sum = kernel.argument(type, {"sums", std::nullopt, 0}, stride);
  kernel.result(sum, {"reduced", std::nullopt, 0}, stride);
  kernel.finish();
}

/// Operations that share a value of this stage, or write what another of them
/// reads, belong to one kernel.
SmallVector<SmallVector<Operation *>> StepOutliner::groupsOf(int64_t stage) {
  llvm::EquivalenceClasses<Operation *> classes;
  llvm::StringMap<Operation *> writers;
  ArrayRef<Operation *> ops = stages.operations(stage);
  auto in = [&](Operation *op) { return op && llvm::is_contained(ops, op); };
  // Operations reached from an operand through free operations.
  auto visitOperands = [&](Operation *op, auto &&visit, auto &&self) -> void {
    for (Value v : op->getOperands())
      if (Operation *def = v.getDefiningOp()) {
        visit(def);
        if (isFree(def))
          self(def, visit, self);
      }
  };
  for (Operation *op : ops)
    if (auto write = dyn_cast<WriteOp>(op))
      writers[write.getSymbol()] = op;
  for (Operation *op : ops) {
    classes.insert(op);
    auto join = [&](Operation *def) {
      if (in(def) && !isa<BatchSumOp>(def))
        classes.unionSets(op, def);
      if (auto read = dyn_cast<ReadOp>(def))
        if (Operation *writer = writers.lookup(read.getSymbol()))
          classes.unionSets(op, writer);
    };
    visitOperands(op, join, visitOperands);
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> groups;
  for (Operation *op : ops)
    groups[classes.getLeaderValue(op)].push_back(op);
  SmallVector<SmallVector<Operation *>> result;
  for (auto &[leader, group] : groups)
    result.push_back(std::move(group));
  return result;
}

/// Sums that are complete at the uniform stage `stage` and copied there.
SmallVector<Value> StepOutliner::copiedSums(int64_t stage) {
  SmallVector<Value> copied;
  if (stage > 0)
    for (Operation *op : stages.operations(stage - 1))
      if (isa<BatchSumOp>(op) && layout.isCopied(op->getResult(0)))
        copied.push_back(op->getResult(0));
  return copied;
}

void StepOutliner::outlineCopy(Value sum) {
  BlockPlan whole;
  KernelBuilder kernel = makeKernel("once", whole);
  kernel.store(sum, layout.placeOf(sum, /*inTiles=*/true));
  kernel.finish();
}

void StepOutliner::outlineUniform(int64_t stage) {
  SmallVector<Value> copied = copiedSums(stage);
  if (stages.operations(stage).empty() && copied.empty())
    return;
  beginPhase(stage == 0               ? "prologue"
             : stage == stages.last() ? "update"
                                      : "uniform");
  for (Value sum : copied)
    outlineCopy(sum);
  for (ArrayRef<Operation *> group : groupsOf(stage))
    outlineGroup(group);
}

/// The group with the free operations that it uses, in order.
static SmallVector<Operation *> withFree(ArrayRef<Operation *> group) {
  llvm::SetVector<Operation *> all;
  auto add = [&](Operation *op, auto &&self) -> void {
    for (Value v : op->getOperands())
      if (Operation *def = v.getDefiningOp(); def && isFree(def))
        self(def, self);
    all.insert(op);
  };
  for (Operation *op : group)
    add(op, add);
  return all.takeVector();
}

void StepOutliner::outlineGroup(ArrayRef<Operation *> group) {
  BlockPlan plan = planBlocks(withFree(group), block);
  KernelBuilder kernel = makeKernel(plan.count > 1 ? "blocks" : "once", plan);
  for (Operation *op : group) {
    if (auto write = dyn_cast<WriteOp>(op)) {
      kernel.store(write.getValue(), layout.symbolPlace(write.getSymbol()));
    } else if (auto report = dyn_cast<ReportOp>(op)) {
      addReport(kernel, report);
    } else {
      kernel.clone(op);
      if (layout.isStored(op->getResult(0)))
        kernel.store(op->getResult(0),
                     layout.placeOf(op->getResult(0), /*inTiles=*/false));
    }
  }
  kernel.finish();
}

void StepOutliner::addReport(KernelBuilder &kernel, ReportOp op) {
  int64_t at = 2 * reports.size();
  auto place = [](int64_t i) {
    return Place{"report", std::nullopt, i * (int64_t)sizeof(float)};
  };
  kernel.store(op.getSum(), place(at));
  kernel.store(op.getCount(), place(at + 1));
  reports.push_back(b.getDictionaryAttr({
      b.getNamedAttr("name", op.getNameAttr()),
      b.getNamedAttr("sum", b.getI64IntegerAttr(at)),
      b.getNamedAttr("count", b.getI64IntegerAttr(at + 1)),
  }));
}

void StepOutliner::writeProgram() {
  SmallVector<Attribute> inputs, saved, buckets, random;
  for (StringRef path : layout.randomPaths())
    random.push_back(b.getStringAttr(path));
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    inputs.push_back(
        step.getArgAttrOfType<StringAttr>(i, DplDialect::kFieldAttr));
  for (int64_t bytes : layout.savedBytes())
    saved.push_back(b.getI64IntegerAttr(bytes));
  if (bucketed)
    for (auto [offset, bytes] : layout.buckets())
      buckets.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("offset", b.getI64IntegerAttr(offset)),
           b.getNamedAttr("bytes", b.getI64IntegerAttr(bytes))}));
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("kind", b.getStringAttr(attribute(DplDialect::kStepAttr))),
      b.getNamedAttr("iterator", b.getStringAttr(iterator.getSymName())),
      b.getNamedAttr("tile", b.getI64IntegerAttr(tile)),
      b.getNamedAttr("capacity", b.getI64IntegerAttr(iterator.getBatch())),
      b.getNamedAttr("inputs", b.getArrayAttr(inputs)),
      b.getNamedAttr("uniform", b.getI64IntegerAttr(layout.uniformBytes())),
      b.getNamedAttr("saved", b.getArrayAttr(saved)),
      b.getNamedAttr("sums", b.getI64IntegerAttr(layout.sumsBytes())),
      b.getNamedAttr("reduced",
                     b.getI64IntegerAttr(bucketed ? layout.sumsBytes() : 0)),
      b.getNamedAttr("buckets", b.getArrayAttr(buckets)),
      b.getNamedAttr("reports", b.getArrayAttr(reports)),
      b.getNamedAttr("random", b.getArrayAttr(random)),
      b.getNamedAttr("phases", b.getArrayAttr(phases)),
  };
  if (StringRef update = attribute(DplDialect::kUpdateAttr); !update.empty())
    entries.push_back(b.getNamedAttr("update", b.getStringAttr(update)));
  StepProgramOp::create(b, step.getLoc(), (step.getName() + ".program").str(),
                        b.getDictionaryAttr(entries));
}

namespace {
struct OutlineSteps : dpl::impl::OutlineStepsPassBase<OutlineSteps> {
  using OutlineStepsPassBase::OutlineStepsPassBase;
  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    ProgramNumbers numbers(getOperation());
    SmallVector<func::FuncOp> steps;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func->hasAttr(DplDialect::kStepAttr))
        steps.push_back(func);
    for (func::FuncOp step : steps) {
      auto name = step->getAttrOfType<StringAttr>(DplDialect::kIteratorAttr);
      auto iterator =
          name ? symbols.lookup<IteratorOp>(name.getValue()) : IteratorOp();
      if (!iterator) {
        step.emitError("the step's iterator is not in the module");
        return signalPassFailure();
      }
      StepOutliner(step, iterator, numbers, tile, block).run();
    }
    // A model's own function has done its part: the steps have their copies.
    for (auto model : getOperation().getOps<ModelOp>())
      if (auto func = symbols.lookup<func::FuncOp>(model.getFunction()))
        symbols.erase(func);
  }
};
} // namespace
