//===- Prelude.cpp - the .dpl files inside the compiler -------------------===//

#include "compiler/Prelude/Prelude.h"

llvm::ArrayRef<dpl::PreludeFile> dpl::prelude() {
  static const PreludeFile files[] = {
#include "compiler/Prelude/PreludeFiles.inc"
  };
  return files;
}

bool dpl::isPreludeName(llvm::StringRef bufferName) {
  return bufferName.starts_with("<prelude>/");
}
