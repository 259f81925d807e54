//===- Context.h - what all parts of Import share ---------------*- C++ -*-===//

#ifndef DPL_COMPILER_IMPORT_CONTEXT_H
#define DPL_COMPILER_IMPORT_CONTEXT_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Import/Frame.h"
#include "compiler/Import/Import.h"
#include "compiler/Sema/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <deque>

namespace dpl::importer {

/// The module under construction, the stack of frames, and reports in terms of
/// the user's source: a failure inside the prelude is shown where the user
/// called it, with the calls around it as context.
class Context {
public:
  Context(mlir::MLIRContext *mlir, const SourceManager &sources,
          const Program &program, const ImportOptions &options,
          DiagnosticEngine &diags);

  const SourceManager &sources;
  const Program &program;
  const ImportOptions &options;
  DiagnosticEngine &diags;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder; ///< at the place for the next tensor operation
  Settings settings;
  bool training = false;       ///< the program that is being elaborated
  std::string model;           ///< the model that is being elaborated
  std::string parameterPrefix; ///< of parameters' paths: empty, or `G.`
  /// How often each layer has drawn random numbers in the step so far.
  llvm::StringMap<unsigned> draws;

  Frame &frame() { return *frames.back(); }
  llvm::ArrayRef<Frame *> stack() const { return frames; }

  /// Makes `frame` the innermost while it lives.
  class Entered {
  public:
    Entered(Context &context, Frame &frame) : context(context) {
      context.frames.push_back(&frame);
    }
    Entered(const Entered &) = delete;
    ~Entered() { context.frames.pop_back(); }

  private:
    Context &context;
  };

  mlir::MLIRContext *mlir() { return builder.getContext(); }

  /// The place in the source, in the layer that is being elaborated.
  mlir::Location loc(Range range);

  template <Severity S, typename... Params>
  DiagnosticEngine::Builder report(diag::Message<S, Params...> id, Range range,
                                   std::type_identity_t<Params>... args) {
    Placed placed(*this, range);
    auto builder = diags.report(id, placed.range, args...);
    placed.describe(builder);
    return builder;
  }

  /// Takes the failure of a shape rule at `range`.
  void reportShape(llvm::StringRef code, const llvm::Twine &message,
                   Range range);
  auto shapeError(Range range) {
    return [this, range](llvm::StringRef code, const llvm::Twine &message) {
      reportShape(code, message, range);
    };
  }

  /// An error if a list has more elements than a program can need.
  llvm::LogicalResult checkLength(int64_t length, Range range);
  /// Counts work; an error if a program has no end in sight.
  llvm::LogicalResult countSteps(int64_t count, Range range);

  bool isPrelude(Range range) const;

  /// `base`, or one like it that no symbol of the module has.
  std::string uniqueSymbol(llvm::StringRef base);
  /// Whether the name was free; it is taken now.
  bool reserveSymbol(llvm::StringRef name);

  /// Removes operations of a finished function that nothing uses.
  static void eraseUnused(mlir::func::FuncOp function);

  /// A builder at the place for options, data sets, parameters and states.
  mlir::OpBuilder declarations();

private:
  /// The user's place for a range, and the contexts while it is reported.
  struct Placed {
    Placed(Context &context, Range range);
    void describe(DiagnosticEngine::Builder &builder) const;
    Range range;
    const Frame *prelude = nullptr; ///< the call that left the user's source
    std::deque<DiagnosticContext> contexts;
  };

  std::vector<Frame *> frames;
  int64_t steps = 0;
  llvm::StringMap<unsigned> symbols;
};

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_CONTEXT_H
