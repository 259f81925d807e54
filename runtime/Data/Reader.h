//===- Data/Reader.h - Where stored samples come from -----------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_READER_H
#define DPL_RUNTIME_DATA_READER_H

#include "runtime/Base/Status.h"
#include "runtime/Data/Arguments.h"
#include "runtime/Data/Field.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dpl::rt {

/// A data set as it is stored. It is checked when it is opened: sizes, counts,
/// ranges and truncation. All errors are Exit::Data and name the file, the
/// offset or sample, both values, and the way out.
class Reader {
public:
  virtual ~Reader() = default;
  virtual int64_t length() const = 0;
  virtual const RecordType &record() const = 0;

  /// Gets sample `index` of 0 .. length() - 1. On entry values[f] points to
  /// field(f).bytes() writable bytes; the reader fills them, or sets values[f]
  /// to memory of its own that stays as it is while the reader lives. Any
  /// number of threads, and processes forked after opening, may call it.
  virtual Status read(int64_t index,
                      std::span<const std::byte *> values) const = 0;
};

/// Opens a reader. `path` is the resolved place of the data; `args` are the
/// other arguments of the reader's declaration.
using ReaderFactory = Result<std::unique_ptr<Reader>> (*)(
    const std::string &path, const Arguments &args);

/// Opens the reader called `name`; an unknown name is Exit::Usage.
Result<std::unique_ptr<Reader>> openReader(const std::string &name,
                                           const std::string &path,
                                           const Arguments &args);
/// Registered names, sorted.
std::vector<std::string> readerNames();

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_READER_H
