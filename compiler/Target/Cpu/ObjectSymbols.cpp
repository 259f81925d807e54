//===- ObjectSymbols.cpp - What an object file needs of others ------------===//

#include "compiler/Target/Cpu/ObjectSymbols.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ObjectFile.h"

using namespace dpl::cpu;

static bool isMathFunction(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"}, true)
      .Cases({"cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc"}, true)
      .Cases({"exp", "exp2", "expm1", "fabs", "floor", "fma", "fmod"}, true)
      .Cases({"log", "log10", "log1p", "log2", "nearbyint", "pow"}, true)
      .Cases({"rint", "round", "roundeven", "sin", "sincos", "sinh"}, true)
      .Cases({"sqrt", "tan", "tanh", "trunc", "fmin", "fmax"}, true)
      .Default(false);
}

bool dpl::cpu::isAllowedSymbol(llvm::StringRef symbol) {
  if (symbol == "memcpy" || symbol == "memmove" || symbol == "memset" ||
      symbol == "_GLOBAL_OFFSET_TABLE_")
    return true;
  return isMathFunction(symbol) ||
         (symbol.consume_back("f") && isMathFunction(symbol));
}

llvm::LogicalResult dpl::cpu::checkUndefinedSymbols(
    llvm::MemoryBufferRef object,
    llvm::function_ref<bool(llvm::StringRef)> isElsewhere,
    EmitError emitError) {
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file) {
    emitError("cannot read the generated object: " +
              llvm::toString(file.takeError()));
    return llvm::failure();
  }
  llvm::SmallVector<std::string> unexpected;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      emitError("cannot read the symbols of the generated object");
      return llvm::failure();
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        !isAllowedSymbol(*name) && !isElsewhere(*name))
      unexpected.push_back(name->str());
  }
  if (unexpected.empty())
    return llvm::success();
  emitError("generated code calls " + llvm::join(unexpected, ", ") +
            ", which a kernel must not need");
  return llvm::failure();
}
