//===- TargetInfo.cpp - What the code generator knows of a CPU ------------===//

#include "compiler/Target/Cpu/TargetInfo.h"

#include "dpl/cpu_features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

using namespace dpl::cpu;

static const llvm::Target *findTarget(const llvm::Triple &triple,
                                      EmitError emitError) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    emitError("no code generator for '" + triple.str() + "': " + error);
  return target;
}

static constexpr llvm::StringLiteral kX86Features[] = {
#define DPL_NAME(name) name,
    DPL_X86_FEATURES(DPL_NAME)
#undef DPL_NAME
};

/// What every processor of x86-64 has.
static constexpr llvm::StringLiteral kX86Baseline[] = {
    "64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"};

static std::string hostFeatures(const llvm::Triple &triple) {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    bool known = !triple.isX86() ||
                 llvm::is_contained(kX86Features, feature.first()) ||
                 llvm::is_contained(kX86Baseline, feature.first());
    features.AddFeature(feature.first(), feature.second && known);
  }
  return features.getString();
}

static void readVectorUnit(const llvm::Triple &triple,
                           const llvm::MCSubtargetInfo &subtarget,
                           TargetInfo &info) {
  auto has = [&](llvm::StringRef feature) {
    return subtarget.checkFeatures(("+" + feature).str());
  };
  if (triple.isX86()) {
    bool wide = has("avx512f") && has("avx512vl") && has("avx512dq");
    info.lanes = wide ? 16 : has("avx") ? 8 : 4;
    info.registers = wide ? 32 : 16;
    info.fma = wide || has("fma");
  } else if (triple.isAArch64()) {
    info.lanes = 4;
    info.registers = 32;
    info.fma = true;
  }
}

llvm::FailureOr<TargetInfo> dpl::cpu::describeTarget(llvm::StringRef march,
                                                     EmitError emitError) {
  TargetInfo info;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target = findTarget(triple, emitError);
  if (!target)
    return llvm::failure();
  info.triple = triple.str();
  info.cpu =
      march == "native" ? llvm::sys::getHostCPUName().str() : march.str();
  info.features = march == "native" ? hostFeatures(triple) : "";

  // The subtarget of an unknown CPU prints its own complaint: ask a known one.
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known || info.cpu.empty() || !known->isCPUStringValid(info.cpu)) {
    emitError(
        "unknown CPU '" + march + "' for " + triple.getArchName() +
        "; use 'native', " +
        (triple.isX86() ? "'x86-64-v2', 'x86-64-v3', 'x86-64-v4', " : "") +
        "or a name that `llc -mcpu=help` lists");
    return llvm::failure();
  }
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, info.cpu, info.features));
  if (triple.isX86() && !subtarget->checkFeatures("+64bit")) {
    emitError("the CPU '" + march +
              "' has no 64-bit code; use 'native', "
              "'x86-64-v2', 'x86-64-v3' or 'x86-64-v4'");
    return llvm::failure();
  }
  if (triple.isX86())
    for (llvm::StringRef feature : kX86Features)
      if (subtarget->checkFeatures(("+" + feature).str()))
        info.needs.push_back(feature.str());
  readVectorUnit(triple, *subtarget, info);
  return info;
}

/// Stores are not merged, in this whole process: LLVM 22 merges those of
/// neighbouring parts of a vector into a store of another part
/// (docs/design/0016).
static void avoidStoreMerging() {
  static const bool done = [] {
    auto &options = llvm::cl::getRegisteredOptions();
    auto found = options.find("combiner-store-merging");
    if (found != options.end())
      static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(false);
    return true;
  }();
  (void)done;
}

std::unique_ptr<llvm::TargetMachine>
dpl::cpu::makeTargetMachine(const TargetInfo &info, EmitError emitError) {
  llvm::Triple triple(info.triple);
  const llvm::Target *target = findTarget(triple, emitError);
  if (!target)
    return nullptr;
  avoidStoreMerging();
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  options.MCOptions.AsmVerbose = false;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, info.cpu, info.features, options, llvm::Reloc::PIC_));
  if (!machine)
    emitError("LLVM has no code generator for '" + info.triple + "'");
  return machine;
}
