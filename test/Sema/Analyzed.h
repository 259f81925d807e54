//===- Analyzed.h - programs in tests ---------------------------*- C++ -*-===//

#ifndef DPL_TEST_SEMA_ANALYZED_H
#define DPL_TEST_SEMA_ANALYZED_H

#include "compiler/Sema/Sema.h"
#include "test/Syntax/Parsed.h"

#include <string>

namespace dpl::test {

/// A program with the prelude of the tests.
struct Analyzed {
  SourceManager sources;
  DiagnosticEngine diags;
  const SourceBuffer *user = nullptr;
  std::unique_ptr<Program> program; ///< null if there are errors

  /// The name of the buffer is where `import` starts from.
  explicit Analyzed(llvm::StringRef text, llvm::StringRef name = "test.dpl");

  /// `line:column code` of each diagnostic of the user's file; those of other
  /// files have the file's name before them.
  std::string codes() const;
  std::string rendered() const;
  /// A declaration of the user's file by its name.
  const Decl *decl(llvm::StringRef name) const;
};

/// The errors and warnings of a program.
inline std::string semaCodes(llvm::StringRef text) {
  return Analyzed(text).codes();
}

/// A whole program around a body of the model `M(x) -> f32[10]`, `x` being a
/// picture, so that a test needs to write only its point. The body begins in
/// column 1 of line 1.
std::string inModel(llvm::StringRef body);

/// A whole program around entries of a training; data set, iterators
/// `train_iter` and `test_iter` and the model `M` are there.
std::string inTraining(llvm::StringRef entries);

} // namespace dpl::test

#endif // DPL_TEST_SEMA_ANALYZED_H
