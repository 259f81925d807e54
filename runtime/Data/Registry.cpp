//===- Data/Registry.cpp - Readers and transforms by name -----------------===//
//
// A table, not objects that register themselves: trainers are linked from an
// archive, and a linker leaves out members that nothing refers to.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text.h"
#include "runtime/Data/CifarReader.h"
#include "runtime/Data/Elementwise.h"
#include "runtime/Data/MnistReader.h"
#include "runtime/Data/Reader.h"
#include "runtime/Data/Resize.h"
#include "runtime/Data/Transform.h"

using namespace dpl::rt;

namespace {
template <typename Factory> struct Entry {
  const char *name;
  Factory factory;
};
} // namespace

// Both sorted by name.
static constexpr Entry<ReaderFactory> readers[] = {
    {"cifar10", openCifar10},
    {"cifar100", openCifar100},
    {"mnist", openMnist},
};
static constexpr Entry<TransformFactory> transforms[] = {
    {"normalize", makeNormalize},
    {"resize", makeResize},
    {"to_float", makeToFloat},
};

template <typename Table>
static std::vector<std::string> namesOf(const Table &table) {
  std::vector<std::string> names;
  for (const auto &entry : table)
    names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> dpl::rt::readerNames() { return namesOf(readers); }
std::vector<std::string> dpl::rt::transformNames() {
  return namesOf(transforms);
}

static Status unknown(const char *kind, const std::string &name,
                      const std::vector<std::string> &names) {
  return Status::error(Exit::Usage, concat("unknown ", kind, " `", name, "`",
                                           knownNames(name, names)));
}

Result<std::unique_ptr<Reader>> dpl::rt::openReader(const std::string &name,
                                                    const std::string &path,
                                                    const Arguments &args) {
  for (const auto &entry : readers)
    if (name == entry.name)
      return entry.factory(path, args);
  return unknown("reader", name, readerNames());
}

Result<std::unique_ptr<Transform>>
dpl::rt::makeTransform(const std::string &name, const FieldType &input,
                       const Arguments &args) {
  for (const auto &entry : transforms)
    if (name == entry.name)
      return entry.factory(input, args);
  return unknown("transform", name, transformNames());
}
