//===- NumberRange.h - the numbers that a declaration allows ----*- C++ -*-===//
//
// `float(p >= 0 and p < 1)`: a condition in the round brackets of `int`,
// `float` and `schedule` says which numbers have a meaning. It compares the
// name that the type belongs to with numbers, so that it can be stated, checked
// by the compiler, and checked again by the trainer where the number is an
// option.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_COMPILER_SEMA_NUMBERRANGE_H
#define DPL_COMPILER_SEMA_NUMBERRANGE_H

#include "compiler/Syntax/AST.h"

#include <limits>
#include <optional>
#include <string>

namespace dpl {

struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool isOpenBelow = false; ///< `least` itself is outside
  bool isOpenAbove = false; ///< `most` itself is outside

  bool isEverything() const;
  /// False for what is no number.
  bool contains(double number) const;
  /// The numbers that are in both.
  NumberRange operator&(const NumberRange &other) const;
  /// "at least 0 and less than 1".
  std::string text() const;
};

/// Whether the type takes a condition in its brackets.
bool hasRange(const NamedType *type);

/// The numbers that the condition of a type allows; all without one. None if it
/// is no condition of this form on `name`. An empty `name` stands for the one
/// that the condition has, once Sema has seen that it is the right one.
std::optional<NumberRange> rangeOf(const NamedType *type,
                                   llvm::StringRef name = "");

/// The type as the source writes it, without its condition.
std::string typeText(const TypeNode *type);

} // namespace dpl

#endif // DPL_COMPILER_SEMA_NUMBERRANGE_H
