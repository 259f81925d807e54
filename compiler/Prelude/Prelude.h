//===- Prelude.h - the .dpl files inside the compiler -----------*- C++ -*-===//
//
// Primitives, layers, losses, metrics, initializers, optimizers, readers,
// transforms, iterators and actions, as every program sees them. The files of
// this folder are part of the compiler's binary.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_PRELUDE_PRELUDE_H
#define DPL_COMPILER_PRELUDE_PRELUDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace dpl {

struct PreludeFile {
  llvm::StringRef name; ///< `<prelude>/linear.dpl`
  llvm::StringRef text;
};

/// All files, sorted by name.
llvm::ArrayRef<PreludeFile> prelude();

/// Whether a buffer of this name is one of them.
bool isPreludeName(llvm::StringRef bufferName);

} // namespace dpl

#endif // DPL_COMPILER_PRELUDE_PRELUDE_H
