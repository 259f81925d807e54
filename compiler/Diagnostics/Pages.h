//===- Pages.h - what `dplc --explain` knows of each message ----*- C++ -*-===//
//
// The files of Pages/ are part of the compiler's binary. Each has a title and
// sections of this form, in which the place is that of the error:
//
//   ### unknown_name
//   Why, and what to do.
//   ```dpl wrong 1:29
//   a program that has this error and no other
//   ```
//   ```dpl right
//   the same, mended
//   ```
//
// Behind the place, and behind `right`, options of dplc may stand: `-D a=1`.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_DIAGNOSTICS_PAGES_H
#define DPL_COMPILER_DIAGNOSTICS_PAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace dpl {

/// A program of a page; empty where the page has none.
struct PageExample {
  llvm::StringRef text;
  llvm::StringRef place; ///< `line:column` of the error; empty for nowhere
  llvm::StringRef flags; ///< options of dplc
};

struct Page {
  llvm::StringRef chapter; ///< the title of its file
  llvm::StringRef code;
  llvm::StringRef text;
  PageExample wrong;
  PageExample right;
};

/// All pages in the order of the reference.
llvm::ArrayRef<Page> pages();

/// The page of a message, or null.
const Page *findPage(llvm::StringRef code);

/// A page for a terminal: the message, why, what fails, what works.
void renderPage(const Page &page, llvm::raw_ostream &os);

/// All pages as docs/diagnostics.md.
void renderReference(llvm::raw_ostream &os);

} // namespace dpl

#endif // DPL_COMPILER_DIAGNOSTICS_PAGES_H
