//===- LayersTest.cpp - Single layers against PyTorch ---------------------===//
//
// golden/layers.json, which make_layers.py writes: a training step of rate 1
// changes each parameter by its gradient. The reference evaluator must agree to
// the digits of the file, the machine code up to rounding in f32.
//
//===----------------------------------------------------------------------===//

#include "compiler/Diagnostics/Render.h"
#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Dialect/Dpl/Transforms/Passes.h"
#include "compiler/Import/Import.h"
#include "compiler/Reference/RandomInputs.h"
#include "compiler/Sema/Sema.h"
#include "test/Random/CompiledProgram.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using namespace dpl::reference;

namespace {

using Numbers = std::vector<double>;

/// One layer of the file.
struct Golden {
  std::string name, declare, layer;
  double levels, loss;
  Numbers samples;
  std::map<std::string, Shape> shapes;
  std::map<std::string, Numbers> gradients;

  std::string program() const;
  /// What formula.py gives a parameter.
  Tensor initial(const std::string &parameter) const;
};

void PrintTo(const Golden &g, std::ostream *os) { *os << g.name; }

template <typename T> std::vector<T> numbers(const llvm::json::Value &array) {
  std::vector<T> result;
  for (const llvm::json::Value &v : *array.getAsArray())
    result.push_back((T)*v.getAsNumber());
  return result;
}

std::vector<Golden> goldens() {
  auto file = llvm::MemoryBuffer::getFile(DPL_PEERS "/golden/layers.json");
  EXPECT_TRUE(bool(file));
  auto json = llvm::json::parse((*file)->getBuffer());
  EXPECT_TRUE(bool(json));
  std::vector<Golden> result;
  for (const auto &[name, value] : *json->getAsObject()) {
    const llvm::json::Object &o = *value.getAsObject();
    Golden g{name.str(),
             o.getString("declare")->str(),
             o.getString("layer")->str(),
             *o.getNumber("levels"),
             *o.getNumber("loss"),
             numbers<double>(*o.get("samples")),
             {},
             {}};
    for (const auto &[key, shape] : *o.getObject("shapes")) {
      std::vector<int64_t> sizes = numbers<int64_t>(shape);
      g.shapes[key.str()] = Shape(sizes.begin(), sizes.end());
    }
    for (const auto &[key, gradient] : *o.getObject("gradients"))
      g.gradients[key.str()] = numbers<double>(gradient);
    result.push_back(std::move(g));
  }
  return result;
}

std::string typeText(const Shape &shape) {
  std::string text;
  for (int64_t n : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text.empty() ? "f32" : "f32[" + text + "]";
}

std::string Golden::program() const {
  return declare +
         "extern reader numbers() -> (s: f32)\n"
         "dataset samples = numbers()\n"
         "iterator batches = serial(samples, batch: 5)\n"
         "model M(s: f32) -> f32 {\n"
         "  param input: " +
         typeText(shapes.at("input")) +
         " = ones\n  param probe: " + typeText(shapes.at("probe")) +
         " = ones\n  let layer = " + layer +
         "\n  sum(layer(input * s) * probe)\n}\n"
         "train M {\n  data batches\n  loss out\n  optimizer sgd(lr: 1.0)\n"
         "  stop 1 iteration\n}\n";
}

uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352D;
  x = (x ^ (x >> 15)) * 0x846CA68B;
  return x ^ (x >> 16);
}

Tensor Golden::initial(const std::string &parameter) const {
  std::string key = name + " " + parameter;
  uint32_t seed =
      llvm::crc32(ArrayRef((const uint8_t *)key.data(), key.size()));
  Tensor t(shapes.at(parameter));
  double scale = 0.2;
  if (t.rank() > 1)
    scale = 2 / std::sqrt((double)t.size() / t.shape[0]);
  for (int64_t i = 0; i < t.size(); ++i) {
    double unit = (mix(seed + i * 0x9E3779B9) >> 8) / 16777216.0 - 0.5;
    t[i] = (float)(unit * scale);
    if (parameter == "input" && levels)
      t[i] = (float)(std::nearbyint(t[i] * levels * 4) / levels);
  }
  return t;
}

class Layers : public testing::TestWithParam<Golden> {
protected:
  Layers() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  OwningOpRef<ModuleOp> import() {
    SourceManager sources;
    dpl::DiagnosticEngine diags;
    std::vector<const SourceBuffer *> prelude = addPrelude(sources);
    const SourceBuffer &user = sources.add("layer.dpl", GetParam().program());
    OwningOpRef<ModuleOp> module;
    if (auto program = analyze(sources, prelude, user, diags);
        succeeded(program))
      module = importProgram(context, sources, **program, {}, diags);
    std::string text;
    llvm::raw_string_ostream os(text);
    renderText(diags, sources, os);
    EXPECT_EQ(text, "");
    return module;
  }

  /// The store before the step.
  Store start(ModuleOp module) {
    Store store;
    Random random(1);
    EXPECT_TRUE(succeeded(fillStore(module, random, store)));
    for (auto &entry : store.tensors) {
      std::string name = entry.getKey().str();
      if (GetParam().shapes.count(name))
        entry.getValue() = GetParam().initial(name);
      else // a state
        llvm::fill(entry.getValue().data, 0);
    }
    return store;
  }

  BatchValue samples() {
    std::vector<Tensor> values;
    for (double s : GetParam().samples)
      values.push_back(Tensor({}, s));
    return BatchValue::samples(std::move(values));
  }

  void expectGolden(const Store &before, const Store &after, double tolerance) {
    const Golden &g = GetParam();
    ASSERT_EQ(after.reports.size(), 1u);
    EXPECT_NEAR(after.reports[0].sum / after.reports[0].count, g.loss,
                tolerance);
    for (const auto &[name, gradient] : g.gradients) {
      const Tensor &old = before.tensors.find(name)->second;
      const Tensor &now = after.tensors.find(name)->second;
      ASSERT_EQ(now.size(), (int64_t)gradient.size()) << name;
      for (auto [i, expected] : llvm::enumerate(gradient))
        EXPECT_NEAR(old[i] - now[i], expected, tolerance)
            << name << " at " << i;
    }
  }

  MLIRContext context;
};

} // namespace

TEST_P(Layers, ReferenceAgrees) {
  OwningOpRef<ModuleOp> module = import();
  ASSERT_TRUE(module);
  PassManager pm(&context);
  pm.addPass(createInlinerPass());
  pm.addNestedPass<func::FuncOp>(createDifferentiatePass());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  Store before = start(*module), after = before;
  auto step = module->lookupSymbol<func::FuncOp>("train.M");
  ASSERT_TRUE(step);
  ASSERT_TRUE(succeeded(Evaluator(*module, after, GetParam().samples.size())
                            .run(step, {samples()})));
  expectGolden(before, after, 2e-7);
}

// Both forms of the step, in tiles of two samples: the last is not full.
TEST_P(Layers, MachineCodeAgrees) {
  OwningOpRef<ModuleOp> module = import();
  ASSERT_TRUE(module);
  Store before = start(*module);
  PipelineOptions options;
  std::string error;
  auto target = cpu::describeTarget(
      "native", [&](const Twine &message) { error = message.str(); });
  ASSERT_TRUE(succeeded(target)) << error;
  options.target = *target;
  options.tile = 2;
  auto compiled = CompiledProgram::compile(*module, options, "", error);
  ASSERT_TRUE(compiled) << error;
  Batch batch;
  batch.fields["s"] = samples();
  batch.samples = GetParam().samples.size();
  for (const char *form : {"train.M.fused", "train.M.bucketed"}) {
    Store after = before;
    ASSERT_EQ(compiled->run(form, batch, {}, after), "");
    expectGolden(before, after, 3e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Layers, testing::ValuesIn(goldens()),
                         [](const testing::TestParamInfo<Golden> &info) {
                           return info.param.name;
                         });
