//===- Evaluator.h - expressions, statements, calls -------------*- C++ -*-===//
//
// Evaluates the source: what is known at compile time becomes a value, what is
// not becomes operations at the builder's place. Every failure is reported.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_EVALUATOR_H
#define DPL_COMPILER_IMPORT_EVALUATOR_H

#include "compiler/Import/Context.h"
#include "compiler/Sema/NumberRange.h"

#include <map>

namespace dpl::importer {

/// The arguments of one call, in the order of the callee's last list.
struct Arguments {
  List values;
  /// The expression of each; null for a default.
  std::vector<const Expr *> exprs;
};

/// An option with its default.
struct OptionInfo {
  OptionType type;
  Value value;
  NumberRange range; ///< of its type, and of all parameters that it goes to
};

/// A `func.func` with the shape of its result.
struct Elaborated : Effects {
  mlir::func::FuncOp function;
  Value result; ///< tensors stand for the function's results, in order
  std::vector<mlir::ElementsAttr> constants; ///< of each tensor, or null
};

class Evaluator {
public:
  explicit Evaluator(Context &context) : context(context) {}

  llvm::FailureOr<Value> eval(const Expr *expr);
  /// The value of the last expression; none without one.
  llvm::FailureOr<Value> eval(const Block *block);
  llvm::FailureOr<int64_t> evalInt(const Expr *expr);

  /// `value` as a value of a type; `who` names the receiver in the message.
  llvm::FailureOr<Value> coerce(const Value &value, const TypeNode *type,
                                Range at, const llvm::Twine &who);
  /// The tensor type that is written; sizes that are not known are an error.
  llvm::FailureOr<TensorType> tensorType(const NamedType *type);
  /// Whether the type names a tensor rather than a compile-time value.
  static bool isTensorType(const TypeNode *type);
  /// Matches a tensor with the type of a parameter and binds the free sizes.
  llvm::LogicalResult bind(const NamedType *type, const TensorType &actual,
                           Range at, const llvm::Twine &who, Range declared);

  llvm::FailureOr<Value> constant(const SettingDecl *decl);
  llvm::FailureOr<OptionInfo> option(const SettingDecl *decl);

  /// The value of settings for one mention of a maker.
  llvm::FailureOr<CallablePtr> make(const FunctionDecl *function,
                                    llvm::ArrayRef<BoundArgument> settings,
                                    const Expr *site);
  /// Runs a layer, a function, or the layers of a list in turn.
  llvm::FailureOr<Value> apply(const Value &callee, Arguments arguments,
                               Range at);
  llvm::FailureOr<Value> applyCallable(const CallablePtr &callable,
                                       Arguments arguments, Range at);
  /// The function of a callable for inputs of the given types; made once.
  llvm::FailureOr<const Elaborated *> elaborate(const CallablePtr &callable,
                                                Arguments &arguments, Range at);
  /// Calls what `elaborate` made.
  llvm::FailureOr<Value> callElaborated(const Elaborated &callee,
                                        const Callable &callable,
                                        const Arguments &arguments, Range at);
  /// Evaluates a function's body in `frame`, which is new.
  llvm::FailureOr<Value> runBody(Frame &frame, Callable &callable,
                                 Arguments &arguments, Range at);
  /// Adds the settings and data parameters of a function to its frame.
  llvm::LogicalResult bindArguments(Frame &frame, Callable &callable,
                                    Arguments &arguments, Range at);
  /// Checks the value of a body against the declared type.
  llvm::FailureOr<Value> checkResult(const FunctionDecl *function,
                                     const Value &value);

  /// The parameter or state of an initializer's value, for the module.
  llvm::FailureOr<mlir::DictionaryAttr> initializer(const Value &value,
                                                    const TensorType &type,
                                                    const ParamStmt *stmt);

  /// Gives the layers of a value that have no name one.
  llvm::LogicalResult nameLayers(const Value &value, llvm::StringRef name,
                                 Range range);
  /// Warns about layers that a `let` names and nothing applies, as far as Sema
  /// could not see it.
  void reportUnused();

  Context &context;

private:
  using Result = llvm::FailureOr<Value>;

  Result evalName(const NameExpr *expr);
  Result evalBuiltin(const NameExpr *expr);
  Result evalFunction(const NameExpr *expr, const FunctionDecl *function);
  Result evalList(const ListExpr *expr);
  Result evalComprehension(const ComprehensionExpr *expr);
  Result evalRecord(const RecordExpr *expr);
  Result evalEinsum(const EinsumExpr *expr);
  Result evalIndex(const IndexExpr *expr);
  Result evalMember(const MemberExpr *expr);
  Result evalUnary(const UnaryExpr *expr);
  Result evalBinary(const BinaryExpr *expr);
  Result evalLogic(const BinaryExpr *expr);
  Result evalIf(const IfExpr *expr);
  Result evalCall(const Expr *expr);
  Result layerParameter(const Callable &layer, const Identifier &member);

  llvm::LogicalResult exec(const Stmt *stmt);
  llvm::LogicalResult execLet(const LetStmt *stmt);
  llvm::LogicalResult execParam(const ParamStmt *stmt);
  /// The path of a `param` or `state`, and whether it is seen first.
  llvm::LogicalResult declareTensor(const ParamStmt *stmt,
                                    const TensorType &type, std::string &path,
                                    bool &fresh);
  llvm::LogicalResult execParameter(const ParamStmt *stmt,
                                    const TensorType &type,
                                    mlir::DictionaryAttr init);
  llvm::LogicalResult execState(const ParamStmt *stmt, const TensorType &type,
                                mlir::DictionaryAttr init);
  llvm::LogicalResult execFor(const ForStmt *stmt);
  llvm::LogicalResult execAssign(const AssignStmt *stmt);
  llvm::LogicalResult writeStates(Frame &frame);

  llvm::FailureOr<bool> evalCondition(const Expr *expr);
  llvm::FailureOr<List> evalSequence(const Expr *expr);
  Result coerceScalar(const Value &value, const NamedType *type, Range at,
                      const llvm::Twine &who);
  Result coerceList(const Value &value, const NamedType *type, Range at,
                    const llvm::Twine &who);
  Result coerceTensor(const Value &value, const NamedType *type, Range at,
                      const llvm::Twine &who, Range declared);
  llvm::LogicalResult checkRange(const Value &value, const NamedType *type,
                                 Range at, const llvm::Twine &who);
  llvm::LogicalResult checkFileName(const Value &value, Range at,
                                    const llvm::Twine &who);
  llvm::LogicalResult mismatch(const Value &value, const TypeNode *type,
                               Range at, const llvm::Twine &who);
  Result overridden(const SettingDecl *decl, const Value &usual,
                    llvm::StringRef text);

  llvm::FailureOr<Arguments> evalArguments(llvm::ArrayRef<BoundArgument> bound);
  Result runPrimitive(const FunctionDecl *function, Arguments arguments,
                      Range at);
  Result runInline(const CallablePtr &callable, Arguments &arguments, Range at);
  std::unique_ptr<Elaborated> finishFunction(Frame &frame,
                                             const Callable &callable,
                                             mlir::func::FuncOp function,
                                             const Value &result,
                                             const Arguments &arguments);
  /// Adds what a call has to the frame; the flops of a layer stand in a row of
  /// its own. A state that has its value already is an error.
  llvm::LogicalResult addEffects(const Effects &effects, Range at,
                                 bool isLayer = false);
  void ensurePath(Callable &callable);
  llvm::LogicalResult claimName(llvm::StringRef name, Range range);

  llvm::DenseMap<const SettingDecl *, Value> constants;
  llvm::DenseMap<const SettingDecl *, OptionInfo> options;
  std::map<std::string, std::unique_ptr<Elaborated>> functions;
  llvm::StringMap<std::pair<TensorType, Range>> parameters;
  /// For each `let` of the user that names a layer: was one of its applied?
  struct Site {
    llvm::StringRef name;
    Range range;
    bool used = false;
  };
  std::map<uint32_t, Site> sites;
};

/// A statement that an option decides what must be known at compile time.
llvm::LogicalResult reportStructural(Context &context, const HostScalar &scalar,
                                     Range use);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_EVALUATOR_H
