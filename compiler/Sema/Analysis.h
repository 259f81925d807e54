//===- Analysis.h - the parts of Sema and what they share -------*- C++ -*-===//
//
// One object analyses one program. Its methods lie in one file for each
// concern; each comes after those above it:
//
//   Declare.cpp      which names each file has
//   Types.cpp        written types, sizes of data parameters
//   Functions.cpp    declarations, blocks, statements
//   Expressions.cpp  names and operators
//   Calls.cpp        what is called: Run, Make or Apply
//   Arguments.cpp    arguments to parameters
//   Pipelines.cpp    data sets and iterators
//   Trainings.cpp    entries of `train`;  Actions.cpp  `every` and the log
//   Structural.cpp   options where only a const can stand
//   Unused.cpp       what is declared for nothing, what is declared by itself
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SEMA_ANALYSIS_H
#define DPL_COMPILER_SEMA_ANALYSIS_H

#include "compiler/Diagnostics/Diagnostics.h"
#include "compiler/Sema/Program.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace dpl {

/// What is known of an expression without shapes.
enum class Type {
  Unknown,
  Int,
  Float,
  Bool,
  String,
  Duration,
  List,
  Member,   ///< of a closed set
  Tensor,   ///< or a record of them, or a ratio
  Callable, ///< a layer or a function
  Dataset,
  Iterator,
  Action,
};

struct Value {
  Type type = Type::Unknown;
  /// Callable: what it calls, if known. Bare names of makers are made.
  const FunctionDecl *function = nullptr;
  /// Tensor: the record that it is, if it is one.
  const RecordType *record = nullptr;
  /// List: the type of its elements.
  Type element = Type::Unknown;
};

/// "an integer", "a tensor", ..
llvm::StringRef describe(Type type);

/// A file with the names that it declares and imports.
struct FileScope {
  SourceFile file;
  bool isPrelude = false;
  bool isUser = false; ///< the file that is compiled
  llvm::StringMap<const Symbol *> names;
  std::vector<FileScope *> imports;
};

/// Names of a function, a block, a loop or a training.
struct Scope {
  const Scope *parent;
  FileScope *file;
  const FunctionDecl *function; ///< or null
  llvm::StringMap<const Symbol *> names;

  Scope(FileScope *file, const FunctionDecl *function = nullptr)
      : parent(nullptr), file(file), function(function) {}
  explicit Scope(const Scope *parent)
      : parent(parent), file(parent->file), function(parent->function) {}
};

class Analysis {
public:
  Analysis(Program &program, SourceManager &sources, DiagnosticEngine &diags)
      : program(program), sources(sources), diags(diags),
        context(*program.context) {}

  void run(llvm::ArrayRef<const SourceBuffer *> prelude,
           const SourceBuffer &user);

private:
  using NameList = llvm::SmallVector<llvm::StringRef>;

  // Declare.cpp
  FileScope *parseFile(const SourceBuffer &buffer);
  void loadImports(FileScope &scope);
  FileScope *loadImport(FileScope &from, const ImportDecl &import);
  void declareFile(FileScope &scope);
  void declare(FileScope &scope, const Decl &decl);
  void linkImports(FileScope &scope);
  bool isSeen(const FileScope &file, const Decl &decl) const;
  void listDecls();
  Symbol *newSymbol(Symbol::Kind kind, const Identifier &name);
  const Symbol *declareLocal(Scope &scope, Symbol *symbol,
                             const Identifier &name);
  const Symbol *find(const Scope &scope, llvm::StringRef name) const;
  const Symbol *findTop(const FileScope &file, llvm::StringRef name) const;
  /// All names that can be seen, for "did you mean".
  NameList visible(const Scope &scope,
                   llvm::function_ref<bool(const Symbol &)> fits) const;
  DiagnosticEngine::Builder suggest(DiagnosticEngine::Builder report,
                                    Range range, llvm::StringRef name,
                                    llvm::ArrayRef<llvm::StringRef> known);
  DiagnosticEngine::Builder noteDeclared(DiagnosticEngine::Builder report,
                                         const Symbol &symbol);
  void bind(const void *use, const Symbol *symbol, const NameExpr *place);

  // Types.cpp
  /// `subject` is the name that a condition of the type is about, if any.
  void resolveType(const TypeNode *type, Scope &scope,
                   llvm::StringRef subject = "");
  void resolveNamedType(const NamedType &type, Scope &scope,
                        llvm::StringRef subject);
  void needTensor(const TypeNode *type, const llvm::Twine &what);
  void needTensors(const TypeNode *type, const llvm::Twine &what);
  void resolveDims(llvm::ArrayRef<Dim> dims, Scope &scope);
  void bindSizes(const TypeNode *type, Scope &scope);
  void bindSize(const Expr *expr, Scope &scope);
  Value valueOf(const TypeNode *type) const;

  // Functions.cpp
  void resolveDecl(const Decl &decl, FileScope &file);
  void resolveSetting(const SettingDecl &decl, FileScope &file);
  void checkFlagName(const Identifier &option);
  void resolveFunction(const FunctionDecl &fn, FileScope &file);
  void checkTensorTypes(const FunctionDecl &fn);
  void declareParameters(ParameterList list, Symbol::Kind kind, Scope &scope);
  void resolveParameters(ParameterList list, Scope &scope);
  Value resolveBlock(const Block &block, Scope &parent, bool wantsResult);
  void resolveStmt(const Stmt &stmt, Scope &scope);
  void resolveLet(const LetStmt &let, Scope &scope);
  void resolveParam(const ParamStmt &param, Scope &scope);
  void resolveFor(const ForStmt &loop, Scope &scope);
  void resolveAssign(const AssignStmt &assign, Scope &scope);
  void declareVariable(const Identifier &name, Value value, const Stmt *stmt,
                       const Expr *expr, unsigned index, Symbol::Kind kind,
                       Scope &scope);

  // Expressions.cpp
  Value resolve(const Expr *expr, Scope &scope);
  Value resolveNew(const Expr *expr, Scope &scope);
  Value resolveName(const NameExpr *name, Scope &scope);
  Value valueOf(const Symbol &symbol);
  Value mention(const NameExpr *name, const FunctionDecl &fn, Scope &scope);
  Value resolveIndex(const IndexExpr *index, Scope &scope);
  Value resolveList(const ListExpr *list, Scope &scope);
  Value resolveBinary(const BinaryExpr *binary, Scope &scope);
  Value resolveMember(const MemberExpr *member, Scope &scope);
  Value resolveIf(const IfExpr *conditional, Scope &scope);
  Value resolveScan(const ScanExpr *scan, Scope &scope);
  Value resolveComprehension(const ComprehensionExpr *list, Scope &scope);
  Value resolveEinsum(const EinsumExpr *einsum, Scope &scope);
  void resolveCondition(const Expr *condition, Scope &scope);
  const Symbol *lookup(const NameExpr *name, Scope &scope);

  // Calls.cpp
  Value resolveCall(const CallExpr *call, Scope &scope);
  Value resolvePipe(const PipeExpr *pipe, Scope &scope);
  Value callFunction(const Expr *whole, const FunctionDecl &fn,
                     llvm::ArrayRef<Argument> args, const Expr *piped,
                     Scope &scope);
  Value run(const Expr *whole, const FunctionDecl &fn, Range place,
            llvm::ArrayRef<Argument> settings, llvm::ArrayRef<Argument> data,
            Scope &scope);
  Value make(const Expr *whole, const FunctionDecl &fn, Range place,
             llvm::ArrayRef<Argument> settings, Scope &scope);
  Value apply(const Expr *whole, const Expr *callee,
              llvm::ArrayRef<Argument> data, Scope &scope);
  bool isUnknownName(const Expr *expr) const;
  void resolveQuietly(llvm::ArrayRef<Argument> args, Scope &scope);
  bool takesData(const FunctionDecl &fn, llvm::ArrayRef<Argument> args,
                 Scope &scope);
  const FunctionDecl *functionOf(const Expr *callee, Scope &scope);
  Value resultOf(const FunctionDecl &fn,
                 llvm::ArrayRef<BoundArgument> data) const;
  void record(const Expr *whole, Call call);

  // Arguments.cpp
  llvm::ArrayRef<BoundArgument> bindArguments(const FunctionDecl &fn,
                                              ParameterList parameters,
                                              llvm::ArrayRef<Argument> args,
                                              Range place, Scope &scope);
  class Binder;
  void resolveArgument(const Parameter &parameter, const Expr *value,
                       Scope &scope);
  void resolveSource(const Expr *value, Scope &scope);
  void resolveSetMember(const NamedType &set, const NameExpr *name,
                        Scope &scope);
  void checkFits(const TypeNode *type, llvm::StringRef name, Range declared,
                 const Expr *value, Value found);

  // Pipelines.cpp
  const Dataset *buildDataset(const Expr *expr, llvm::StringRef name);
  const Dataset *buildDataset(const DatasetDecl &decl);
  const DatasetDecl *declaredDataset(const Expr *expr) const;
  bool addStages(const Expr *expr, Dataset &set);
  void addStage(const Expr *expr, const Call &call, Dataset &set);
  const Iterator *buildIterator(const IteratorDecl &decl);
  void buildPipelines(FileScope &user);

  // Trainings.cpp
  void buildTraining(const TrainDecl &decl, FileScope &file);
  Value resolveModels(const TrainDecl &decl, FileScope &file,
                      Training &training);
  void checkEntryKeys(const TrainDecl &decl);
  void resolveDataEntry(const TrainDecl &decl, Training &training,
                        Scope &scope);
  void declareOutput(Value result, const Training &training, Scope &scope);
  void resolveEntry(const KeyEntry &entry, Training &training, Scope &scope);
#define ENTRY(key, method, required)                                           \
  void method(const KeyEntry &entry, Training &training, Scope &scope);
#include "compiler/Sema/TrainEntries.def"
  void resolveTerms(const KeyEntry &entry, bool isLoss, Training &training,
                    Scope &scope);
  const Argument *oneArgument(const KeyEntry &entry, llvm::StringRef form);
  void checkInputs(const Training &training);
  void checkTermNames(const Training &training);
  void needField(llvm::StringRef who, Range place, llvm::StringRef field,
                 const Dataset &set);

  // Actions.cpp
  void resolveEvery(const EveryEntry &every, Training &training, Scope &scope);
  void resolveAction(const Expr *expr, Trigger &trigger, Training &training,
                     Scope &scope);
  void addEvaluation(const Action &action, Training &training);
  bool reportsKeys(const Expr *action) const;
  bool hasUnknownKeys(const Training &training) const;
  void checkLogKeys(const Training &training);
  NameList logKeys(const Training &training);

  // Structural.cpp
  void checkStructural();

  // Unused.cpp
  void checkUnused(const FileScope &user);
  void checkCycles();

  Program &program;
  SourceManager &sources;
  DiagnosticEngine &diags;
  ASTContext &context;

  std::deque<FileScope> files; ///< prelude, imports, the user's file
  llvm::StringMap<const Symbol *> preludeNames;
  llvm::StringMap<const FunctionDecl *> actions;
  llvm::DenseMap<const Decl *, const Symbol *> declSymbols;
  llvm::DenseMap<const Symbol *, FileScope *> owners;

  llvm::DenseMap<const Symbol *, Value> symbolValues;
  llvm::DenseMap<const Expr *, Value> values;
  llvm::DenseMap<const Decl *, const Dataset *> datasetOf;
  llvm::DenseMap<const Decl *, const Iterator *> iteratorOf;
  llvm::DenseSet<const Decl *> started; ///< settings, data sets under way

  // For the checks behind the walk.
  struct Use {
    const Decl *target;
    const NameExpr *place;
  };
  /// Uses of a declaration by a declaration, in their order.
  llvm::MapVector<const Decl *, std::vector<Use>> uses;
  const Decl *currentDecl = nullptr;
  llvm::DenseMap<const Symbol *, unsigned> useCounts;
  std::vector<const Symbol *> locals;
  /// An expression that decides a shape, a loop or a branch, and why.
  struct StructuralUse {
    const Expr *expr;
    const FunctionDecl *function;
  };
  std::vector<StructuralUse> structuralUses;
  std::vector<const Call *> allCalls;
};

} // namespace dpl

#endif // DPL_COMPILER_SEMA_ANALYSIS_H
