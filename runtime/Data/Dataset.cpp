//===- Data/Dataset.cpp - A reader and its transforms ---------------------===//

#include "runtime/Data/Dataset.h"

#include "runtime/Base/Text.h"

#include <algorithm>

using namespace dpl::rt;

static size_t aligned(size_t bytes) {
  return static_cast<size_t>(
      roundUp(static_cast<int64_t>(bytes), DPL_ALIGNMENT));
}

/// The arguments without `path`, which has its own way.
static Arguments withoutPath(const Arguments &args) {
  Arguments others;
  for (const auto &[name, value] : args)
    if (name != "path")
      others.add(name, value);
  return others;
}

Result<std::shared_ptr<const Dataset>> Dataset::open(const DatasetSpec &spec,
                                                     const DataPaths &paths) {
  const std::string what = concat("data set `", spec.name, "`");
  Result<std::string> path = spec.args.text("path");
  if (!path.ok())
    return path.takeStatus().within(what);
  const std::string place = paths.resolve(spec.name, *path);
  Result<std::unique_ptr<Reader>> reader =
      openReader(spec.reader, place, withoutPath(spec.args));
  if (!reader.ok())
    return reader.takeStatus().within(
        concat("cannot open ", what, " at `", place, "`; `--data ", spec.name,
               "=PATH` reads it from another place"));
  Result<std::shared_ptr<const Dataset>> dataset = make(spec, reader.take());
  if (!dataset.ok())
    return dataset.takeStatus().within(
        concat("cannot use what lies at `", place, "`"));
  return dataset;
}

Result<std::shared_ptr<const Dataset>>
Dataset::make(const DatasetSpec &spec, std::unique_ptr<Reader> reader) {
  std::shared_ptr<Dataset> dataset(new Dataset());
  dataset->name_ = spec.name;
  dataset->reader = std::move(reader);
  Status status = dataset->setUp(spec);
  if (!status.ok())
    return std::move(status).within(concat("data set `", spec.name, "`"));
  return std::shared_ptr<const Dataset>(std::move(dataset));
}

Status Dataset::setUp(const DatasetSpec &spec) {
  const RecordType &stored = reader->record();
  if (!spec.stored.empty())
    DPL_TRY(checkRecord(stored, spec.stored, "what is stored"));
  std::vector<std::string> names;
  for (const FieldType &field : stored) {
    names.push_back(field.name);
    chains.emplace_back(field);
  }
  for (const TransformSpec &transform : spec.transforms) {
    const auto found = std::find(names.begin(), names.end(), transform.field);
    if (found == names.end())
      return Status::error(Exit::Usage,
                           concat("`", transform.name, "` acts on the field `",
                                  transform.field, "`, which is not there",
                                  knownNames(transform.field, names)));
    DPL_TRY(chains[static_cast<size_t>(found - names.begin())]
                .add(transform.name, transform.args)
                .within(concat("in `", transform.name, "` of the field `",
                               transform.field, "`")));
  }
  for (TransformChain &chain : chains) {
    chain.finish();
    fields_.push_back(chain.output());
  }
  if (!spec.fields.empty())
    DPL_TRY(checkRecord(fields_, spec.fields, "what the transforms yield"));
  return Status::success();
}

/// A region for the stored value of each field, then one for the chains.
Result<Dataset::Scratch> Dataset::makeScratch() const {
  size_t stored = 0, chain = 0;
  for (size_t f = 0; f < chains.size(); ++f) {
    stored += aligned(reader->record()[f].bytes());
    chain = std::max(chain, chains[f].scratchBytes());
  }
  Scratch scratch;
  DPL_LET(scratch.memory, AlignedMemory::allocate(stored + chain));
  scratch.stored.resize(chains.size());
  scratch.chain = scratch.memory.data() + stored;
  return scratch;
}

Status Dataset::read(int64_t index, std::span<std::byte *const> out,
                     Scratch &scratch) const {
  const RecordType &stored = reader->record();
  std::byte *place = scratch.memory.data();
  for (size_t f = 0; f < chains.size(); ++f) {
    scratch.stored[f] = place;
    place += aligned(stored[f].bytes());
  }
  // Messages are made only when they are needed: this is the hot path.
  if (Status status = reader->read(index, scratch.stored); !status.ok())
    return std::move(status).within(
        concat("cannot read sample ", index, " of data set `", name_, "`"));
  for (size_t f = 0; f < chains.size(); ++f) {
    Status status = chains[f].apply(scratch.stored[f], out[f], scratch.chain);
    if (!status.ok())
      return std::move(status).within(
          concat("cannot transform field `", stored[f].name, "` of sample ",
                 index, " of data set `", name_, "`"));
  }
  return Status::success();
}
