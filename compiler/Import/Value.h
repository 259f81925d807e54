//===- Value.h - what an expression evaluates to ----------------*- C++ -*-===//
//
// Compile-time values, numbers that options decide, layers and functions as
// values, and tensors of the IR. Values are cheap to copy: lists, records and
// callables are shared and immutable but for a callable's name.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_IMPORT_VALUE_H
#define DPL_COMPILER_IMPORT_VALUE_H

#include "compiler/Import/HostScalar.h"
#include "compiler/Import/TensorType.h"
#include "compiler/Syntax/AST.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace dpl::importer {

class Value;

/// `10 epochs`; minutes and hours are seconds.
struct Duration {
  double count;
  Unit unit; ///< Epoch, Iteration or Second
  friend bool operator==(const Duration &, const Duration &) = default;
};

/// A member of a closed set, or the bare name of a field.
struct Member {
  std::string name;
};

struct Tensor {
  mlir::Value value;
  TensorType type;
};

using List = std::vector<Value>;

struct Record {
  std::vector<std::string> names;
  std::vector<Value> values;
  const Value *find(llvm::StringRef name) const;
};

struct Ratio {
  Tensor sum, count;
};

/// A layer, or a function that waits for its data. Two mentions of a maker are
/// two callables; one callable applied twice shares its parameters.
struct Callable {
  const FunctionDecl *function = nullptr;
  std::vector<Value> settings;     ///< one for each parameter of the first list
  Range range;                     ///< the mention
  const Expr *site = nullptr;      ///< the mention's expression
  llvm::SmallVector<int64_t> loop; ///< indices of the loops around it
  std::string path;                ///< of a layer, once it has one
  bool hasPath = false;
  uint32_t letSite = 0; ///< the place of the `let` that named it, or 0

  bool isLayer() const { return function->functionKind == FunctionKind::Layer; }
};
using CallablePtr = std::shared_ptr<Callable>;

class Value {
public:
  using Holder =
      std::variant<std::monostate, int64_t, double, bool, std::string, Duration,
                   Member, HostScalarPtr, std::shared_ptr<const List>,
                   std::shared_ptr<const Record>, CallablePtr, Tensor,
                   std::shared_ptr<const Ratio>>;

  Value() = default;
  template <typename T>
    requires std::is_constructible_v<Holder, T &&>
  Value(T &&held) : held(std::forward<T>(held)) {}
  static Value list(List elements) {
    return std::make_shared<const List>(std::move(elements));
  }
  static Value record(Record fields) {
    return std::make_shared<const Record>(std::move(fields));
  }
  static Value ratio(Tensor sum, Tensor count) {
    return std::make_shared<const Ratio>(
        Ratio{std::move(sum), std::move(count)});
  }

  /// The value of that type, or null.
  template <typename T> const T *as() const { return std::get_if<T>(&held); }
  const List *asList() const {
    auto *p = as<std::shared_ptr<const List>>();
    return p ? p->get() : nullptr;
  }
  const Record *asRecord() const {
    auto *p = as<std::shared_ptr<const Record>>();
    return p ? p->get() : nullptr;
  }
  const Ratio *asRatio() const {
    auto *p = as<std::shared_ptr<const Ratio>>();
    return p ? p->get() : nullptr;
  }
  CallablePtr asCallable() const {
    auto *p = as<CallablePtr>();
    return p ? *p : nullptr;
  }
  HostScalarPtr asScalar() const {
    auto *p = as<HostScalarPtr>();
    return p ? *p : nullptr;
  }
  /// An int or a float as a float.
  std::optional<double> asNumber() const;
  bool isNone() const { return as<std::monostate>(); }

  /// How a message calls it: `3`, `f32[10]`, "a layer", "option `lr`".
  std::string text() const;
  /// Equal for values that make the same function: part of its key.
  std::string key() const;

private:
  Holder held;
};

/// Calls `visit` for the tensors of a value in order.
void forEachTensor(const Value &value,
                   llvm::function_ref<void(const Tensor &)> visit);
/// The value with each of its tensors replaced.
Value mapTensors(const Value &value,
                 llvm::function_ref<Tensor(const Tensor &)> map);
/// Calls `visit` for the callables of a value, with the list indices to them.
void forEachCallable(
    const Value &value,
    llvm::function_ref<void(Callable &, llvm::ArrayRef<int64_t>)> visit);

/// A number as the language writes it: shortest, and never like an integer.
std::string floatText(double value);
std::string durationText(const Duration &duration);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_VALUE_H
