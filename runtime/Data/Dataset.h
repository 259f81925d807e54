//===- Data/Dataset.h - A reader and its transforms -------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_DATASET_H
#define DPL_RUNTIME_DATA_DATASET_H

#include "runtime/Base/Memory.h"
#include "runtime/Data/DataPaths.h"
#include "runtime/Data/Reader.h"
#include "runtime/Data/Transform.h"

#include <memory>
#include <string>
#include <vector>

namespace dpl::rt {

struct TransformSpec {
  std::string name;
  std::string field;
  Arguments args;
};

/// A data set as a program's description has it. `args` holds `path`.
struct DatasetSpec {
  std::string name;
  std::string reader;
  Arguments args;
  std::vector<TransformSpec> transforms;
  RecordType stored; ///< what the reader has to yield
  RecordType fields; ///< what the transforms have to yield
};

/// Samples after their transforms. Immutable once open: any number of threads
/// and forked processes may read, each with its own Scratch.
class Dataset {
public:
  /// Opens the files, checks them, and checks `stored` and `fields` of `spec`
  /// where they are not empty. Errors name the data set.
  static Result<std::shared_ptr<const Dataset>> open(const DatasetSpec &spec,
                                                     const DataPaths &paths);
  /// The same around a reader that is already there.
  static Result<std::shared_ptr<const Dataset>>
  make(const DatasetSpec &spec, std::unique_ptr<Reader> reader);

  const std::string &name() const { return name_; }
  int64_t length() const { return reader->length(); }
  /// After the transforms.
  const RecordType &fields() const { return fields_; }

  /// Memory for one sample on its way; one for each thread that reads.
  class Scratch {
    friend class Dataset;
    AlignedMemory memory;
    std::vector<const std::byte *> stored; ///< what the reader gave
    std::byte *chain = nullptr;            ///< for transforms
  };
  Result<Scratch> makeScratch() const;

  /// Writes field f of sample `index` to out[f], fields()[f].bytes() bytes.
  Status read(int64_t index, std::span<std::byte *const> out,
              Scratch &scratch) const;

private:
  Dataset() = default;
  Status setUp(const DatasetSpec &spec);

  std::string name_;
  std::unique_ptr<Reader> reader;
  std::vector<TransformChain> chains; ///< one for each field
  RecordType fields_;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_DATASET_H
