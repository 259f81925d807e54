//===- Description.cpp - The program description --------------------------===//

#include "compiler/Target/Program/Description.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Target/Program/AttributeToJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace dpl;
namespace json = llvm::json;

static DictionaryAttr kernelInfo(func::FuncOp func) {
  return func->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
}

SmallVector<func::FuncOp> dpl::kernelsOf(ModuleOp module) {
  SmallVector<func::FuncOp> kernels;
  for (auto func : module.getOps<func::FuncOp>())
    if (kernelInfo(func))
      kernels.push_back(func);
  return kernels;
}

namespace {

class DescriptionWriter {
public:
  DescriptionWriter(ModuleOp module, const DescriptionInfo &info)
      : module(module), info(info), kernels(kernelsOf(module)) {}

  json::Object write();

private:
  json::Array options(), datasets(), iterators(), parameters(), states(),
      models(), programs();
  json::Object settings(), train();
  json::Object task(unsigned number);

  ModuleOp module;
  const DescriptionInfo &info;
  SmallVector<func::FuncOp> kernels;
};

} // namespace

static json::Array shapeOf(Type type) {
  return json::Array(cast<RankedTensorType>(type).getShape());
}

json::Array DescriptionWriter::options() {
  json::Array list;
  for (auto op : module.getOps<OptionOp>()) {
    json::Object option{{"name", op.getSymName()},
                        {"type", op.getType()},
                        {"default", attributeToJson(op.getValue())},
                        {"help", op.getHelp()}};
    if (DictionaryAttr range = op.getRangeAttr())
      option["range"] = attributeToJson(range);
    list.push_back(std::move(option));
  }
  return list;
}

json::Array DescriptionWriter::datasets() {
  json::Array list;
  for (auto op : module.getOps<DatasetOp>())
    list.push_back(
        json::Object{{"name", op.getSymName()},
                     {"reader", op.getReader()},
                     {"args", attributeToJson(op.getArgs())},
                     {"transforms", attributeToJson(op.getTransforms())},
                     {"stored", attributeToJson(op.getStored())},
                     {"fields", attributeToJson(op.getFields())}});
  return list;
}

json::Array DescriptionWriter::iterators() {
  json::Array list;
  for (auto op : module.getOps<IteratorOp>()) {
    json::Object object = *attributeToJson(op.getArgs()).getAsObject();
    object["name"] = op.getSymName();
    object["kind"] = op.getKind();
    object["dataset"] = op.getDataset();
    object["batch"] = op.getBatch();
    list.push_back(std::move(object));
  }
  return list;
}

json::Array DescriptionWriter::parameters() {
  // With several models in a program, a path begins with its model's name.
  auto models = llvm::to_vector(module.getOps<ModelOp>());
  json::Array list;
  for (auto op : module.getOps<ParameterOp>()) {
    StringRef model = models.size() == 1 ? models.front().getSymName()
                                         : op.getSymName().split('.').first;
    list.push_back(json::Object{{"name", op.getSymName()},
                                {"model", model},
                                {"dtype", "f32"},
                                {"shape", shapeOf(op.getType())},
                                {"role", op.getRole()},
                                {"init", attributeToJson(op.getInit())}});
  }
  return list;
}

json::Array DescriptionWriter::states() {
  json::Array list;
  for (auto op : module.getOps<StateOp>()) {
    json::Object object{{"name", op.getSymName()},
                        {"owner", op.getParameter() ? "optimizer" : "model"},
                        {"dtype", "f32"},
                        {"shape", shapeOf(op.getType())},
                        {"init", attributeToJson(op.getInit())}};
    if (op.getParameter())
      object["parameter"] = *op.getParameter();
    list.push_back(std::move(object));
  }
  return list;
}

json::Array DescriptionWriter::models() {
  json::Array list;
  for (auto op : module.getOps<ModelOp>())
    list.push_back(json::Object{
        {"name", op.getSymName()},
        {"inputs", attributeToJson(op.getInputs())},
        {"outputs", attributeToJson(op.getOutputs())},
        {"layers", op.getLayers() ? attributeToJson(*op.getLayers())
                                  : json::Value(json::Array())}});
  return list;
}

json::Object DescriptionWriter::settings() {
  json::Object object{{"kernel", nullptr}, {"entries", json::Array()}};
  for (auto [i, kernel] : llvm::enumerate(kernels))
    if (auto names = kernel->getAttrOfType<ArrayAttr>("dpl.settings")) {
      object["kernel"] = (int64_t)i;
      for (Attribute name : names)
        object["entries"].getAsArray()->push_back(
            json::Object{{"name", attributeToJson(name)}});
    }
  return object;
}

json::Object DescriptionWriter::task(unsigned number) {
  func::FuncOp kernel = kernels[number];
  DictionaryAttr info = kernelInfo(kernel);
  json::Array buffers;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (!isa<MemRefType>(kernel.getArgument(i).getType()))
      continue;
    if (auto buffer =
            kernel.getArgAttrOfType<DictionaryAttr>(i, DplDialect::kBufferAttr))
      buffers.push_back(attributeToJson(buffer));
    else
      buffers.push_back(json::Object{{"space", "arena"}});
  }
  json::Object object{{"kernel", (int64_t)number},
                      {"domain", attributeToJson(info.get("domain"))},
                      {"buffers", std::move(buffers)}};
  if (Attribute count = info.get("count"))
    object["count"] = attributeToJson(count);
  return object;
}

json::Array DescriptionWriter::programs() {
  json::Array list;
  for (auto op : module.getOps<StepProgramOp>()) {
    json::Object program = *attributeToJson(op.getEntries()).getAsObject();
    StringRef name = op.getSymName();
    name.consume_back(".program");
    program["name"] = name;
    json::Array *phases = program["phases"].getAsArray();
    for (json::Value &phase : *phases)
      (*phase.getAsObject())["tasks"] = json::Array();
    int64_t arena = 0;
    for (auto [i, kernel] : llvm::enumerate(kernels)) {
      auto owner =
          dyn_cast_or_null<StringAttr>(kernelInfo(kernel).get("program"));
      if (!owner || owner.getValue() != name)
        continue;
      if (auto bytes = kernel->getAttrOfType<IntegerAttr>("dpl.arena"))
        arena = std::max(arena, bytes.getInt());
      int64_t phase =
          cast<IntegerAttr>(kernelInfo(kernel).get("phase")).getInt();
      (*phases)[phase].getAsObject()->getArray("tasks")->push_back(task(i));
    }
    program["arena"] = arena;
    list.push_back(std::move(program));
  }
  return list;
}

json::Object DescriptionWriter::train() {
  json::Object object;
  for (auto op : module.getOps<TrainOp>()) {
    object = *attributeToJson(op.getEntries()).getAsObject();
    object["step"] =
        json::Object{{"fused", (op.getStep() + ".fused").str()},
                     {"bucketed", (op.getStep() + ".bucketed").str()}};
  }
  return object;
}

json::Object DescriptionWriter::write() {
  return json::Object{
      {"format", 1},
      {"source", info.source},
      {"compiler", info.compiler},
      {"target", json::Object{{"cpu", info.cpu},
                              {"needs", json::Array(info.needs)},
                              {"triple", info.triple}}},
      {"hash", info.hash},
      {"options", options()},
      {"datasets", datasets()},
      {"iterators", iterators()},
      {"parameters", parameters()},
      {"states", states()},
      {"settings", settings()},
      {"models", models()},
      {"programs", programs()},
      {"train", train()},
  };
}

std::string dpl::hashProgram(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (Operation &op : *module.getBody())
    if (isa<ParameterOp, StateOp, ModelOp, func::FuncOp>(op))
      op.print(stream);
  llvm::SHA256 sha;
  sha.update(text);
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

std::string dpl::describeProgram(ModuleOp module, const DescriptionInfo &info) {
  std::string text;
  llvm::raw_string_ostream(text)
      << json::Value(DescriptionWriter(module, info).write());
  return text;
}
