//===- TargetInfo.h - What the code generator knows of a CPU ----*- C++ -*-===//
//
// A CPU as data: the passes of this folder read widths and register counts from
// here and name no instruction set.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TARGET_CPU_TARGETINFO_H
#define DPL_TARGET_CPU_TARGETINFO_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace dpl::cpu {

/// Takes the one error message of a function that returns failure.
using EmitError = llvm::function_ref<void(const llvm::Twine &message)>;

/// A CPU that code is generated for.
struct TargetInfo {
  std::string triple;   ///< LLVM triple
  std::string cpu;      ///< LLVM name of the CPU
  std::string features; ///< LLVM feature string, may be empty
  /// Instruction sets of dpl/cpu_features.h that the code may use.
  std::vector<std::string> needs;
  /// Width of the widest vector in f32 elements.
  int64_t lanes = 4;
  /// Number of vector registers.
  int64_t registers = 16;
  /// Multiply and add in one instruction with one rounding.
  bool fma = false;

  int64_t vectorBits() const { return lanes * 32; }
};

/// Describes the CPU that `march` names: `native` (this machine), an x86-64
/// level (`x86-64-v2`, `x86-64-v3`, `x86-64-v4`), or an LLVM CPU name of this
/// machine's architecture. Of this machine only those instruction sets are used
/// that a trainer can ask another one for.
llvm::FailureOr<TargetInfo> describeTarget(llvm::StringRef march,
                                           EmitError emitError);

/// LLVM's code generator for `target`: position independent code; a multiply
/// and an add are contracted where the IR allows it and nowhere else.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const TargetInfo &target,
                                                       EmitError emitError);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_TARGETINFO_H
