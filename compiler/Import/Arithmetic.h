//===- Arithmetic.h - operators on compile-time values ----------*- C++ -*-===//

#ifndef DPL_COMPILER_IMPORT_ARITHMETIC_H
#define DPL_COMPILER_IMPORT_ARITHMETIC_H

#include "compiler/Import/Context.h"

namespace dpl::importer {

/// A binary operator on values without tensors. Integers stay exact: a
/// quotient that is not whole is an error, and so is an overflow. A number that
/// an option decides makes the result one, too.
llvm::FailureOr<Value> evaluateBinary(Context &context, const BinaryExpr *expr,
                                      const Value &lhs, const Value &rhs);

/// A function of one number: `exp log sqrt tanh erf sin abs`; null if it is
/// none of them. `op` names it for numbers that options decide.
struct NumberFunction {
  double (*compute)(double);
  HostScalar::Op op;
};
const NumberFunction *numberFunction(llvm::StringRef name);

/// The number as a tree of options; null if it is no number.
HostScalarPtr asHostScalar(const Value &value);

} // namespace dpl::importer

#endif // DPL_COMPILER_IMPORT_ARITHMETIC_H
