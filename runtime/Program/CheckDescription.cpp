//===- CheckDescription.cpp - What parts must agree on --------------------===//

#include "runtime/Program/CheckDescription.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace dpl::rt::desc {
namespace {

class Checker {
public:
  Checker(Description &description, uint32_t kernelCount,
          std::optional<std::string> &error)
      : description(description), kernelCount(kernelCount), error(error) {}

  void run();

private:
  void fail(const std::string &place, const std::string &what) {
    if (!error)
      error = place + ": " + what;
  }
  template <typename T>
  void uniqueNames(const std::string &list, const std::vector<T> &entries);
  void checkValue(const std::string &place, const Value &value);
  void checkArgs(const std::string &place, const Args &args);
  void checkShape(const std::string &place, const Shape &shape);
  void checkInit(const std::string &place, const InitSpec &init);
  void checkKernel(const std::string &place, uint32_t kernel);
  void checkCount(const std::string &place, const Value &count, Unit unit);
  void checkFields(const std::string &place,
                   const std::vector<FieldSpec> &fields);

  void checkOptions();
  void checkData();
  void checkTensors();
  void checkModels();
  void checkProgram(const std::string &place, ProgramSpec &program);
  void checkInputs(const std::string &place, ProgramSpec &program);
  void checkTask(const std::string &place, const ProgramSpec &program,
                 const TaskSpec &task);
  void checkBuffer(const std::string &place, const ProgramSpec &program,
                   const TaskSpec &task, const BufferSpec &buffer);
  int64_t regionBytes(const std::string &place, const ProgramSpec &program,
                      const BufferSpec &buffer);
  void checkTrain();
  void checkStepProgram(const std::string &place, const std::string &name,
                        UpdateKind update);

  Description &description;
  uint32_t kernelCount;
  std::optional<std::string> &error;
};

std::string at(const std::string &list, size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

template <typename T>
void Checker::uniqueNames(const std::string &list,
                          const std::vector<T> &entries) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name.empty())
      fail(at(list, i), "the name is empty");
    if (!names.insert(entries[i].name).second)
      fail(at(list, i),
           "the name " + quoted(entries[i].name) + " occurs twice");
  }
}

void Checker::checkValue(const std::string &place, const Value &value) {
  if (const auto *ref = std::get_if<OptionRef>(&value.held)) {
    if (!description.findOption(ref->name))
      fail(place, "there is no option " + quoted(ref->name));
  } else if (const auto *list = std::get_if<std::vector<Value>>(&value.held)) {
    for (size_t i = 0; i < list->size(); ++i)
      checkValue(at(place, i), (*list)[i]);
  }
}

void Checker::checkArgs(const std::string &place, const Args &args) {
  for (auto &[name, value] : args)
    checkValue(place + "." + name, value);
}

void Checker::checkShape(const std::string &place, const Shape &shape) {
  for (int64_t size : shape)
    if (size <= 0)
      fail(place, "the size " + std::to_string(size) + " in " +
                      shapeText(shape) + " is not positive");
}

void Checker::checkInit(const std::string &place, const InitSpec &init) {
  if (init.kind == InitKind::HeUniform && init.fanIn <= 0)
    fail(place, "he_uniform needs a positive fan_in, found " +
                    std::to_string(init.fanIn));
  if (init.kind == InitKind::TruncatedNormal &&
      !(init.std > 0 && init.low < init.high))
    fail(place, "truncated_normal needs a positive std and low below high, "
                "found " +
                    std::to_string(init.std) + ", " + std::to_string(init.low) +
                    " and " + std::to_string(init.high));
  if (init.kind == InitKind::Normal && !(init.std >= 0))
    fail(place, "std " + std::to_string(init.std) + " is negative");
  if (init.kind == InitKind::Uniform && !(init.low <= init.high))
    fail(place, "low " + std::to_string(init.low) + " is above high " +
                    std::to_string(init.high));
}

void Checker::checkKernel(const std::string &place, uint32_t kernel) {
  if (kernel >= kernelCount)
    fail(place, "kernel " + std::to_string(kernel) +
                    " does not exist, the program has " +
                    std::to_string(kernelCount));
}

void Checker::checkFields(const std::string &place,
                          const std::vector<FieldSpec> &fields) {
  uniqueNames(place, fields);
  for (size_t i = 0; i < fields.size(); ++i) {
    checkShape(at(place, i) + ".shape", fields[i].shape);
    if (fields[i].classes && *fields[i].classes <= 0)
      fail(at(place, i), "classes must be positive");
  }
}

void Checker::checkOptions() {
  uniqueNames("options", description.options);
  for (size_t i = 0; i < description.options.size(); ++i) {
    const OptionSpec &option = description.options[i];
    auto &held = option.defaultValue.held;
    bool fits = false;
    switch (option.type) {
    case OptionType::Float:
      fits = std::holds_alternative<double>(held);
      break;
    case OptionType::Int:
      fits = std::holds_alternative<int64_t>(held);
      break;
    case OptionType::Bool:
      fits = std::holds_alternative<bool>(held);
      break;
    case OptionType::String:
      fits = std::holds_alternative<std::string>(held);
      break;
    case OptionType::Duration:
      fits = std::holds_alternative<Duration>(held);
      break;
    }
    if (!fits)
      fail(at("options", i) + ".default",
           "the value is no " + std::string(toString(option.type)));
  }
}

void Checker::checkData() {
  uniqueNames("datasets", description.datasets);
  for (size_t i = 0; i < description.datasets.size(); ++i) {
    const DatasetSpec &dataset = description.datasets[i];
    std::string place = at("datasets", i);
    checkArgs(place + ".args", dataset.args);
    checkFields(place + ".stored", dataset.stored);
    checkFields(place + ".fields", dataset.fields);
    for (size_t t = 0; t < dataset.transforms.size(); ++t)
      checkArgs(at(place + ".transforms", t) + ".args",
                dataset.transforms[t].args);
  }
  uniqueNames("iterators", description.iterators);
  for (size_t i = 0; i < description.iterators.size(); ++i) {
    const IteratorSpec &iterator = description.iterators[i];
    std::string place = at("iterators", i);
    if (!description.findDataset(iterator.dataset))
      fail(place + ".dataset",
           "there is no dataset " + quoted(iterator.dataset));
    if (iterator.batch <= 0)
      fail(place + ".batch",
           "must be positive, found " + std::to_string(iterator.batch));
    if (iterator.workers.value_or(0) < 0 || iterator.prefetch.value_or(0) < 0)
      fail(place, "workers and prefetch may not be negative");
  }
}

void Checker::checkTensors() {
  uniqueNames("parameters", description.parameters);
  std::set<std::string_view> names;
  for (size_t i = 0; i < description.parameters.size(); ++i) {
    const ParameterSpec &parameter = description.parameters[i];
    std::string place = at("parameters", i);
    names.insert(parameter.name);
    checkShape(place + ".shape", parameter.shape);
    checkInit(place + ".init", parameter.init);
    static const std::set<std::string_view> roles = {"weight", "bias", "norm",
                                                     "embedding"};
    if (!roles.count(parameter.role))
      fail(place + ".role", "unknown role " + quoted(parameter.role));
  }
  uniqueNames("states", description.states);
  for (size_t i = 0; i < description.states.size(); ++i) {
    const StateSpec &state = description.states[i];
    std::string place = at("states", i);
    checkShape(place + ".shape", state.shape);
    checkInit(place + ".init", state.init);
    if (state.owner != "optimizer" && state.owner != "model")
      fail(place + ".owner", "unknown owner " + quoted(state.owner));
    if (!state.parameter.empty() && !names.count(state.parameter))
      fail(place + ".parameter",
           "there is no parameter " + quoted(state.parameter));
  }
  uniqueNames("settings.entries", description.settings.entries);
  if (description.settings.kernel)
    checkKernel("settings.kernel", *description.settings.kernel);
  else if (!description.settings.entries.empty())
    fail("settings.kernel", "is null, but there are entries to compute");
}

void Checker::checkModels() {
  uniqueNames("models", description.models);
  for (size_t i = 0; i < description.models.size(); ++i) {
    checkFields(at("models", i) + ".inputs", description.models[i].inputs);
    checkFields(at("models", i) + ".outputs", description.models[i].outputs);
  }
}

void Checker::checkInputs(const std::string &place, ProgramSpec &program) {
  const IteratorSpec *iterator = description.findIterator(program.iterator);
  if (!iterator)
    return fail(place + ".iterator",
                "there is no iterator " + quoted(program.iterator));
  if (program.capacity < iterator->batch)
    fail(place + ".capacity",
         std::to_string(program.capacity) + " is less than the batch of " +
             quoted(iterator->name) + ", " + std::to_string(iterator->batch));
  const DatasetSpec *dataset = description.findDataset(iterator->dataset);
  if (!dataset)
    return;
  program.inputFields.clear();
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    auto found = std::find_if(dataset->fields.begin(), dataset->fields.end(),
                              [&](const FieldSpec &field) {
                                return field.name == program.inputs[i];
                              });
    if (found == dataset->fields.end())
      return fail(at(place + ".inputs", i), "dataset " + quoted(dataset->name) +
                                                " has no field " +
                                                quoted(program.inputs[i]));
    program.inputFields.push_back(found - dataset->fields.begin());
  }
}

int64_t Checker::regionBytes(const std::string &place,
                             const ProgramSpec &program,
                             const BufferSpec &buffer) {
  auto indexed = [&](size_t size) {
    if (buffer.index < size)
      return true;
    fail(place + ".index", std::to_string(buffer.index) + " is not below " +
                               std::to_string(size));
    return false;
  };
  switch (buffer.space) {
  case Space::Parameter:
    return indexed(description.parameters.size())
               ? 4 * elementCount(description.parameters[buffer.index].shape)
               : 0;
  case Space::State:
    return indexed(description.states.size())
               ? 4 * elementCount(description.states[buffer.index].shape)
               : 0;
  case Space::Input: {
    if (!indexed(program.inputFields.size()))
      return 0;
    const DatasetSpec *dataset = description.findDataset(
        description.findIterator(program.iterator)->dataset);
    const FieldSpec &field = dataset->fields[program.inputFields[buffer.index]];
    return program.paddedCapacity() * elementCount(field.shape) *
           static_cast<int64_t>(dtypeSize(field.dtype));
  }
  case Space::Saved:
    return indexed(program.saved.size())
               ? program.paddedCapacity() * program.saved[buffer.index]
               : 0;
  case Space::Uniform:
    return program.uniform;
  case Space::Sums:
    return program.sums;
  case Space::Reduced:
    return program.reduced;
  case Space::Settings:
    return 4 * static_cast<int64_t>(description.settings.entries.size());
  case Space::Batch:
    return 4;
  case Space::Samples:
    return 8 * program.paddedCapacity();
  case Space::Random:
    return 8 * static_cast<int64_t>(program.random.size());
  case Space::Report: {
    int64_t size = 0;
    for (const ReportSpec &report : program.reports)
      size = std::max<int64_t>({size, report.sum + 1, report.count + 1});
    return 4 * size;
  }
  case Space::Arena:
    return program.arena;
  }
  return 0;
}

void Checker::checkBuffer(const std::string &place, const ProgramSpec &program,
                          const TaskSpec &task, const BufferSpec &buffer) {
  int64_t bytes = regionBytes(place, program, buffer);
  if (error)
    return;
  if (buffer.tile && task.domain != Domain::Tiles)
    return fail(place + ".tile", "only a task of domain tiles has tiles");
  if (buffer.block && task.domain != Domain::Blocks)
    return fail(place + ".block", "only a task of domain blocks has blocks");
  if (buffer.offset < 0 || buffer.tile < 0 || buffer.block < 0)
    return fail(place, "offsets and strides may not be negative");
  int64_t tiles = program.paddedCapacity() / program.tile;
  int64_t last = buffer.offset + (tiles - 1) * buffer.tile +
                 (task.count - 1) * buffer.block;
  if (last >= bytes)
    fail(place, "reaches byte " + std::to_string(last) + " of space " +
                    std::string(toString(buffer.space)) + ", which has " +
                    std::to_string(bytes));
}

void Checker::checkTask(const std::string &place, const ProgramSpec &program,
                        const TaskSpec &task) {
  checkKernel(place + ".kernel", task.kernel);
  if (task.count <= 0)
    fail(place + ".count", "must be positive");
  for (size_t b = 0; b < task.buffers.size() && !error; ++b)
    checkBuffer(at(place + ".buffers", b), program, task, task.buffers[b]);
}

void Checker::checkProgram(const std::string &place, ProgramSpec &program) {
  if (program.tile <= 0)
    return fail(place + ".tile", "must be positive");
  if (program.capacity <= 0)
    return fail(place + ".capacity", "must be positive");
  if (program.arena < 0 || program.uniform < 0 || program.sums < 0 ||
      program.reduced < 0)
    return fail(place, "sizes of regions may not be negative");
  for (int64_t bytes : program.saved)
    if (bytes <= 0)
      return fail(place + ".saved", "sizes must be positive");
  if (program.update != UpdateKind::None && program.kind == ProgramKind::Eval)
    fail(place + ".update", "an evaluation updates nothing");
  checkInputs(place, program);
  uniqueNames(place + ".reports", program.reports);
  for (size_t i = 0; i < program.buckets.size(); ++i) {
    const BucketSpec &bucket = program.buckets[i];
    if (bucket.offset < 0 || bucket.bytes < 0 ||
        bucket.offset + bucket.bytes > program.reduced)
      fail(at(place + ".buckets", i), "lies outside of reduced");
  }
  for (size_t p = 0; p < program.phases.size() && !error; ++p) {
    const PhaseSpec &phase = program.phases[p];
    std::string phasePlace = at(place + ".phases", p);
    if (phase.reduce && program.update == UpdateKind::Fused)
      fail(phasePlace + ".reduce", "a fused program reduces nothing");
    for (size_t t = 0; t < phase.tasks.size() && !error; ++t)
      checkTask(at(phasePlace + ".tasks", t), program, phase.tasks[t]);
  }
}

void Checker::checkCount(const std::string &place, const Value &count,
                         Unit unit) {
  double number = 1;
  const Value *value = &count;
  if (const auto *ref = std::get_if<OptionRef>(&count.held)) {
    const OptionSpec *option = description.findOption(ref->name);
    if (!option)
      return fail(place, "there is no option " + quoted(ref->name));
    value = &option->defaultValue;
  }
  if (const auto *whole = std::get_if<int64_t>(&value->held))
    number = static_cast<double>(*whole);
  else if (const auto *real = std::get_if<double>(&value->held))
    number = *real;
  else if (const auto *duration = std::get_if<Duration>(&value->held))
    number = duration->unit == unit ? duration->count : -1;
  else
    return fail(place, "expected a number, or an option that is one");
  if (!(number > 0) || !std::isfinite(number))
    fail(place,
         "must be a positive number of " + std::string(toString(unit)) + "s");
}

void Checker::checkStepProgram(const std::string &place,
                               const std::string &name, UpdateKind update) {
  const ProgramSpec *program = description.findProgram(name);
  if (!program)
    return fail(place, "there is no program " + quoted(name));
  if (program->kind != ProgramKind::Train || program->update != update)
    fail(place, quoted(name) + " is no training program with update " +
                    std::string(toString(update)));
  if (program->iterator != description.train.data)
    fail(place, quoted(name) + " is made for iterator " +
                    quoted(program->iterator) + ", training reads " +
                    quoted(description.train.data));
}

void Checker::checkTrain() {
  const TrainSpec &train = description.train;
  if (!description.findIterator(train.data))
    fail("train.data", "there is no iterator " + quoted(train.data));
  checkCount("train.stop.count", train.stopCount, train.stopUnit);
  checkStepProgram("train.step.fused", train.fused, UpdateKind::Fused);
  checkStepProgram("train.step.bucketed", train.bucketed, UpdateKind::Bucketed);
  if (error)
    return;
  auto &fused = description.findProgram(train.fused)->reports;
  auto &bucketed = description.findProgram(train.bucketed)->reports;
  bool same =
      std::equal(fused.begin(), fused.end(), bucketed.begin(), bucketed.end(),
                 [](auto &a, auto &b) { return a.name == b.name; });
  if (!same)
    fail("train.step", "the two programs report different things");
  for (size_t i = 0; i < train.evaluate.size(); ++i) {
    std::string place = at("train.evaluate", i);
    const ProgramSpec *program =
        description.findProgram(train.evaluate[i].program);
    if (!program || program->kind != ProgramKind::Eval)
      fail(place, "there is no evaluation program " +
                      quoted(train.evaluate[i].program));
    else if (program->iterator != train.evaluate[i].iterator)
      fail(place, quoted(program->name) + " is made for iterator " +
                      quoted(program->iterator) + ", not " +
                      quoted(train.evaluate[i].iterator));
  }
  for (size_t i = 0; i < train.every.size(); ++i) {
    std::string place = at("train.every", i);
    checkCount(place + ".count", train.every[i].count, train.every[i].unit);
    for (size_t a = 0; a < train.every[i].actions.size(); ++a)
      checkArgs(at(place + ".actions", a) + ".args",
                train.every[i].actions[a].args);
  }
}

void Checker::run() {
  checkOptions();
  checkData();
  checkTensors();
  checkModels();
  uniqueNames("programs", description.programs);
  for (size_t i = 0; i < description.programs.size() && !error; ++i)
    checkProgram(at("programs", i), description.programs[i]);
  if (!error)
    checkTrain();
}

} // namespace

void checkDescription(Description &description, uint32_t kernelCount,
                      std::optional<std::string> &error) {
  Checker(description, kernelCount, error).run();
}

} // namespace dpl::rt::desc
