//===- Data/MnistReader.h - Pictures and labels in IDX files ----*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_MNISTREADER_H
#define DPL_RUNTIME_DATA_MNISTREADER_H

#include "runtime/Data/Reader.h"

namespace dpl::rt {

/// `mnist(path, split: train | test)`: the folder `path` with the files
/// train-images-idx3-ubyte and train-labels-idx1-ubyte, or those that start
/// with t10k, each plain or with .gz; a plain one wins. Yields the record
/// (x: u8[1, rows, columns], y: class(10)).
Result<std::unique_ptr<Reader>> openMnist(const std::string &path,
                                          const Arguments &args);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_MNISTREADER_H
