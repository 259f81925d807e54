//===- CifarFuzzer.cpp - any bytes as a binary batch of CIFAR -------------===//

#include "runtime/Data/CifarReader.h"
#include "test/fuzz/InputFile.h"

#include <vector>

using namespace dpl::rt;
using namespace dpl::test;

static void readSamples(const Reader &reader) {
  const RecordType &record = reader.record();
  for (int64_t sample = 0; sample < reader.length(); ++sample) {
    std::vector<std::vector<std::byte>> memory;
    std::vector<const std::byte *> values;
    for (const FieldType &field : record)
      values.push_back(memory.emplace_back(field.bytes()).data());
    DPL_PROMISE(reader.read(sample, values).ok());
    for (size_t i = 0; i < record.size(); ++i) {
      readAll(values[i], record[i].bytes());
      if (record[i].classes)
        DPL_PROMISE(std::to_integer<int64_t>(*values[i]) < *record[i].classes);
    }
  }
}

static void check(Result<std::unique_ptr<Reader>> reader) {
  if (reader.ok())
    return readSamples(**reader);
  DPL_PROMISE(reader.status().category() == Exit::Data);
  DPL_PROMISE(reader.status().text().starts_with(inputFolder()));
}

/// The first half of the input's samples are one file of CIFAR-10, the rest
/// another; all of it is one of CIFAR-100.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string &folder = inputFolder();
  const size_t half = size / 3073 / 2 * 3073;
  {
    const InputFile test(folder + "/test_batch.bin", data, half);
    check(openCifar10(folder, {{"split", "test"}}));
  }
  {
    const InputFile one(folder + "/data_batch_1.bin", data, half);
    const InputFile two(folder + "/data_batch_2.bin", data + half, size - half);
    const InputFile three(folder + "/data_batch_3.bin", data, half);
    const InputFile four(folder + "/data_batch_4.bin", data, half);
    const InputFile five(folder + "/data_batch_5.bin", data, half);
    check(openCifar10(folder, {{"split", "train"}}));
  }
  const InputFile train(folder + "/train.bin", data, size);
  check(openCifar100(folder, {{"split", "train"}}));
  return 0;
}
