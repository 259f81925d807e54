//===- Description.h - The description of a compiled program ----*- C++ -*-===//
//
// The typed form of the JSON object that generated code carries beside its
// kernels. docs/design/0002-step-programs.md defines the format; a field here
// has the name and meaning of the field there. Parsing checks every field, so
// that code behind it needs no check: all indices are in range, all named
// things exist, and all sizes are multiples where they have to be.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_DESCRIPTION_H
#define DPL_RUNTIME_PROGRAM_DESCRIPTION_H

#include "runtime/Base/DType.h"
#include "runtime/Base/Status.h"

#include "dpl/abi.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dpl::rt {

using Shape = std::vector<int64_t>;

/// Number of elements; 1 for rank 0.
int64_t elementCount(const Shape &shape);

namespace desc {

/// A reference to the run time value of an option, as a setting's value.
struct OptionRef {
  std::string name;
  bool operator==(const OptionRef &) const = default;
};

/// The unit of a stop, a trigger or a duration.
enum class Unit { Epoch, Iteration, Second };
std::string_view toString(Unit unit);

/// `10 epochs`.
struct Duration {
  double count = 0;
  Unit unit = Unit::Epoch;
  bool operator==(const Duration &) const = default;
};

/// The value of a setting: a literal, a list of them, or an option.
struct Value {
  std::variant<bool, int64_t, double, std::string, Duration, OptionRef,
               std::vector<Value>>
      held;

  bool operator==(const Value &) const = default;
};

/// Settings of a transform, a reader or an extension, by name.
using Args = std::map<std::string, Value>;

enum class OptionType { Float, Int, Bool, String, Duration };
std::string_view toString(OptionType type);

/// The numbers that an option may be.
struct Range {
  std::optional<double> atLeast, above, atMost, below;

  bool contains(double number) const;
  /// "at least 0 and less than 1".
  std::string text() const;
};

/// A setting of the run, and a flag of the trainer. The buffer of options
/// holds a number as it is, a bool as 0 or 1, text as 0, and of a duration the
/// count in the unit of its default, which a flag cannot change.
struct OptionSpec {
  std::string name;
  OptionType type = OptionType::Float;
  Value defaultValue; ///< of `type`: double, int64_t, bool, text or Duration
  std::string help;
  Range range = {}; ///< of a number
};

/// One field of a sample: the shape is that of one sample.
struct FieldSpec {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;
  std::optional<int64_t> classes; ///< labels are 0 .. classes-1
  bool optional = false;          ///< `class(n)?`: -1 is an ignored label
};

struct TransformSpec {
  std::string name;
  std::string field;
  Args args;
};

struct DatasetSpec {
  std::string name;
  std::string reader;
  Args args;
  std::vector<TransformSpec> transforms;
  std::vector<FieldSpec> stored; ///< what the reader yields
  std::vector<FieldSpec> fields; ///< what leaves the transforms
};

enum class IteratorKind { Serial, Threads, Multiprocess };
enum class LastBatch { Keep, Drop, Wrap };
std::string_view toString(IteratorKind kind);

struct IteratorSpec {
  std::string name;
  IteratorKind kind = IteratorKind::Serial;
  std::string dataset;
  int64_t batch = 0;
  bool shuffle = false;
  bool repeat = false;
  std::optional<int64_t> workers;
  std::optional<int64_t> prefetch; ///< batches made ahead
  std::optional<int64_t> seed;
  LastBatch last = LastBatch::Keep;
  std::optional<double> timeout;          ///< seconds
  std::optional<std::string> onBadSample; ///< policy `on_bad_sample`
};

/// How a parameter or state starts; Initializer.h gives the formulas.
enum class InitKind {
  HeUniform,
  Normal,
  TruncatedNormal,
  Uniform,
  Zeros,
  Ones,
  Constant
};

struct InitSpec {
  InitKind kind = InitKind::Zeros;
  int64_t fanIn = 0;   ///< he_uniform
  double mean = 0;     ///< normal, truncated_normal
  double std = 1;      ///< normal, truncated_normal
  double low = 0;      ///< uniform, truncated_normal
  double high = 1;     ///< uniform, truncated_normal
  double constant = 0; ///< constant (JSON name `value`)
};

struct ParameterSpec {
  std::string name; ///< the path, `conv1.weight`
  std::string model;
  Shape shape; ///< of f32, C order
  std::string role;
  InitSpec init;
};

struct StateSpec {
  std::string name;
  std::string owner;     ///< `optimizer` or `model`
  std::string parameter; ///< whose state it is; empty for a model's
  Shape shape;           ///< of f32, C order
  InitSpec init;
};

struct SettingSpec {
  std::string name;
  std::string help;
};

/// The kernel that turns options into settings, run before each step with
/// the buffers (options f64, settings f32, position f64).
struct SettingsSpec {
  std::optional<uint32_t> kernel;
  std::vector<SettingSpec> entries;
};

struct LayerSpec {
  std::string path;
  std::string layer;
  std::vector<Shape> input;
  std::vector<Shape> output;
  std::vector<std::string> parameters;
  int64_t flops = 0; ///< of one sample, forward

  /// How messages call it: "layer `fc1` (linear)".
  std::string text() const { return "layer `" + path + "` (" + layer + ")"; }
};

struct ModelSpec {
  std::string name;
  std::vector<FieldSpec> inputs;
  std::vector<FieldSpec> outputs;
  std::vector<LayerSpec> layers;
};

/// Where a buffer of a kernel lies; see the table of spaces in the design.
enum class Space {
  Parameter,
  State,
  Input,
  Saved,
  Uniform,
  Sums,
  Reduced,
  Settings,
  Batch,
  Samples,
  Random,
  Report,
  Arena
};
std::string_view toString(Space space);

/// base + offset + tile number * tile + block number * block, in bytes.
struct BufferSpec {
  Space space = Space::Uniform;
  uint32_t index = 0;
  int64_t offset = 0;
  int64_t tile = 0;
  int64_t block = 0;
};

enum class Domain { Once, Tiles, Blocks };

struct TaskSpec {
  uint32_t kernel = 0;
  Domain domain = Domain::Once;
  int64_t count = 1; ///< blocks
  std::vector<BufferSpec> buffers;
};

struct PhaseSpec {
  std::string name;
  bool reduce = false; ///< this phase makes `reduced`
  std::vector<TaskSpec> tasks;
};

/// A report is the ratio of two places in the space `report`.
struct ReportSpec {
  std::string name;
  uint32_t sum = 0;
  uint32_t count = 0;
};

struct BucketSpec {
  int64_t offset = 0;
  int64_t bytes = 0;
};

enum class ProgramKind { Train, Eval };
enum class UpdateKind { None, Fused, Bucketed };
std::string_view toString(UpdateKind kind);

/// One step program. Byte counts are as in the design.
struct ProgramSpec {
  std::string name;
  ProgramKind kind = ProgramKind::Train;
  UpdateKind update = UpdateKind::None;
  std::string iterator;
  int64_t tile = 1;
  int64_t capacity = 0; ///< samples
  std::vector<std::string> inputs;
  /// For each of `inputs` its place in the fields of the iterator's dataset.
  std::vector<uint32_t> inputFields;
  int64_t arena = 0;
  int64_t uniform = 0;
  std::vector<int64_t> saved; ///< bytes per sample
  int64_t sums = 0;
  int64_t reduced = 0;
  std::vector<BucketSpec> buckets;
  std::vector<ReportSpec> reports;
  /// Call paths that draw random numbers, in the order of space `random`.
  std::vector<std::string> random;
  std::vector<PhaseSpec> phases;

  /// Samples that the regions have room for: capacity rounded up to `tile`.
  int64_t paddedCapacity() const { return (capacity + tile - 1) / tile * tile; }
};

/// One entry of an `every` block.
struct ActionSpec {
  std::string name;
  Args args;
  std::vector<Value> positional;
};

struct EverySpec {
  Value count; ///< a number, or an option of type int, float or duration
  Unit unit = Unit::Epoch;
  std::vector<ActionSpec> actions;
};

struct EvaluateSpec {
  std::string iterator;
  std::string program;
};

struct TrainSpec {
  std::vector<std::string> models;
  std::string data; ///< the iterator
  std::optional<std::vector<std::string>> devices;
  Value stopCount; ///< as EverySpec::count
  Unit stopUnit = Unit::Epoch;
  std::string out;
  std::string fused;    ///< program
  std::string bucketed; ///< program
  std::vector<EvaluateSpec> evaluate;
  std::vector<EverySpec> every;
};

struct TargetSpec {
  std::string cpu;
  std::vector<std::string> needs; ///< names of dpl/cpu_features.h
  std::string triple;
};

/// The whole of a compiled `.dpl` file.
struct Description {
  std::string source;
  std::string compiler;
  TargetSpec target;
  std::string hash;
  std::vector<OptionSpec> options;
  std::vector<DatasetSpec> datasets;
  std::vector<IteratorSpec> iterators;
  std::vector<ParameterSpec> parameters;
  std::vector<StateSpec> states;
  SettingsSpec settings;
  std::vector<ModelSpec> models;
  std::vector<ProgramSpec> programs;
  TrainSpec train;

  /// The entry of that name, or null.
  const DatasetSpec *findDataset(std::string_view name) const;
  const IteratorSpec *findIterator(std::string_view name) const;
  const ProgramSpec *findProgram(std::string_view name) const;
  const OptionSpec *findOption(std::string_view name) const;
  /// The first layer that has the parameter, or null.
  const LayerSpec *findLayerOf(std::string_view parameter) const;
};

} // namespace desc

using desc::Description;

/// Reads `json` and checks it completely against `kernelCount` kernels. An
/// error names the place (`programs[0].phases[2].tasks[1].kernel`) and the
/// value that is wrong there; unknown fields are errors.
Result<Description> parseDescription(std::string_view json,
                                     uint32_t kernelCount);

/// The description of `program`, after a check of its ABI version.
Result<Description> readProgram(const dpl_program &program);

} // namespace dpl::rt

#endif // DPL_RUNTIME_PROGRAM_DESCRIPTION_H
