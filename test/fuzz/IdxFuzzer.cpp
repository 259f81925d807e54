//===- IdxFuzzer.cpp - any bytes as an IDX file ---------------------------===//
//
// The first byte of an input says how many axes the file should have, and
// whether it is compressed; the rest is the file.
//
//===----------------------------------------------------------------------===//

#include "runtime/Data/IdxFile.h"
#include "test/fuzz/InputFile.h"

using namespace dpl::rt;
using namespace dpl::test;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  const size_t axes = 1 + data[0] % 4;
  const bool compressed = data[0] & 4;
  const std::string path = inputFolder() + "/set";
  const InputFile input(path + (compressed ? ".gz" : ""), data + 1, size - 1);
  auto file = IdxFile::open(path, axes);
  if (!file.ok()) {
    DPL_PROMISE(file.status().category() == Exit::Data);
    DPL_PROMISE(file.status().text().starts_with(path));
    return 0;
  }
  DPL_PROMISE(file->shape().size() == axes);
  readAll(file->values().data(), file->values().size());
  return 0;
}
