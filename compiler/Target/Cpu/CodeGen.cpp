//===- CodeGen.cpp - From the LLVM dialect to an object file --------------===//

#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Cpu/ObjectSymbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace dpl::cpu {

static llvm::OptimizationLevel levelOf(OptLevel level) {
  switch (level) {
  case OptLevel::O1:
    return llvm::OptimizationLevel::O1;
  case OptLevel::O2:
    return llvm::OptimizationLevel::O2;
  case OptLevel::O3:
    return llvm::OptimizationLevel::O3;
  }
  llvm_unreachable("all levels are handled");
}

/// Tells the optimiser which CPU the functions are for.
static void setTargetAttributes(llvm::Module &module,
                                const TargetInfo &target) {
  std::string bits = std::to_string(target.vectorBits());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine,
                     OptLevel level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(levelOf(level)).run(module, modules);
}

static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               const TargetInfo &target,
                                               llvm::TargetMachine &machine,
                                               OptLevel level,
                                               llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context);
  if (!result)
    return nullptr;
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  result->setPICLevel(llvm::PICLevel::BigPIC);
  setTargetAttributes(*result, target);
  optimise(*result, machine, level);
  return result;
}

static std::unique_ptr<llvm::TargetMachine>
machineFor(ModuleOp module, const TargetInfo &target) {
  return makeTargetMachine(
      target, [&](const llvm::Twine &message) { module.emitError(message); });
}

std::unique_ptr<llvm::Module> translateToLlvmIr(ModuleOp module,
                                                const TargetInfo &target,
                                                OptLevel level,
                                                llvm::LLVMContext &context) {
  auto machine = machineFor(module, target);
  return machine ? translate(module, target, *machine, level, context)
                 : nullptr;
}

LogicalResult emitObject(ModuleOp module, const TargetInfo &target,
                         OptLevel level, llvm::SmallVectorImpl<char> &object) {
  auto machine = machineFor(module, target);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto llvmModule = translate(module, target, *machine, level, context);
  if (!llvmModule)
    return failure();

  object.clear();
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return module.emitError("LLVM cannot write object files for '")
           << target.triple << "'";
  passes.run(*llvmModule);
  llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()),
                               "object");
  // A table of kernels may name some that another object defines.
  auto isKernel = [&](llvm::StringRef symbol) {
    return module.lookupSymbol<LLVM::LLVMFuncOp>(symbol) &&
           module.lookupSymbol("dpl_main_program");
  };
  return checkUndefinedSymbols(
      buffer, isKernel,
      [&](const llvm::Twine &message) { module.emitError(message); });
}

LogicalResult emitObjectFile(ModuleOp module, const TargetInfo &target,
                             OptLevel level, llvm::StringRef path) {
  llvm::SmallVector<char, 0> object;
  if (failed(emitObject(module, target, level, object)))
    return failure();
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_None);
  if (!error) {
    stream.write(object.data(), object.size());
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return module.emitError("cannot write '")
           << path << "': " << error.message();
  return success();
}

} // namespace dpl::cpu
