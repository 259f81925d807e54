//===- Data/CifarReader.h - Pictures and labels of CIFAR --------*- C++ -*-===//
//
// The binary version of the data sets: records without a header, each one a
// byte or two of labels and a picture of 3 x 32 x 32 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_DATA_CIFARREADER_H
#define DPL_RUNTIME_DATA_CIFARREADER_H

#include "runtime/Data/Reader.h"

namespace dpl::rt {

/// `cifar10(path, split: train | test)`: data_batch_1.bin to data_batch_5.bin,
/// or test_batch.bin, in the folder `path`, with any number of samples each.
/// Yields the record (x: u8[3, 32, 32], y: class(10)).
Result<std::unique_ptr<Reader>> openCifar10(const std::string &path,
                                            const Arguments &args);

/// `cifar100(path, split: train | test)`: train.bin or test.bin in the folder
/// `path`. Yields (x: u8[3, 32, 32], y: class(100), coarse: class(20)).
Result<std::unique_ptr<Reader>> openCifar100(const std::string &path,
                                             const Arguments &args);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_CIFARREADER_H
