//===- ModuleBuilder.h - data, models and trainings ------------*- C++ -*-===//

#ifndef DPL_COMPILER_IMPORT_MODULEBUILDER_H
#define DPL_COMPILER_IMPORT_MODULEBUILDER_H

#include "compiler/Import/Evaluator.h"

#include "llvm/ADT/MapVector.h"

namespace dpl::importer {

/// A field of a batch.
struct Field {
  std::string name;
  TensorType type;
};

/// Writes what is declared at the top of a file: options, data sets,
/// iterators, models and trainings with their step functions.
class ModuleBuilder {
public:
  explicit ModuleBuilder(Context &context)
      : context(context), evaluator(context) {}

  llvm::LogicalResult run();

private:
  // Settings and data, Data.cpp.
  llvm::LogicalResult checkOverrides();
  llvm::LogicalResult writeOption(const SettingDecl *decl);
  void writeOptionRanges();
  llvm::LogicalResult writeDataset(const Dataset &dataset);
  llvm::LogicalResult writeIterator(const Iterator &iterator);
  llvm::LogicalResult transform(const DataStage &stage,
                                std::vector<Field> &fields,
                                mlir::NamedAttrList &entry);
  llvm::FailureOr<mlir::DictionaryAttr>
  argumentsOf(const FunctionDecl *function, llvm::ArrayRef<BoundArgument> bound,
              Range at, Frame &frame);
  std::string datasetName(const Dataset &dataset) const;

  // Models, Models.cpp.
  /// Runs the model at the builder's place and keeps its row of the table.
  llvm::FailureOr<Value> runModel(const FunctionDecl *model, Arguments inputs,
                                  Range at);
  llvm::LogicalResult writeModel(const FunctionDecl *model);
  llvm::LogicalResult writeUntrained(const FunctionDecl *model);
  llvm::FailureOr<Arguments> modelInputs(const FunctionDecl *model,
                                         const Iterator &iterator);

  // Step functions, Step.cpp and Optimizer.cpp.
  llvm::LogicalResult writeStep(const Training &training,
                                const Iterator &iterator, bool isTraining,
                                llvm::StringRef name);
  llvm::LogicalResult stepBody(const Training &training,
                               const Iterator &iterator, bool isTraining);
  llvm::FailureOr<mlir::Value> writeTerms(const Training &training);
  llvm::FailureOr<Ratio> termValue(const Term &term);
  llvm::FailureOr<Value> applyTerm(const Term &term);
  llvm::LogicalResult update(const Training &training, mlir::Value loss);
  llvm::FailureOr<CallablePtr> makeOptimizer(const OptimizerUse &use);
  /// The update function for one shape of parameters.
  struct Update {
    mlir::func::FuncOp function;
    std::vector<StateSlot> states;
  };
  llvm::FailureOr<Update *> updateFor(const CallablePtr &optimizer,
                                      const TensorType &type, Range at);

  // The table of the training, Train.cpp.
  llvm::LogicalResult writeTraining(const Training &training);
  llvm::LogicalResult writeTrainOp(const Training &training);
  llvm::FailureOr<mlir::DictionaryAttr> writeEvery(const Trigger &trigger);
  llvm::FailureOr<mlir::DictionaryAttr> writeAction(const Action &action);
  llvm::FailureOr<mlir::DictionaryAttr> durationOf(const Expr *expr);

  Context &context;
  Evaluator evaluator;
  llvm::DenseMap<const Dataset *, std::vector<Field>> fieldsOf;
  std::map<std::string, Update> updates;
  /// What is known of a model once it was elaborated.
  struct Model {
    std::string function;
    std::vector<Field> inputs, outputs;
    std::vector<LayerRow> rows;
  };
  llvm::DenseMap<const FunctionDecl *, Model> models;
  bool severalModels = false; ///< parameters begin with their model's name
};

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_MODULEBUILDER_H
