//===- Diagnostics.h - collecting errors and warnings -----------*- C++ -*-===//
//
//   diags.report(diag::unknown_name, range, "rellu")
//       .hint(diag::did_you_mean, "relu")
//       .note(diag::declared_here, other, "relu");
//
// `return diags.report(..)` works where a LogicalResult is wanted: failure.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_DIAGNOSTICS_DIAGNOSTICS_H
#define DPL_COMPILER_DIAGNOSTICS_DIAGNOSTICS_H

#include "compiler/Diagnostics/Registry.h"
#include "compiler/Support/Source.h"

#include "llvm/Support/LogicalResult.h"

#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace dpl {

/// A message that belongs to a diagnostic, at its own place.
struct Attachment {
  Severity severity; ///< Note, Hint, Label or Context
  llvm::StringRef code;
  Range range; ///< invalid: none of its own
  std::string message;
  /// A hint's fix-it: `range` is to be replaced by this text.
  bool hasReplacement = false;
  std::string replacement;
};

/// One error or warning.
struct Diagnostic {
  Severity severity;
  llvm::StringRef code;
  Range range;
  std::string message;
  std::vector<Attachment> attachments;
  /// Diagnostics with one code and one cause are shown once; empty: the range.
  std::string cause;
  unsigned order = 0; ///< of the report
};

/// Collects the diagnostics of one compilation. Not for several threads.
class DiagnosticEngine {
public:
  /// Adds details to the diagnostic that was just reported.
  class Builder {
  public:
    /// A sentence about another place.
    template <typename... Params>
    Builder &note(diag::Message<Severity::Note, Params...> id, Range range,
                  std::type_identity_t<Params>... args) {
      attach(id.index, range, {args.text...});
      return *this;
    }
    /// Text behind the carets; with a range, the carets go there, while the
    /// place of the message stays. The range must be in the message's line.
    template <typename... Params>
    Builder &label(diag::Message<Severity::Label, Params...> id, Range range,
                   std::type_identity_t<Params>... args) {
      attach(id.index, range, {args.text...});
      return *this;
    }
    /// The way out, in words.
    template <typename... Params>
    Builder &hint(diag::Message<Severity::Hint, Params...> id,
                  std::type_identity_t<Params>... args) {
      attach(id.index, Range(), {args.text...});
      return *this;
    }
    /// The way out, with the text that mends it. An empty range at a place is
    /// an insertion there.
    template <typename... Params>
    Builder &fix(diag::Message<Severity::Hint, Params...> id, Range range,
                 llvm::StringRef replacement,
                 std::type_identity_t<Params>... args) {
      Attachment &added = attach(id.index, range, {args.text...});
      added.hasReplacement = true;
      added.replacement = replacement.str();
      return *this;
    }
    /// Names the cause: a later diagnostic with this code and the same cause
    /// is not shown.
    Builder &cause(const llvm::Twine &key) {
      diagnostic->cause = key.str();
      return *this;
    }

    operator llvm::LogicalResult() const { return llvm::failure(); }
    template <typename T> operator llvm::FailureOr<T>() const {
      return llvm::failure();
    }

  private:
    friend class DiagnosticEngine;
    explicit Builder(Diagnostic &diagnostic) : diagnostic(&diagnostic) {}
    Attachment &attach(unsigned index, Range range,
                       llvm::ArrayRef<std::string> args);
    Diagnostic *diagnostic;
  };

  template <Severity S, typename... Params>
    requires(S == Severity::Error || S == Severity::Warning)
  Builder report(diag::Message<S, Params...> id, Range range,
                 std::type_identity_t<Params>... args) {
    return add(id.index, range, {args.text...});
  }

  /// Whether an error was reported.
  bool hasErrors() const { return errors != 0; }
  unsigned numErrors() const { return errors; }
  /// Whether an error was reported inside of a range: what follows from it
  /// there has the same cause.
  bool hasErrorIn(Range range) const;

  /// Everything in the order of the source, one of each cause. Diagnostics
  /// without a place come first.
  std::vector<const Diagnostic *> sorted() const;

private:
  friend class DiagnosticContext;

  Builder add(unsigned index, Range range, llvm::ArrayRef<std::string> args);

  std::deque<Diagnostic> diagnostics;
  std::vector<Attachment> contexts;
  unsigned errors = 0;
};

/// While it lives, each report gets one more "in `f`, applied to .." line; the
/// innermost is shown first.
class DiagnosticContext {
public:
  template <typename... Params>
  DiagnosticContext(DiagnosticEngine &engine,
                    diag::Message<Severity::Context, Params...> id, Range range,
                    std::type_identity_t<Params>... args)
      : DiagnosticContext(engine, id.index, range,
                          llvm::ArrayRef<std::string>{args.text...}) {}
  DiagnosticContext(const DiagnosticContext &) = delete;
  ~DiagnosticContext() { engine.contexts.pop_back(); }

private:
  DiagnosticContext(DiagnosticEngine &engine, unsigned index, Range range,
                    llvm::ArrayRef<std::string> args);
  DiagnosticEngine &engine;
};

} // namespace dpl

#endif // DPL_COMPILER_DIAGNOSTICS_DIAGNOSTICS_H
