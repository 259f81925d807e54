//===- Nearest.h - the name that a typo meant -------------------*- C++ -*-===//

#ifndef DPL_COMPILER_SUPPORT_NEAREST_H
#define DPL_COMPILER_SUPPORT_NEAREST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace dpl {

/// The candidate that is most like `name`, the first of several; empty if none
/// is near: at most one edit for every three letters, one for short names.
/// Names that differ in case or underscores only are always near.
llvm::StringRef nearest(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace dpl

#endif // DPL_COMPILER_SUPPORT_NEAREST_H
