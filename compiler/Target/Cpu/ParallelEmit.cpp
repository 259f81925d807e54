//===- ParallelEmit.cpp - Several objects at the same time ----------------===//

#include "compiler/Target/Cpu/ParallelEmit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <algorithm>
#include <thread>

using namespace mlir;

namespace dpl::cpu {

/// The exported function that `function` is part of: a kernel `k` has its body
/// in `k.body`.
static StringRef ownerOf(LLVM::LLVMFuncOp function) {
  StringRef name = function.getSymName();
  name.consume_back(".body");
  return name;
}

/// Shares the kernels out, largest first, each to the part with the least.
static llvm::StringMap<unsigned> shareOut(ModuleOp module, unsigned parts) {
  llvm::MapVector<StringRef, int64_t> sizes;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    int64_t &size = sizes[ownerOf(function)];
    function.walk([&](Operation *) { ++size; });
  }
  auto order = sizes.takeVector();
  llvm::sort(order, [](const auto &a, const auto &b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  llvm::StringMap<unsigned> part;
  std::vector<int64_t> load(parts);
  for (auto &[name, size] : order) {
    auto least = std::min_element(load.begin(), load.end());
    part[name] = least - load.begin();
    *least += size;
  }
  return part;
}

/// A copy of `module` that defines the functions of one part, and the globals
/// if it is the first.
static OwningOpRef<ModuleOp> partOf(ModuleOp module, unsigned which,
                                    const llvm::StringMap<unsigned> &parts) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (Operation &op : llvm::make_early_inc_range(*copy->getBody())) {
    if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      // The program's table and description; kernels keep their constants.
      if (which != 0 && global.getSymName().starts_with("dpl"))
        op.erase();
      continue;
    }
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!function || function.isExternal() ||
        parts.lookup(ownerOf(function)) == which)
      continue;
    if (function.getLinkage() != LLVM::Linkage::External || which != 0) {
      op.erase();
      continue;
    }
    function.getBody().getBlocks().clear();
  }
  return copy;
}

llvm::FailureOr<std::vector<std::string>>
emitObjectFiles(ModuleOp module, const TargetInfo &target, OptLevel level,
                unsigned parts, llvm::StringRef prefix) {
  llvm::StringMap<unsigned> shares = shareOut(module, parts);
  std::vector<std::string> paths;
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (unsigned i = 0; i < parts; ++i) {
    paths.push_back((prefix + "." + Twine(i) + ".o").str());
    modules.push_back(partOf(module, i, shares));
  }
  std::vector<char> failed(parts);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < parts; ++i)
    threads.emplace_back([&, i] {
      failed[i] =
          llvm::failed(emitObjectFile(*modules[i], target, level, paths[i]));
    });
  for (std::thread &thread : threads)
    thread.join();
  if (llvm::is_contained(failed, 1))
    return llvm::failure();
  return paths;
}

} // namespace dpl::cpu
