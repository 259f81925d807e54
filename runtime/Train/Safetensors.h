//===- Safetensors.h - Weights files ----------------------------*- C++ -*-===//
//
// The safetensors format: the header's length as u64 (little endian), a JSON
// header, which may be padded with spaces so that data start at a multiple of
// 8, then the tensors' bytes. This trainer reads and writes F32 tensors.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_SAFETENSORS_H
#define DPL_RUNTIME_TRAIN_SAFETENSORS_H

#include "runtime/Base/Files.h"
#include "runtime/Base/Status.h"
#include "runtime/Program/Description.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpl::rt {

/// A named tensor whose elements are elsewhere.
struct TensorView {
  std::string name;
  Shape shape;
  std::span<const float> data;
};

/// The bytes of a file with these tensors, sorted by name; a function of its
/// arguments alone.
std::vector<std::byte>
writeSafetensors(std::vector<TensorView> tensors,
                 const std::map<std::string, std::string> &metadata = {});

/// A file that is open for reading; the views point into its mapping.
class SafetensorsFile {
public:
  /// Maps and checks the whole header: every tensor lies in the file, has the
  /// bytes of its shape, and overlaps no other. Errors name the file and the
  /// tensor and have `category`. Left out are tensors called
  /// `num_batches_tracked`, integers with which PyTorch's batch normalisation
  /// counts steps: nothing here needs them.
  static Result<SafetensorsFile> open(const std::string &path, Exit category);

  const std::string &path() const { return path_; }
  const std::vector<TensorView> &tensors() const { return tensors_; }
  /// The tensor of that name, or null.
  const TensorView *find(std::string_view name) const;

private:
  SafetensorsFile(MappedFile file, std::string path)
      : file(std::move(file)), path_(std::move(path)) {}
  Status parse(Exit category);

  MappedFile file;
  std::vector<float> aligned; ///< of a file whose data start anywhere
  std::string path_;
  std::vector<TensorView> tensors_;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_SAFETENSORS_H
