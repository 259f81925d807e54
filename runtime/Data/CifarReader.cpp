//===- Data/CifarReader.cpp - Pictures and labels of CIFAR ----------------===//

#include "runtime/Data/CifarReader.h"

#include "runtime/Base/Files.h"
#include "runtime/Base/Text.h"
#include "runtime/Data/Labels.h"

#include <cstring>

using namespace dpl::rt;

namespace {
struct Label {
  const char *field;
  int64_t classes;
  size_t byte; ///< its place in a record; pictures follow the labels
};

struct Format {
  const char *archive; ///< the folder that the published archive makes
  std::vector<const char *> train, test;
  std::vector<Label> labels;

  RecordType record() const {
    RecordType fields = {{"x", DType::U8, {3, 32, 32}, std::nullopt}};
    for (const Label &label : labels)
      fields.push_back({label.field, DType::I32, {}, label.classes});
    return fields;
  }
};

class CifarReader final : public Reader {
public:
  explicit CifarReader(const Format &format)
      : format(format), record_(format.record()),
        recordBytes(format.labels.size() + record_[0].bytes()) {}

  Status add(const std::string &path);

  int64_t length() const override { return length_; }
  const RecordType &record() const override { return record_; }
  Status read(int64_t index,
              std::span<const std::byte *> values) const override;

private:
  const Format &format;
  RecordType record_;
  size_t recordBytes;
  std::vector<MappedFile> files;
  int64_t length_ = 0;
};
} // namespace

static const Format &cifar10() {
  static const Format format = {"cifar-10-batches-bin",
                                {"data_batch_1.bin", "data_batch_2.bin",
                                 "data_batch_3.bin", "data_batch_4.bin",
                                 "data_batch_5.bin"},
                                {"test_batch.bin"},
                                {{"y", 10, 0}}};
  return format;
}

static const Format &cifar100() {
  static const Format format = {"cifar-100-binary",
                                {"train.bin"},
                                {"test.bin"},
                                {{"y", 100, 1}, {"coarse", 20, 0}}};
  return format;
}

/// Adds the samples of a file behind those that are there.
Status CifarReader::add(const std::string &path) {
  DPL_LET(MappedFile file, MappedFile::open(path, Exit::Data));
  const size_t size = file.bytes().size(), rest = size % recordBytes;
  if (size == 0)
    return Status::error(Exit::Data,
                         path + ": the file is empty; fetch it again");
  if (rest != 0)
    return Status::error(
        Exit::Data,
        concat(path, ": offset ", size - rest, ": sample ",
               length_ + static_cast<int64_t>(size / recordBytes), " has ",
               rest, " bytes of ", recordBytes,
               "; the file is cut off or of another format, fetch it again"));
  for (const Label &label : format.labels)
    DPL_TRY(
        checkLabels(file.bytes().subspan(label.byte),
                    {path, label.byte, recordBytes, label.classes, length_}));
  length_ += static_cast<int64_t>(size / recordBytes);
  files.push_back(std::move(file));
  return Status::success();
}

Status CifarReader::read(int64_t index,
                         std::span<const std::byte *> values) const {
  size_t offset = static_cast<size_t>(index) * recordBytes;
  size_t file = 0;
  while (offset >= files[file].bytes().size())
    offset -= files[file++].bytes().size();
  const std::byte *record = files[file].bytes().data() + offset;
  values[0] = record + format.labels.size();
  for (size_t i = 0; i < format.labels.size(); ++i) {
    const auto label = std::to_integer<int32_t>(record[format.labels[i].byte]);
    std::memcpy(const_cast<std::byte *>(values[i + 1]), &label, sizeof(label));
  }
  return Status::success();
}

/// What to do about a file that is not in the folder.
static std::string wayOut(const std::string &path, const std::string &file,
                          const Format &format) {
  const std::string inside = concat(path, "/", format.archive);
  if (fileExists(inside + "/" + file))
    return concat("; it is in `", inside, "`, give that folder");
  const std::string python = file.substr(0, file.find(".bin"));
  if (fileExists(path + "/" + python))
    return concat("; `", python,
                  "` is there, of the version for Python: fetch the binary "
                  "version");
  return "; fetch the binary version of the data set";
}

static Result<std::unique_ptr<Reader>> openCifar(const std::string &path,
                                                 const Arguments &args,
                                                 const Format &format) {
  DPL_TRY(args.checkNames({"split"}));
  DPL_LET(const size_t split, args.member("split", {"train", "test"}));
  if (!fileExists(path))
    return Status::error(Exit::Data,
                         concat("the folder `", path, "` does not exist"));
  auto reader = std::make_unique<CifarReader>(format);
  for (const std::string file : split == 0 ? format.train : format.test) {
    const std::string whole = path + "/" + file;
    if (!fileExists(whole))
      return Status::error(Exit::Data, concat("`", whole, "` does not exist",
                                              wayOut(path, file, format)));
    DPL_TRY(reader->add(whole));
  }
  return std::unique_ptr<Reader>(std::move(reader));
}

Result<std::unique_ptr<Reader>> dpl::rt::openCifar10(const std::string &path,
                                                     const Arguments &args) {
  return openCifar(path, args, cifar10());
}

Result<std::unique_ptr<Reader>> dpl::rt::openCifar100(const std::string &path,
                                                      const Arguments &args) {
  return openCifar(path, args, cifar100());
}
