//===- ProgramTable.cpp - The global dpl_main_program ---------------------===//

#include "compiler/Target/Cpu/CodeGen.h"
#include "dpl/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace {
/// Builds the globals at the end of a module.
class TableBuilder {
public:
  explicit TableBuilder(ModuleOp module)
      : builder(module.getBodyRegion()), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  void addDescription(StringRef text) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, kDescription,
                           builder.getStringAttr(text));
  }

  void addKernels(ArrayRef<StringRef> names) {
    auto type = LLVM::LLVMArrayType::get(pointer, names.size());
    addConstant(kKernels, type, LLVM::Linkage::Internal, [&](Value table) {
      for (auto [index, name] : llvm::enumerate(names))
        table = insert(table, address(name), index);
      return table;
    });
  }

  void addProgram(uint32_t kernels, uint64_t descriptionSize) {
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    auto type = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), {i32, i32, pointer, pointer, i64});
    addConstant("dpl_main_program", type, LLVM::Linkage::External,
                [&](Value program) {
                  Value fields[] = {integer(i32, DPL_ABI_VERSION),
                                    integer(i32, kernels), address(kKernels),
                                    address(kDescription),
                                    integer(i64, descriptionSize)};
                  for (auto [index, field] : llvm::enumerate(fields))
                    program = insert(program, field, index);
                  return program;
                });
  }

private:
  static constexpr llvm::StringLiteral kDescription = "dpl.description";
  static constexpr llvm::StringLiteral kKernels = "dpl.kernels";

  void addConstant(StringRef name, Type type, LLVM::Linkage linkage,
                   llvm::function_ref<Value(Value)> initialise) {
    auto global =
        LLVM::GlobalOp::create(builder, loc, type,
                               /*isConstant=*/true, linkage, name, Attribute());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    Value empty = LLVM::UndefOp::create(builder, loc, type);
    LLVM::ReturnOp::create(builder, loc, initialise(empty));
  }

  Value address(StringRef symbol) {
    return LLVM::AddressOfOp::create(builder, loc, pointer, symbol);
  }
  Value integer(Type type, uint64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value insert(Value aggregate, Value field, int64_t index) {
    return LLVM::InsertValueOp::create(builder, loc, aggregate, field, index);
  }

  OpBuilder builder;
  Location loc;
  LLVM::LLVMPointerType pointer;
};
} // namespace

LogicalResult dpl::cpu::addProgramTable(ModuleOp module,
                                        ArrayRef<StringRef> kernels,
                                        StringRef description) {
  for (StringRef name : kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function || function.isExternal())
      return module.emitError("the step program names a kernel '")
             << name << "' that was not generated";
  }
  TableBuilder table(module);
  table.addDescription(description);
  table.addKernels(kernels);
  table.addProgram(kernels.size(), description.size());
  return success();
}
