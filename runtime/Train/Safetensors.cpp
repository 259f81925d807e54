//===- Safetensors.cpp - Weights files ------------------------------------===//

#include "runtime/Train/Safetensors.h"

#include "runtime/Base/Text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little);

namespace dpl::rt {

using nlohmann::json;

static constexpr size_t lengthBytes = sizeof(uint64_t);

std::vector<std::byte>
writeSafetensors(std::vector<TensorView> tensors,
                 const std::map<std::string, std::string> &metadata) {
  std::sort(tensors.begin(), tensors.end(),
            [](auto &a, auto &b) { return a.name < b.name; });
  json header = json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  size_t offset = 0;
  for (const TensorView &tensor : tensors) {
    size_t end = offset + tensor.data.size_bytes();
    header[tensor.name] = {{"dtype", "F32"},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');

  std::vector<std::byte> bytes(lengthBytes + text.size() + offset);
  uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, lengthBytes);
  std::memcpy(bytes.data() + lengthBytes, text.data(), text.size());
  auto next = bytes.begin() + static_cast<ptrdiff_t>(lengthBytes + text.size());
  for (const TensorView &tensor : tensors)
    next = std::ranges::copy(std::as_bytes(tensor.data), next).out;
  return bytes;
}

/// The tensor that an entry of the header describes; an error is a sentence.
static std::string readEntry(const json &entry, std::span<const std::byte> data,
                             TensorView &out) {
  if (!entry.is_object() || !entry.contains("dtype") ||
      !entry.contains("shape") || !entry.contains("data_offsets"))
    return "has no dtype, shape and data_offsets";
  const json &dtype = entry["dtype"];
  if (dtype != "F32")
    return "has dtype " + dtype.dump() +
           ", but only \"F32\" can be read; convert the file";
  int64_t count = 1;
  if (!entry["shape"].is_array())
    return "has a shape that is no list";
  for (const json &size : entry["shape"]) {
    if (!size.is_number_integer() || size.get<int64_t>() < 0)
      return "has the size " + size.dump();
    out.shape.push_back(size.get<int64_t>());
    if (__builtin_mul_overflow(count, out.shape.back(), &count))
      return "has more elements than fit any file";
  }
  const json &offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 ||
      !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned())
    return "has data_offsets " + offsets.dump();
  auto begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>();
  if (begin > end || end > data.size())
    return concat("lies at bytes ", begin, " to ", end, " of ", data.size());
  if (static_cast<uint64_t>(count) != (end - begin) / sizeof(float) ||
      (end - begin) % sizeof(float) != 0)
    return concat("has shape ", shapeText(out.shape), " but ", end - begin,
                  " bytes");
  if (begin % sizeof(float) != 0)
    return concat("starts at byte ", begin, ", which is no multiple of 4");
  out.data = {reinterpret_cast<const float *>(data.data() + begin),
              static_cast<size_t>(count)};
  return "";
}

/// The name of a tensor that shares bytes with another one, or empty.
static std::string findOverlap(std::vector<TensorView> tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](auto &a, auto &b) { return a.data.data() < b.data.data(); });
  for (size_t i = 1; i < tensors.size(); ++i)
    if (tensors[i - 1].data.data() + tensors[i - 1].data.size() >
        tensors[i].data.data())
      return tensors[i].name;
  return "";
}

/// What a file of another format is, as far as its first bytes say.
static std::string otherFormat(std::span<const std::byte> bytes) {
  static constexpr struct {
    std::string_view start, text;
  } formats[] = {
      {"PK\x03\x04", "a zip file, as PyTorch and NumPy write; save the tensors "
                     "with the function save_file of the package safetensors"},
      {"\x80\x02", "a pickle, as old versions of PyTorch write; save the "
                   "tensors with the function save_file of the package "
                   "safetensors"},
      {"\x89HDF", "an HDF5 file; convert it"},
      {"\x93NUMPY", "a NumPy array; convert it"},
  };
  std::string_view text(reinterpret_cast<const char *>(bytes.data()),
                        bytes.size());
  for (auto &format : formats)
    if (text.starts_with(format.start))
      return "it is " + std::string(format.text);
  return "";
}

Status SafetensorsFile::parse(Exit category) {
  auto fail = [&](const std::string &what) {
    return Status::error(category,
                         "`" + path_ + "` is no safetensors file: " + what);
  };
  std::span<const std::byte> bytes = file.bytes();
  uint64_t length = 0;
  if (std::string other = otherFormat(bytes); !other.empty())
    return fail(other);
  if (bytes.size() < lengthBytes)
    return fail(concat("it has ", bytes.size(), " bytes"));
  std::memcpy(&length, bytes.data(), lengthBytes);
  if (length > bytes.size() - lengthBytes)
    return fail(concat("its header should have ", length, " bytes, but ",
                       bytes.size() - lengthBytes, " follow"));
  auto *text = reinterpret_cast<const char *>(bytes.data() + lengthBytes);
  json header = json::parse(text, text + length, nullptr, false);
  if (!header.is_object())
    return fail("its header is no JSON object");
  std::span<const std::byte> data = bytes.subspan(lengthBytes + length);
  if (length % alignof(float) != 0) {
    aligned.resize((data.size() + sizeof(float) - 1) / sizeof(float));
    std::ranges::copy(data, std::as_writable_bytes(std::span(aligned)).begin());
    data = std::as_bytes(std::span<const float>(aligned)).first(data.size());
  }
  for (auto it = header.begin(); it != header.end(); ++it) {
    if (it.key() == "__metadata__" ||
        std::string_view(it.key()).ends_with(".num_batches_tracked"))
      continue;
    TensorView view;
    view.name = it.key();
    std::string wrong = readEntry(it.value(), data, view);
    if (!wrong.empty())
      return fail("tensor `" + it.key() + "` " + wrong);
    tensors_.push_back(std::move(view));
  }
  std::string overlap = findOverlap(tensors_);
  if (!overlap.empty())
    return fail("tensor `" + overlap + "` overlaps another one");
  return Status::success();
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path,
                                              Exit category) {
  DPL_LET(MappedFile file, MappedFile::open(path, category));
  SafetensorsFile result(std::move(file), path);
  DPL_TRY(result.parse(category));
  return result;
}

const TensorView *SafetensorsFile::find(std::string_view name) const {
  for (const TensorView &tensor : tensors_)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

} // namespace dpl::rt
