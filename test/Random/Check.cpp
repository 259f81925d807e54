//===- Check.cpp - Machine code against the reference ---------------------===//

#include "test/Random/Check.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using dpl::reference::Store;

static constexpr RunMode kModes[] = {
    {1, false}, {2, false}, {1, true}, {2, true}};
/// Sets of rounding errors at first; and where they do not explain a
/// difference, before it counts: a choice that an error turns over, a tie
/// almost, may need several tries to show.
static constexpr int kRuns = 2, kManyRuns = 16;

/// Every width of vectors that this machine has.
static std::vector<std::string> runnableTargets() {
  auto features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> targets = {"x86-64-v2"};
  if (features.lookup("avx2") && features.lookup("fma"))
    targets.push_back("x86-64-v3");
  if (features.lookup("avx512f") && features.lookup("avx512vl") &&
      features.lookup("avx512bw") && features.lookup("avx512dq"))
    targets.push_back("x86-64-v4");
  return targets;
}

static PipelineOptions drawOptions(reference::Random &random,
                                   std::string &error) {
  std::vector<std::string> targets = runnableTargets();
  PipelineOptions options;
  auto target =
      cpu::describeTarget(targets[random.between(0, targets.size() - 1)],
                          [&](const Twine &message) { error = message.str(); });
  if (succeeded(target))
    options.target = *target;
  options.tile = random.between(1, 9);
  if (random.between(0, 1))
    options.block = random.between(1, 64);
  return options;
}

namespace {
/// Checks the programs of one module.
class Checker {
public:
  Checker(Oracle &oracle, const CompiledProgram &compiled)
      : oracle(oracle), compiled(compiled) {}

  void checkStep(StringRef step, ArrayRef<std::string> programs);
  Verdict verdict;

private:
  bool checkRun(StringRef program, const RunMode &mode);
  /// The first failure counts. Returns whether there is none yet.
  bool fail(Verdict::Kind kind, const Twine &message) {
    if (verdict.kind == Verdict::Good) {
      verdict.kind = kind;
      verdict.failure = message.str();
    }
    return false;
  }

  Oracle &oracle;
  const CompiledProgram &compiled;
  std::string step;
  std::vector<Batch> batches;
  Oracle::Outcome expected;
  std::optional<Store> firstDeterministic;
};
} // namespace

bool Checker::checkRun(StringRef program, const RunMode &mode) {
  std::string where = (program + ", " + Twine(mode.threads) + " threads" +
                       (mode.deterministic ? ", deterministic" : ""))
                          .str();
  Store computed = oracle.start();
  std::string error = compiled.run(program, batches, mode, computed);
  if (!error.empty())
    return fail(Verdict::NotRun, where + ": " + error);
  Agreement agreement = compare(expected, computed);
  if (!agreement.difference.empty()) {
    auto more = oracle.evaluate(step, batches, kManyRuns, 2);
    if (succeeded(more))
      agreement = compare(*more, computed);
  }
  verdict.compared += agreement.compared;
  verdict.loose += agreement.loose;
  if (!agreement.difference.empty())
    return fail(Verdict::OtherValue, where + ": " + agreement.difference);
  if (!mode.deterministic)
    return true;
  if (!firstDeterministic)
    firstDeterministic = computed;
  std::string bits = differenceInBits(*firstDeterministic, computed);
  return bits.empty() ||
         fail(Verdict::OtherBits,
              where + ": not the bits of the first deterministic run: " + bits);
}

void Checker::checkStep(StringRef name, ArrayRef<std::string> programs) {
  step = name.str();
  batches = oracle.batchesFor(step);
  auto outcome = oracle.evaluate(step, batches, kRuns, 1);
  if (failed(outcome))
    return (void)fail(Verdict::NoReference,
                      "@" + step + " has no reference evaluation");
  expected = std::move(*outcome);
  firstDeterministic.reset();
  for (const std::string &program : programs)
    for (const RunMode &mode : kModes)
      if (!checkRun(program, mode))
        return;
}

static std::string describe(const PipelineOptions &options) {
  return (options.target.cpu + ", " + Twine(options.target.lanes) +
          " lanes, tile " + Twine(options.tile) + ", block " +
          Twine(options.block))
      .str();
}

/// The form of training steps that is left out. Most checks compile one form;
/// one in ten has both, and compares their bits.
static StringRef drawForm(reference::Random &random) {
  if (random.between(0, 9) == 0)
    return "";
  return random.between(0, 1) ? ".fused" : ".bucketed";
}

Verdict dpl::test::checkCompiled(ModuleOp module, uint64_t seed) {
  std::string error;
  std::unique_ptr<Oracle> oracle = Oracle::make(module, seed, error);
  if (!oracle)
    return {Verdict::NoReference, error};
  reference::Random random(seed);
  PipelineOptions options = drawOptions(random, error);
  StringRef without = drawForm(random);
  OwningOpRef<ModuleOp> copy = module.clone();
  auto compiled = CompiledProgram::compile(*copy, options, without, error);
  if (!compiled)
    return {Verdict::NoCode, describe(options) + ": " + error};
  Checker checker(*oracle, *compiled);
  for (auto func : module.getOps<func::FuncOp>()) {
    auto kind = func->getAttrOfType<StringAttr>(DplDialect::kStepAttr);
    if (!kind)
      continue;
    std::string name = func.getName().str();
    std::vector<std::string> programs = {name};
    if (kind.getValue() == "train") {
      programs = {name + ".fused", name + ".bucketed"};
      llvm::erase_if(programs, [&](StringRef program) {
        return !without.empty() && program.ends_with(without);
      });
    }
    checker.checkStep(name, programs);
  }
  if (checker.verdict.kind != Verdict::Good)
    checker.verdict.failure =
        describe(options) + ": " + checker.verdict.failure;
  return checker.verdict;
}
