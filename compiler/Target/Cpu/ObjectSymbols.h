//===- ObjectSymbols.h - What an object file needs of others ----*- C++ -*-===//

#ifndef DPL_TARGET_CPU_OBJECTSYMBOLS_H
#define DPL_TARGET_CPU_OBJECTSYMBOLS_H

#include "compiler/Target/Cpu/TargetInfo.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace dpl::cpu {

/// Whether generated code may call `symbol`: the mathematics of the C library,
/// and the functions for memory that LLVM calls by itself. None of these
/// allocates or keeps a state.
bool isAllowedSymbol(llvm::StringRef symbol);

/// Fails with one error, which names all of them, if `object` needs symbols
/// that are not allowed and not `isElsewhere`: in another generated object.
llvm::LogicalResult
checkUndefinedSymbols(llvm::MemoryBufferRef object,
                      llvm::function_ref<bool(llvm::StringRef)> isElsewhere,
                      EmitError emitError);

} // namespace dpl::cpu

#endif // DPL_TARGET_CPU_OBJECTSYMBOLS_H
