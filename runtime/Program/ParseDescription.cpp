//===- ParseDescription.cpp - The description from JSON -------------------===//
//
// Form only: types, closed sets of names, missing and unknown fields. What the
// parts must have to do with each other is in CheckDescription.cpp.
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/CheckDescription.h"
#include "runtime/Program/Description.h"
#include "runtime/Program/JsonReader.h"

#include "runtime/Base/Text.h"

namespace dpl::rt {
namespace desc {

using json_reader::Fields;
using json_reader::Node;
using json_reader::readName;

static void read(const Node &node, DType &out) {
  std::string name;
  read(node, name);
  if (auto type = parseDType(name))
    out = *type;
  else
    node.expected("one of f32, f64, i32, i64, u8");
}

static void read(const Node &node, Unit &out) {
  readName<Unit>(node, out,
                 {{"epoch", Unit::Epoch},
                  {"iteration", Unit::Iteration},
                  {"second", Unit::Second}});
}

static void read(const Node &node, Duration &out) {
  Fields fields(node);
  fields.required("count", out.count);
  if (const Node *unit = fields.find("unit", true))
    read(*unit, out.unit);
  fields.done();
}

static void read(const Node &node, Value &out) {
  const nlohmann::json &json = node.value;
  if (json.is_boolean()) {
    out.held = json.get<bool>();
  } else if (json.is_number_integer()) {
    out.held = json.get<int64_t>();
  } else if (json.is_number()) {
    out.held = json.get<double>();
  } else if (json.is_string()) {
    out.held = json.get<std::string>();
  } else if (json.is_array()) {
    std::vector<Value> list(json.size());
    for (size_t i = 0; i < json.size(); ++i)
      read(node.element(i), list[i]);
    out.held = std::move(list);
  } else if (json.is_object() && json.contains("option")) {
    Fields fields(node);
    OptionRef ref;
    fields.required("option", ref.name);
    fields.done();
    out.held = std::move(ref);
  } else if (json.is_object() && json.contains("unit")) {
    Duration duration;
    read(node, duration);
    out.held = duration;
  } else {
    node.expected("a literal, a list, a duration or an option");
  }
}

static void read(const Node &node, Args &out) {
  Fields isObject(node);
  if (node.failed())
    return;
  for (auto it = node.value.begin(); it != node.value.end(); ++it)
    read(node.field(it.key()), out[it.key()]);
}

/// Lists and optional fields of the structs here, found by overload.
template <typename T>
static void readList(const Node &node, std::vector<T> &out) {
  if (!node.value.is_array())
    return node.expected("a list");
  out.resize(node.value.size());
  for (size_t i = 0; i < out.size() && !node.failed(); ++i)
    read(node.element(i), out[i]);
}

template <typename T>
static void field(Fields &fields, const char *key, T &out, bool needed = true) {
  if (const Node *node = fields.find(key, needed))
    read(*node, out);
}

template <typename T>
static void list(Fields &fields, const char *key, std::vector<T> &out,
                 bool needed = true) {
  if (const Node *node = fields.find(key, needed))
    readList(*node, out);
}

static void read(const Node &node, Range &out) {
  Fields fields(node);
  fields.optional("at_least", out.atLeast);
  fields.optional("above", out.above);
  fields.optional("at_most", out.atMost);
  fields.optional("below", out.below);
  fields.done();
}

static void read(const Node &node, OptionSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  if (const Node *type = fields.find("type", true))
    readName<OptionType>(*type, out.type,
                         {{"float", OptionType::Float},
                          {"int", OptionType::Int},
                          {"bool", OptionType::Bool},
                          {"string", OptionType::String},
                          {"duration", OptionType::Duration}});
  field(fields, "default", out.defaultValue);
  fields.optional("help", out.help);
  field(fields, "range", out.range, /*needed=*/false);
  fields.done();
  if (out.type == OptionType::Float)
    if (const auto *whole = std::get_if<int64_t>(&out.defaultValue.held))
      out.defaultValue.held = static_cast<double>(*whole);
}

static void read(const Node &node, FieldSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  field(fields, "dtype", out.dtype);
  fields.required("shape", out.shape);
  fields.optional("classes", out.classes);
  fields.optional("optional", out.optional);
  fields.done();
}

static void read(const Node &node, TransformSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.required("field", out.field);
  field(fields, "args", out.args, /*needed=*/false);
  fields.done();
}

static void read(const Node &node, DatasetSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.required("reader", out.reader);
  field(fields, "args", out.args, /*needed=*/false);
  list(fields, "transforms", out.transforms, /*needed=*/false);
  list(fields, "stored", out.stored);
  list(fields, "fields", out.fields);
  fields.done();
}

static void read(const Node &node, IteratorSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  if (const Node *kind = fields.find("kind", true))
    readName<IteratorKind>(*kind, out.kind,
                           {{"serial", IteratorKind::Serial},
                            {"threads", IteratorKind::Threads},
                            {"multiprocess", IteratorKind::Multiprocess}});
  fields.required("dataset", out.dataset);
  fields.required("batch", out.batch);
  fields.optional("shuffle", out.shuffle);
  fields.optional("repeat", out.repeat);
  fields.optional("workers", out.workers);
  fields.optional("prefetch", out.prefetch);
  fields.optional("seed", out.seed);
  if (const Node *last = fields.find("last", false))
    readName<LastBatch>(*last, out.last,
                        {{"keep", LastBatch::Keep},
                         {"drop", LastBatch::Drop},
                         {"wrap", LastBatch::Wrap}});
  fields.optional("timeout", out.timeout);
  fields.optional("on_bad_sample", out.onBadSample);
  fields.done();
}

static void read(const Node &node, InitSpec &out) {
  Fields fields(node);
  if (const Node *kind = fields.find("kind", true))
    readName<InitKind>(*kind, out.kind,
                       {{"he_uniform", InitKind::HeUniform},
                        {"normal", InitKind::Normal},
                        {"truncated_normal", InitKind::TruncatedNormal},
                        {"uniform", InitKind::Uniform},
                        {"zeros", InitKind::Zeros},
                        {"ones", InitKind::Ones},
                        {"constant", InitKind::Constant}});
  fields.optional("fan_in", out.fanIn);
  fields.optional("mean", out.mean);
  fields.optional("std", out.std);
  fields.optional("low", out.low);
  fields.optional("high", out.high);
  fields.optional("value", out.constant);
  fields.done();
}

/// Parameters and states are f32; the field is there for later formats.
static void requireF32(Fields &fields) {
  DType dtype = DType::F32;
  field(fields, "dtype", dtype);
  if (dtype != DType::F32)
    fields.find("dtype", true)->expected("f32");
}

static void read(const Node &node, ParameterSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.required("model", out.model);
  requireF32(fields);
  fields.required("shape", out.shape);
  fields.required("role", out.role);
  field(fields, "init", out.init);
  fields.done();
}

static void read(const Node &node, StateSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.required("owner", out.owner);
  fields.optional("parameter", out.parameter);
  requireF32(fields);
  fields.required("shape", out.shape);
  field(fields, "init", out.init);
  fields.done();
}

static void read(const Node &node, SettingSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.optional("help", out.help);
  fields.done();
}

static void read(const Node &node, SettingsSpec &out) {
  Fields fields(node);
  fields.required("kernel", out.kernel);
  list(fields, "entries", out.entries);
  fields.done();
}

static void read(const Node &node, LayerSpec &out) {
  Fields fields(node);
  fields.required("path", out.path);
  fields.required("layer", out.layer);
  fields.required("input", out.input);
  fields.required("output", out.output);
  fields.optional("parameters", out.parameters);
  fields.optional("flops", out.flops);
  fields.done();
}

static void read(const Node &node, ModelSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  list(fields, "inputs", out.inputs);
  list(fields, "outputs", out.outputs);
  list(fields, "layers", out.layers);
  fields.done();
}

static void read(const Node &node, BufferSpec &out) {
  Fields fields(node);
  if (const Node *space = fields.find("space", true))
    readName<Space>(*space, out.space,
                    {{"parameter", Space::Parameter},
                     {"state", Space::State},
                     {"input", Space::Input},
                     {"saved", Space::Saved},
                     {"uniform", Space::Uniform},
                     {"sums", Space::Sums},
                     {"reduced", Space::Reduced},
                     {"settings", Space::Settings},
                     {"batch", Space::Batch},
                     {"samples", Space::Samples},
                     {"random", Space::Random},
                     {"report", Space::Report},
                     {"arena", Space::Arena}});
  fields.optional("index", out.index);
  fields.optional("offset", out.offset);
  fields.optional("tile", out.tile);
  fields.optional("block", out.block);
  fields.done();
}

static void read(const Node &node, TaskSpec &out) {
  Fields fields(node);
  fields.required("kernel", out.kernel);
  if (const Node *domain = fields.find("domain", true))
    readName<Domain>(*domain, out.domain,
                     {{"once", Domain::Once},
                      {"tiles", Domain::Tiles},
                      {"blocks", Domain::Blocks}});
  if (out.domain == Domain::Blocks)
    fields.required("count", out.count);
  list(fields, "buffers", out.buffers);
  fields.done();
}

static void read(const Node &node, PhaseSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.optional("reduce", out.reduce);
  list(fields, "tasks", out.tasks);
  fields.done();
}

static void read(const Node &node, ReportSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  fields.required("sum", out.sum);
  fields.required("count", out.count);
  fields.done();
}

static void read(const Node &node, BucketSpec &out) {
  Fields fields(node);
  fields.required("offset", out.offset);
  fields.required("bytes", out.bytes);
  fields.done();
}

static void read(const Node &node, ProgramSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  if (const Node *kind = fields.find("kind", true))
    readName<ProgramKind>(
        *kind, out.kind,
        {{"train", ProgramKind::Train}, {"eval", ProgramKind::Eval}});
  const Node *update = fields.find("update", false);
  if (update && !update->value.is_null())
    readName<UpdateKind>(
        *update, out.update,
        {{"fused", UpdateKind::Fused}, {"bucketed", UpdateKind::Bucketed}});
  fields.required("iterator", out.iterator);
  fields.required("tile", out.tile);
  fields.required("capacity", out.capacity);
  fields.required("inputs", out.inputs);
  fields.optional("arena", out.arena);
  fields.optional("uniform", out.uniform);
  fields.optional("saved", out.saved);
  fields.optional("sums", out.sums);
  fields.optional("reduced", out.reduced);
  list(fields, "buckets", out.buckets, /*needed=*/false);
  list(fields, "reports", out.reports);
  fields.optional("random", out.random);
  list(fields, "phases", out.phases);
  fields.done();
}

static void read(const Node &node, ActionSpec &out) {
  Fields fields(node);
  fields.required("name", out.name);
  field(fields, "args", out.args, /*needed=*/false);
  list(fields, "positional", out.positional, /*needed=*/false);
  fields.done();
}

static void read(const Node &node, EverySpec &out) {
  Fields fields(node);
  field(fields, "count", out.count);
  field(fields, "unit", out.unit);
  list(fields, "actions", out.actions);
  fields.done();
}

static void read(const Node &node, EvaluateSpec &out) {
  Fields fields(node);
  fields.required("iterator", out.iterator);
  fields.required("program", out.program);
  fields.done();
}

static void read(const Node &node, TrainSpec &out) {
  Fields fields(node);
  fields.required("models", out.models);
  fields.required("data", out.data);
  fields.optional("devices", out.devices);
  if (const Node *stop = fields.find("stop", true)) {
    Fields parts(*stop);
    field(parts, "count", out.stopCount);
    field(parts, "unit", out.stopUnit);
    parts.done();
  }
  fields.required("out", out.out);
  if (const Node *step = fields.find("step", true)) {
    Fields parts(*step);
    parts.required("fused", out.fused);
    parts.required("bucketed", out.bucketed);
    parts.done();
  }
  list(fields, "evaluate", out.evaluate, /*needed=*/false);
  list(fields, "every", out.every, /*needed=*/false);
  fields.done();
}

static void read(const Node &node, TargetSpec &out) {
  Fields fields(node);
  fields.optional("cpu", out.cpu);
  fields.required("needs", out.needs);
  fields.optional("triple", out.triple);
  fields.done();
}

static void read(const Node &node, Description &out) {
  Fields fields(node);
  int64_t format = 0;
  fields.required("format", format);
  if (!node.failed() && format != 1)
    node.fail("format " + std::to_string(format) +
              " is unknown, this runtime reads format 1");
  fields.required("source", out.source);
  fields.required("compiler", out.compiler);
  field(fields, "target", out.target);
  fields.required("hash", out.hash);
  list(fields, "options", out.options);
  list(fields, "datasets", out.datasets);
  list(fields, "iterators", out.iterators);
  list(fields, "parameters", out.parameters);
  list(fields, "states", out.states);
  field(fields, "settings", out.settings);
  list(fields, "models", out.models);
  list(fields, "programs", out.programs);
  field(fields, "train", out.train);
  fields.done();
}

} // namespace desc

Result<Description> parseDescription(std::string_view text,
                                     uint32_t kernelCount) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception &error) {
    return Status::error(Exit::Runtime,
                         "the program's description is no JSON: " +
                             std::string(error.what()));
  }
  Description result;
  json_reader::ErrorSink sink;
  json_reader::Node root(json, "", sink);
  desc::read(root, result);
  if (!sink.first)
    desc::checkDescription(result, kernelCount, sink.first);
  if (sink.first)
    return Status::error(
        Exit::Runtime, "the program's description is wrong at " + *sink.first);
  return result;
}

Result<Description> readProgram(const dpl_program &program) {
  if (program.abi_version != DPL_ABI_VERSION)
    return Status::error(Exit::Runtime,
                         concat("the program was compiled for ABI version ",
                                program.abi_version,
                                ", this runtime has version ", DPL_ABI_VERSION,
                                "; compile and link it with one dplc"));
  return parseDescription(
      std::string_view(program.description, program.description_size),
      program.kernel_count);
}

} // namespace dpl::rt
