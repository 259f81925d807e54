//===- SafetensorsFuzzer.cpp - any bytes as a weights file ----------------===//

#include "runtime/Train/Safetensors.h"
#include "test/fuzz/InputFile.h"

using namespace dpl::rt;
using namespace dpl::test;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string path = inputFolder() + "/weights";
  const InputFile input(path, data, size);
  auto file = SafetensorsFile::open(path, Exit::Data);
  if (!file.ok()) {
    DPL_PROMISE(file.status().category() == Exit::Data);
    DPL_PROMISE(file.status().text().find(path) != std::string::npos);
    return 0;
  }
  for (const TensorView &tensor : file->tensors()) {
    DPL_PROMISE(elementCount(tensor.shape) ==
                static_cast<int64_t>(tensor.data.size()));
    DPL_PROMISE(file->find(tensor.name));
    readAll(tensor.data.data(), tensor.data.size_bytes());
  }
  // What was read can be written, and read again.
  const std::vector<std::byte> bytes = writeSafetensors(file->tensors());
  const InputFile again(path + ".again",
                        reinterpret_cast<const uint8_t *>(bytes.data()),
                        bytes.size());
  auto second = SafetensorsFile::open(path + ".again", Exit::Data);
  DPL_PROMISE(second.ok());
  DPL_PROMISE(second->tensors().size() == file->tensors().size());
  return 0;
}
