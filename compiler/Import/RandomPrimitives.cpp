//===- RandomPrimitives.cpp - counted random numbers ----------------------===//

#include "compiler/Import/Primitives.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::failure;
using llvm::FailureOr;

/// The name of this draw: the layer that makes it, and its number among the
/// draws of that layer in the step.
static std::string callPath(Context &context) {
  const Scope *scope = context.frame().scope;
  std::string path = context.model;
  if (scope && !scope->path.empty())
    path += "." + scope->path;
  unsigned number = ++context.draws[path];
  return path + ":" + std::to_string(number);
}

static FailureOr<Value> random(PrimitiveCall &call, RandomKind kind) {
  if (failed(call.tensors.requireFunction()))
    return failure();
  FailureOr<Shape> shape = call.sizes(0);
  if (failed(shape))
    return failure();
  Context &context = call.tensors.context;
  context.frame().drawsRandom = true;
  mlir::OpBuilder &b = call.tensors.b;
  mlir::Location loc = call.tensors.loc;
  TensorType type;
  type.shape = *shape;
  type.perSample = true;
  std::string path = callPath(context);
  auto key = [&](int64_t word) -> mlir::Value {
    mlir::Type i32 = tensorType({}, b.getI32Type(), false);
    return RandomKeyOp::create(b, loc, i32, path, word);
  };
  mlir::Value sample =
      SampleIndexOp::create(b, loc, tensorType({}, b.getI64Type(), true));
  mlir::Value result = RandomOp::create(b, loc, irType(context.mlir(), type),
                                        kind, key(0), key(1), sample);
  return Value(Tensor{result, type});
}

static FailureOr<Value> uniform(PrimitiveCall &call) {
  return random(call, RandomKind::uniform);
}

static FailureOr<Value> normal(PrimitiveCall &call) {
  return random(call, RandomKind::normal);
}

llvm::ArrayRef<Primitive> importer::randomPrimitives() {
  static const Primitive table[] = {{"random_uniform", uniform},
                                    {"random_normal", normal}};
  return table;
}
