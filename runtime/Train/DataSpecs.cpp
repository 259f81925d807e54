//===- DataSpecs.cpp - From the description to Data -----------------------===//

#include "runtime/Train/DataSpecs.h"

#include <numeric>

namespace dpl::rt {

static Argument makeArgument(const desc::Value &value,
                             const OptionValues &options) {
  const desc::Value &resolved = options.resolve(value);
  struct Visitor {
    const OptionValues &options;
    Argument operator()(bool v) { return v; }
    Argument operator()(int64_t v) { return v; }
    Argument operator()(double v) { return v; }
    Argument operator()(const std::string &v) { return v; }
    Argument operator()(const desc::Duration &v) { return v.count; }
    Argument operator()(const desc::OptionRef &v) { return v.name; }
    Argument operator()(const std::vector<desc::Value> &v) {
      Argument::List list;
      for (const desc::Value &entry : v)
        list.push_back(makeArgument(entry, options));
      return list;
    }
  };
  return std::visit(Visitor{options}, resolved.held);
}

static Arguments makeArguments(const desc::Args &args,
                               const OptionValues &options) {
  Arguments result;
  for (auto &[name, value] : args)
    result.add(name, makeArgument(value, options));
  return result;
}

static RecordType makeRecord(const std::vector<desc::FieldSpec> &fields) {
  RecordType record;
  for (const desc::FieldSpec &field : fields)
    record.push_back({field.name, field.dtype, field.shape, field.classes});
  return record;
}

DatasetSpec makeDatasetSpec(const desc::DatasetSpec &spec,
                            const OptionValues &options) {
  DatasetSpec result;
  result.name = spec.name;
  result.reader = spec.reader;
  result.args = makeArguments(spec.args, options);
  for (const desc::TransformSpec &transform : spec.transforms)
    result.transforms.push_back({transform.name, transform.field,
                                 makeArguments(transform.args, options)});
  result.stored = makeRecord(spec.stored);
  result.fields = makeRecord(spec.fields);
  return result;
}

IteratorConfig makeIteratorConfig(const desc::IteratorSpec &spec,
                                  const Description &description,
                                  const RunConfig &config) {
  IteratorConfig result;
  result.name = spec.name;
  result.kind = static_cast<IteratorKind>(spec.kind);
  result.batch = spec.batch;
  if (spec.name == description.train.data)
    result.batch = config.batch.value_or(spec.batch);
  result.shuffle = spec.shuffle;
  result.repeat = spec.repeat;
  result.last = static_cast<LastBatch>(spec.last);
  result.seed = spec.seed ? static_cast<uint64_t>(*spec.seed) : config.seed;
  if (auto workers = config.workers ? config.workers : spec.workers)
    result.workers = static_cast<int>(*workers);
  if (spec.prefetch)
    result.prefetch = static_cast<int>(*spec.prefetch);
  if (spec.timeout)
    result.timeout = *spec.timeout;
  for (const desc::ProgramSpec &program : description.programs)
    if (program.iterator == spec.name)
      result.tile = std::lcm(result.tile, program.tile);
  return result;
}

static_assert(static_cast<int>(IteratorKind::Serial) ==
                  static_cast<int>(desc::IteratorKind::Serial) &&
              static_cast<int>(IteratorKind::Threads) ==
                  static_cast<int>(desc::IteratorKind::Threads) &&
              static_cast<int>(IteratorKind::Multiprocess) ==
                  static_cast<int>(desc::IteratorKind::Multiprocess));
static_assert(static_cast<int>(LastBatch::Keep) ==
                  static_cast<int>(desc::LastBatch::Keep) &&
              static_cast<int>(LastBatch::Drop) ==
                  static_cast<int>(desc::LastBatch::Drop) &&
              static_cast<int>(LastBatch::Wrap) ==
                  static_cast<int>(desc::LastBatch::Wrap));

} // namespace dpl::rt
