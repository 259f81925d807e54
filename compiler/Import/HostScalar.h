//===- HostScalar.h - numbers that options decide ---------------*- C++ -*-===//
//
// A number that is known when the trainer runs, before a step: an option, or
// arithmetic on options. It is a tree of f64 operations; those that reach a
// step function are computed by the function @settings.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_HOSTSCALAR_H
#define DPL_COMPILER_IMPORT_HOSTSCALAR_H

#include "compiler/Syntax/AST.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace dpl::importer {

enum class OptionType { Float, Int, Bool, String, Duration };

struct HostScalar;
using HostScalarPtr = std::shared_ptr<const HostScalar>;

struct HostScalar {
  enum class Op {
    Literal,
    Option,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Max,
    Exp,
    Log,
    Sqrt,
    Tanh,
    Erf,
    Sin,
    Abs
  };
  Op op;
  double literal = 0;
  const SettingDecl *option = nullptr;
  OptionType type = OptionType::Float; ///< of an Option
  Range mention;                       ///< where the source names the option
  HostScalarPtr lhs, rhs;

  static HostScalarPtr number(double value);
  static HostScalarPtr make(Op op, HostScalarPtr lhs, HostScalarPtr rhs = {});

  bool isNumeric() const {
    return op != Op::Option || type < OptionType::String;
  }
  /// An option of the tree; null if there is none.
  const HostScalar *firstOption() const;
  /// A text that is equal exactly for equal trees.
  std::string key() const;
};

/// The settings of a program and the function that computes them.
class Settings {
public:
  /// Gives `scalar` a name, `name` or one like it, unless it has one already.
  llvm::StringRef define(llvm::StringRef name, const HostScalarPtr &scalar);

  /// The name of a scalar; defines it after its first option.
  llvm::StringRef nameOf(const HostScalarPtr &scalar);

  /// Whether a setting of exactly this name exists.
  bool contains(llvm::StringRef name) const { return names.contains(name); }

  /// Appends `func.func @settings`; nothing if there are no settings.
  void emit(mlir::ModuleOp module) const;

private:
  llvm::MapVector<std::string, std::pair<std::string, HostScalarPtr>,
                  llvm::StringMap<unsigned>>
      byKey;
  llvm::StringMap<bool> names;
};

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_HOSTSCALAR_H
