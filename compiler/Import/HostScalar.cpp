//===- HostScalar.cpp - numbers that options decide -----------------------===//

#include "compiler/Import/HostScalar.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace dpl;
using namespace dpl::importer;

HostScalarPtr HostScalar::number(double value) {
  HostScalar s;
  s.op = Op::Literal;
  s.literal = value;
  return std::make_shared<const HostScalar>(std::move(s));
}

HostScalarPtr HostScalar::make(Op op, HostScalarPtr lhs, HostScalarPtr rhs) {
  HostScalar s;
  s.op = op;
  s.lhs = std::move(lhs);
  s.rhs = std::move(rhs);
  return std::make_shared<const HostScalar>(std::move(s));
}

const HostScalar *HostScalar::firstOption() const {
  if (op == Op::Option)
    return this;
  for (const HostScalarPtr &side : {lhs, rhs})
    if (const HostScalar *found = side ? side->firstOption() : nullptr)
      return found;
  return nullptr;
}

std::string HostScalar::key() const {
  if (op == Op::Option)
    return option->name.text.str();
  if (op == Op::Literal) {
    llvm::SmallString<32> text;
    llvm::APFloat(literal).toString(text, 17);
    return text.str().str();
  }
  std::string result = "(" + std::to_string(static_cast<int>(op));
  for (const HostScalarPtr &side : {lhs, rhs})
    if (side)
      result += " " + side->key();
  return result + ")";
}

llvm::StringRef Settings::define(llvm::StringRef name,
                                 const HostScalarPtr &scalar) {
  auto [it, fresh] = byKey.insert({scalar->key(), {std::string(), scalar}});
  if (fresh) {
    std::string unique = name.str();
    for (unsigned i = 1; !names.try_emplace(unique, true).second; ++i)
      unique = (name + "_" + llvm::Twine(i)).str();
    it->second.first = unique;
  }
  return it->second.first;
}

llvm::StringRef Settings::nameOf(const HostScalarPtr &scalar) {
  const HostScalar *option = scalar->firstOption();
  return define(option ? option->option->name.text : "constant", scalar);
}

namespace {
/// Writes the operations of trees, each option's value once.
class Emitter {
public:
  explicit Emitter(mlir::OpBuilder &b) : b(b), loc(b.getUnknownLoc()) {}

  mlir::Value emit(const HostScalar &s) {
    using Op = HostScalar::Op;
    switch (s.op) {
    case Op::Literal:
      return ConstantOp::create(
          b, loc, mlir::DenseElementsAttr::get(type(), s.literal));
    case Op::Option: {
      mlir::Value &value = options[s.option->name.text];
      if (!value)
        value = OptionValueOp::create(b, loc, type(), s.option->name.text);
      return value;
    }
    case Op::Add:
      return binary<AddOp>(s);
    case Op::Sub:
      return binary<SubOp>(s);
    case Op::Mul:
      return binary<MulOp>(s);
    case Op::Div:
      return binary<DivOp>(s);
    case Op::Pow:
      return binary<PowOp>(s);
    case Op::Max:
      return binary<MaxOp>(s);
    case Op::Exp:
      return ExpOp::create(b, loc, emit(*s.lhs));
    case Op::Log:
      return LogOp::create(b, loc, emit(*s.lhs));
    case Op::Sqrt:
      return SqrtOp::create(b, loc, emit(*s.lhs));
    case Op::Tanh:
      return TanhOp::create(b, loc, emit(*s.lhs));
    case Op::Erf:
      return ErfOp::create(b, loc, emit(*s.lhs));
    case Op::Sin:
      return SinOp::create(b, loc, emit(*s.lhs));
    case Op::Abs:
      return AbsOp::create(b, loc, emit(*s.lhs));
    }
    llvm_unreachable("unknown operation");
  }

private:
  template <typename OpT> mlir::Value binary(const HostScalar &s) {
    mlir::Value lhs = emit(*s.lhs), rhs = emit(*s.rhs);
    return OpT::create(b, loc, lhs, rhs);
  }
  mlir::RankedTensorType type() {
    return mlir::RankedTensorType::get({}, b.getF64Type());
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::StringMap<mlir::Value> options;
};
} // namespace

void Settings::emit(mlir::ModuleOp module) const {
  if (byKey.empty())
    return;
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module.getBody());
  auto function = mlir::func::FuncOp::create(b, b.getUnknownLoc(), "settings",
                                             b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  Emitter emitter(b);
  for (const auto &[key, entry] : byKey) {
    mlir::Value value = emitter.emit(*entry.second);
    SettingOp::create(b, b.getUnknownLoc(), entry.first, value);
  }
  mlir::func::ReturnOp::create(b, b.getUnknownLoc());
}
