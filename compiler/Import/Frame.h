//===- Frame.h - the names of a function under way --------------*- C++ -*-===//

#ifndef DPL_COMPILER_IMPORT_FRAME_H
#define DPL_COMPILER_IMPORT_FRAME_H

#include "compiler/Import/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace dpl::importer {

/// A line of the model's table of layers. Its flops are those of the layer and
/// of functions that it calls, without the layers inside it.
struct LayerRow {
  std::string path;
  std::string layer;
  std::vector<Shape> inputs, outputs;
  std::vector<std::string> parameters;
  int64_t flops = 0;
};

/// What a call has of a function body that was elaborated, beside its value.
struct Effects {
  bool usesTraining = false; ///< the result depends on `training`
  bool drawsRandom = false;  ///< it draws random numbers, others at each call
  /// States of layers that it gives their value for the next step.
  std::vector<std::string> writtenStates;
  std::vector<LayerRow> rows;
  int64_t flops = 0;
  int64_t operations = 0; ///< with those of the functions that it calls
};

/// The names that one application of a layer gives to what is inside it.
struct Scope {
  std::string path; ///< of the layer; empty for the model
  llvm::StringMap<Range> names;
  llvm::StringMap<unsigned> counters;
  /// The paths of parameters whose name is already the whole of it.
  std::string child(llvm::StringRef name) const {
    return path.empty() ? name.str() : path + "." + name.str();
  }
};

/// A `state` of the function: where it is and what was assigned to it.
struct StateSlot {
  const ParamStmt *stmt;
  std::string symbol; ///< of a layer's state
  Tensor value;
  TensorType type;
  mlir::DictionaryAttr init;
  bool written = false;
};

/// A size with the value that a name got it from.
struct BoundSize {
  int64_t size = 0;
  std::string origin; ///< "`y` of `f` is f32[12]"; empty if none
  Range at;
};

/// What can be named where, while one function body is elaborated. The frames
/// of the calls that are under way form a stack.
struct Frame : Effects {
  const FunctionDecl *function = nullptr; ///< null: a step, or the file
  Range call;                             ///< the place in the caller's source
  std::string inputs;                     ///< `x: f32[1, 2, 2]`
  llvm::StringRef inputName;              ///< the caller's name of the input
  Range inputDecl;                        ///< and where it is declared

  Scope *scope = nullptr;
  std::string path; ///< of the layer, for the locations of operations
  bool isOptimizer = false;

  /// Values by the node that declares the name and its place there.
  llvm::DenseMap<std::pair<const void *, unsigned>, Value> values;
  llvm::StringMap<BoundSize> sizes;
  std::optional<Shape> rest; ///< the dims that `..` stands for
  llvm::SmallVector<int64_t> loop;
  llvm::DenseMap<const Expr *, std::string> siteNames;
  std::vector<StateSlot> states;

  /// Of a step: the fields of the batch and the model's result.
  llvm::StringMap<Tensor> fields;
  Value output;

  bool namesLayers = false; ///< it gave names in its caller's scope
  std::vector<std::string> parameters;
};

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_FRAME_H
