//===- Data/MnistReader.cpp - Pictures and labels in IDX files ------------===//

#include "runtime/Data/MnistReader.h"

#include "runtime/Base/Text.h"
#include "runtime/Data/IdxFile.h"
#include "runtime/Data/Labels.h"

#include <cstring>

using namespace dpl::rt;

static constexpr int classes = 10;

namespace {
class MnistReader final : public Reader {
public:
  MnistReader(IdxFile images, IdxFile labels)
      : images(std::move(images)), labels(std::move(labels)) {
    const auto &shape = this->images.shape();
    record_ = {{"x", DType::U8, {1, shape[1], shape[2]}, std::nullopt},
               {"y", DType::I32, {}, classes}};
    pixels = record_[0].bytes();
  }

  int64_t length() const override { return images.count(); }
  const RecordType &record() const override { return record_; }

  Status read(int64_t index,
              std::span<const std::byte *> values) const override {
    const auto sample = static_cast<size_t>(index);
    values[0] = images.values().data() + sample * pixels;
    const auto label = std::to_integer<int32_t>(labels.values()[sample]);
    std::memcpy(const_cast<std::byte *>(values[1]), &label, sizeof(label));
    return Status::success();
  }

private:
  IdxFile images, labels;
  RecordType record_;
  size_t pixels;
};
} // namespace

Result<std::unique_ptr<Reader>> dpl::rt::openMnist(const std::string &path,
                                                   const Arguments &args) {
  DPL_TRY(args.checkNames({"split"}));
  DPL_LET(const size_t split, args.member("split", {"train", "test"}));
  if (!fileExists(path))
    return Status::error(Exit::Data,
                         concat("the folder `", path, "` does not exist"));
  const std::string start = path + (split == 0 ? "/train" : "/t10k");
  DPL_LET(IdxFile images, IdxFile::open(start + "-images-idx3-ubyte", 3));
  DPL_LET(IdxFile labels, IdxFile::open(start + "-labels-idx1-ubyte", 1));
  if (images.count() != labels.count())
    return Status::error(
        Exit::Data,
        concat(images.path(), ": offset 4: ", images.count(), " images, but ",
               labels.path(), " has ", labels.count(),
               " labels; the two files do not belong together"));
  DPL_TRY(checkLabels(labels.values(),
                      {labels.path(), labels.valuesOffset(), 1, classes}));
  return std::unique_ptr<Reader>(
      std::make_unique<MnistReader>(std::move(images), std::move(labels)));
}
