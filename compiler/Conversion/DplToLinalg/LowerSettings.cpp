//===- LowerSettings.cpp - The settings function to a kernel --------------===//
//
// Options in f64 to settings in f32, scalar by scalar: two arguments, the
// arrays of the program description.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/DplToLinalg/LowerSettings.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace dpl;

namespace {
class SettingsLowering {
public:
  SettingsLowering(func::FuncOp source, const llvm::StringMap<int64_t> &options)
      : source(source), options(options),
        b(source.getLoc(), source.getContext()) {}

  LogicalResult run() {
    int64_t settings = llvm::range_size(source.getOps<SettingOp>());
    b.setInsertionPoint(source);
    auto from =
        MemRefType::get({std::max<int64_t>(1, options.size())}, b.getF64Type());
    auto to = MemRefType::get({std::max<int64_t>(1, settings)}, b.getF32Type());
    source.setSymName((source.getName() + ".source").str());
    auto kernel =
        func::FuncOp::create(b, "settings", b.getFunctionType({from, to}, {}));
    kernel->setAttr(DplDialect::kKernelAttr,
                    b.getDictionaryAttr(
                        b.getNamedAttr("domain", b.getStringAttr("settings"))));
    Block *body = kernel.addEntryBlock();
    b.setInsertionPointToStart(body);
    for (Operation &op : source.getBody().front().without_terminator())
      if (failed(lower(&op, body->getArgument(0), body->getArgument(1))))
        return failure();
    kernel->setAttr("dpl.settings", b.getArrayAttr(names));
    func::ReturnOp::create(b);
    source.erase();
    return success();
  }

private:
  LogicalResult lower(Operation *op, Value from, Value to) {
    if (auto setting = dyn_cast<SettingOp>(op)) {
      Value at = arith::ConstantIndexOp::create(b, stored++);
      Value v = arith::TruncFOp::create(b, b.getF32Type(),
                                        map.lookup(setting.getValue()));
      memref::StoreOp::create(b, v, to, at);
      names.push_back(setting.getNameAttr());
      return success();
    }
    Value &v = map[op->getResult(0)];
    if (auto option = dyn_cast<OptionValueOp>(op)) {
      Value at =
          arith::ConstantIndexOp::create(b, options.lookup(option.getOption()));
      v = memref::LoadOp::create(b, from, at);
    } else if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto dense = cast<DenseElementsAttr>(constant.getValue());
      v = arith::ConstantOp::create(b, dense.getSplatValue<TypedAttr>());
    } else if (isa<ElementwiseOpInterface>(op)) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(map.lookup(operand));
      v = cast<StructuredOpInterface>(op).buildScalar(b, op->getLoc(), operands,
                                                      Value(), 0);
    } else {
      return op->emitOpError("cannot compute a setting");
    }
    return success();
  }

  func::FuncOp source;
  const llvm::StringMap<int64_t> &options;
  ImplicitLocOpBuilder b;
  llvm::DenseMap<Value, Value> map;
  int64_t stored = 0;
  SmallVector<Attribute> names;
};
} // namespace

LogicalResult dpl::lowerSettings(ModuleOp module) {
  auto source = module.lookupSymbol<func::FuncOp>("settings");
  if (!source)
    return success();
  if (source.getOps<SettingOp>().empty()) {
    source.erase();
    return success();
  }
  llvm::StringMap<int64_t> options;
  for (auto option : module.getOps<OptionOp>())
    options.try_emplace(option.getSymName(), options.size());
  return SettingsLowering(source, options).run();
}
