//===- Machine.cpp - Outlined steps on simulated buffers ------------------===//

#include "test/Dialect/Dpl/Machine.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using namespace dpl::reference;

static int64_t number(DictionaryAttr entries, StringRef name) {
  auto value = entries.getAs<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}
static StringRef text(DictionaryAttr entries, StringRef name) {
  return entries.getAs<StringAttr>(name).getValue();
}
static int64_t elementBytes(Type type) {
  return (cast<RankedTensorType>(type).getElementTypeBitWidth() + 7) / 8;
}
static DictionaryAttr bufferAttr(std::string space, int64_t index,
                                 MLIRContext *context) {
  Builder b(context);
  return b.getDictionaryAttr(
      {b.getNamedAttr("space", b.getStringAttr(space)),
       b.getNamedAttr("index", b.getI64IntegerAttr(index))});
}

/// Offsets in bytes of the elements of one instance, or of all samples.
static std::vector<int64_t> places(Type type, DictionaryAttr buffer,
                                   int64_t instances) {
  auto tensor = cast<RankedTensorType>(type);
  Shape shape(tensor.getShape()), step = strides(tensor.getShape());
  if (isPerSample(type)) {
    shape.insert(shape.begin(), instances);
    step.insert(step.begin(), tensor.getNumElements());
  }
  if (auto given = buffer.getAs<DenseI64ArrayAttr>("strides"))
    step.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  for (int64_t &s : step)
    s *= elementBytes(type);
  return offsets(shape, step);
}

Machine::Region &Machine::region(DictionaryAttr buffer, int64_t chunk) {
  StringRef space = text(buffer, "space");
  std::string key = (space + "." + Twine(number(buffer, "index"))).str();
  if (space == "sums")
    key += "." + std::to_string(chunk);
  return regions[key];
}

/// The place `at` of a region that grows as it is used; new places are 0.
static double &grown(std::vector<double> &region, int64_t at) {
  if ((int64_t)region.size() <= at)
    region.resize(at + 1);
  return region[at];
}

BatchValue Machine::load(Type type, DictionaryAttr buffer, const Task &task) {
  bool sumsUp = text(buffer, "space") == "sums" && !task.tiles;
  int64_t base = number(buffer, "offset") + task.tile * number(buffer, "tile") +
                 task.block * number(buffer, "block");
  BatchValue value;
  value.perSample = isPerSample(type);
  int64_t instances = value.perSample ? task.samples : 1;
  std::vector<int64_t> at = places(type, buffer, instances);
  int64_t next = 0;
  for (int64_t s = 0; s < instances; ++s) {
    Tensor t(cast<RankedTensorType>(type).getShape());
    for (double &v : t.data) {
      for (int64_t c = 0; c < (sumsUp ? chunks : 1); ++c)
        v += grown(region(buffer, sumsUp ? c : task.chunk), base + at[next]);
      ++next;
    }
    value.tensors.push_back(std::move(t));
  }
  return value;
}

void Machine::save(Type type, DictionaryAttr buffer, const Task &task,
                   const BatchValue &value) {
  bool addsUp = text(buffer, "space") == "sums";
  int64_t base = number(buffer, "offset") + task.tile * number(buffer, "tile") +
                 task.block * number(buffer, "block");
  std::vector<int64_t> at = places(type, buffer, value.tensors.size());
  Region &to = region(buffer, task.chunk);
  int64_t next = 0;
  for (const Tensor &t : value.tensors)
    for (double v : t.data) {
      double &place = grown(to, base + at[next++]);
      place = addsUp ? place + v : v;
    }
}

LogicalResult Machine::runTask(func::FuncOp kernel, const Task &task) {
  std::vector<BatchValue> arguments;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    arguments.push_back(load(
        type,
        kernel.getArgAttrOfType<DictionaryAttr>(i, DplDialect::kBufferAttr),
        task));
  auto results = Evaluator(module, store, task.samples).run(kernel, arguments);
  if (failed(results))
    return failure();
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes()))
    save(type,
         kernel.getResultAttrOfType<DictionaryAttr>(i, DplDialect::kBufferAttr),
         task, (*results)[i]);
  return success();
}

LogicalResult Machine::runKernel(func::FuncOp kernel, int64_t samplesOfTile) {
  auto entries = kernel->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
  Task task;
  task.samples = samples;
  task.tiles = text(entries, "domain") == "tiles";
  int64_t tiles = (samples + samplesOfTile - 1) / samplesOfTile;
  int64_t count = task.tiles ? tiles
                  : text(entries, "domain") == "blocks"
                      ? number(entries, "count")
                      : 1;
  for (int64_t i = 0; i < count; ++i) {
    if (task.tiles) {
      task.tile = i;
      task.chunk = i * std::min(chunks, tiles) / tiles;
      task.samples = std::min(samplesOfTile, samples - i * samplesOfTile);
    } else {
      task.block = i;
    }
    if (failed(runTask(kernel, task)))
      return failure();
  }
  return success();
}

void Machine::fill(ArrayRef<BatchValue> fields,
                   ArrayRef<StringRef> randomPaths) {
  Task whole;
  whole.samples = samples;
  MLIRContext *context = module.getContext();
  auto put = [&](std::string space, int64_t index, Type type,
                 const BatchValue &value) {
    save(type, bufferAttr(space, index, context), whole, value);
  };
  int64_t index = 0;
  for (auto op : module.getOps<ParameterOp>())
    put("parameter", index++, op.getType(),
        BatchValue::uniform(store.tensors[op.getSymName()]));
  index = 0;
  for (auto op : module.getOps<StateOp>())
    put("state", index++, op.getType(),
        BatchValue::uniform(store.tensors[op.getSymName()]));
  Builder b(context);
  for (auto [i, field] : llvm::enumerate(fields))
    put("input", i,
        tensorType(field.at(0).shape,
                   i == 0 ? Type(b.getF32Type()) : b.getI32Type(), true),
        field);
  auto scalar = tensorType({}, b.getF32Type(), false);
  put("batch", 0, scalar,
      BatchValue::uniform(Tensor(Shape(), (double)samples)));
  Tensor keys(Shape{2 * (int64_t)randomPaths.size()});
  for (auto [i, path] : llvm::enumerate(randomPaths))
    for (int word : {0, 1})
      keys[2 * i + word] = (int32_t)randomKey(store.counters, path)[word];
  put("random", 0, tensorType(keys.shape, b.getI32Type(), false),
      BatchValue::uniform(keys));
  std::vector<Tensor> numbers;
  for (int64_t s = 0; s < samples; ++s)
    numbers.push_back(Tensor(Shape(), store.counters.sampleNumber(s)));
  put("samples", 0, tensorType({}, b.getI64Type(), true),
      BatchValue::samples(numbers));
  index = 0;
  module.walk([&](SettingOp op) {
    Tensor list(Shape{index + 1});
    list[index] = store.settings[op.getName()][0];
    put("settings", 0, tensorType({index + 1}, b.getF32Type(), false),
        BatchValue::uniform(list));
    ++index;
  });
}

void Machine::empty(DictionaryAttr entries) {
  Task whole;
  MLIRContext *context = module.getContext();
  auto get = [&](std::string space, int64_t index, Type type) {
    return load(type, bufferAttr(space, index, context), whole).at(0);
  };
  int64_t index = 0;
  for (auto op : module.getOps<ParameterOp>())
    store.tensors[op.getSymName()] = get("parameter", index++, op.getType());
  index = 0;
  for (auto op : module.getOps<StateOp>())
    store.tensors[op.getSymName()] = get("state", index++, op.getType());
  auto reports = entries.getAs<ArrayAttr>("reports");
  auto all = tensorType({2 * (int64_t)reports.size()},
                        Float32Type::get(context), false);
  Tensor values = get("report", 0, all);
  for (auto report : reports.getAsRange<DictionaryAttr>())
    store.reports.push_back({text(report, "name").str(),
                             values[number(report, "sum")],
                             values[number(report, "count")]});
}

LogicalResult Machine::run(StringRef name, ArrayRef<BatchValue> fields) {
  auto program = module.lookupSymbol<StepProgramOp>((name + ".program").str());
  if (!program)
    return module.emitError("no program of that name");
  DictionaryAttr entries = program.getEntries();
  SmallVector<StringRef> randomPaths(
      entries.getAs<ArrayAttr>("random").getAsValueRange<StringAttr>());
  fill(fields, randomPaths);
  auto phases = entries.getAs<ArrayAttr>("phases");
  for (int64_t phase = 0; phase < (int64_t)phases.size(); ++phase)
    for (auto kernel : module.getOps<func::FuncOp>()) {
      auto attr =
          kernel->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
      if (!attr || text(attr, "program") != name ||
          number(attr, "phase") != phase)
        continue;
      if (failed(runKernel(kernel, number(entries, "tile"))))
        return failure();
    }
  empty(entries);
  return success();
}
