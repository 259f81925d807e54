//===- Base/Glibc.cpp - Which C library this program needs ----------------===//

#include "runtime/Base/Glibc.h"

#include "runtime/Base/Text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <link.h>
#include <string_view>
#include <vector>

using namespace dpl::rt;

namespace {
/// The parts of a loaded program's dynamic section that name versions.
struct VersionTables {
  const char *strings = nullptr;
  const char *needs = nullptr;
  size_t count = 0;
};
} // namespace

static VersionTables findTables(const dl_phdr_info &program) {
  VersionTables tables;
  for (int i = 0; i < program.dlpi_phnum; ++i) {
    if (program.dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const auto *entry = reinterpret_cast<const ElfW(Dyn) *>(
        program.dlpi_addr + program.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      // The loader has put addresses in the place of offsets for DT_STRTAB.
      if (entry->d_tag == DT_STRTAB)
        tables.strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_VERNEED)
        tables.needs = reinterpret_cast<const char *>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_VERNEEDNUM)
        tables.count = entry->d_un.d_val;
    }
  }
  // That of the versions stays an offset.
  if (reinterpret_cast<uintptr_t>(tables.needs) < program.dlpi_addr)
    tables.needs += program.dlpi_addr;
  return tables;
}

static std::vector<int> parseVersion(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string_view piece : split(text, '.')) {
    int number = 0;
    if (std::from_chars(piece.data(), piece.data() + piece.size(), number).ec !=
        std::errc())
      return {};
    numbers.push_back(number);
  }
  return numbers;
}

static void collect(const VersionTables &tables, std::string &newest) {
  static constexpr std::string_view prefix = "GLIBC_";
  const char *at = tables.needs;
  for (size_t i = 0; i < tables.count; ++i) {
    const auto *need = reinterpret_cast<const ElfW(Verneed) *>(at);
    const char *next = at + need->vn_aux;
    for (int v = 0; v < need->vn_cnt; ++v) {
      const auto *version = reinterpret_cast<const ElfW(Vernaux) *>(next);
      std::string_view name = tables.strings + version->vna_name;
      if (name.starts_with(prefix) &&
          parseVersion(newest) < parseVersion(name.substr(prefix.size())))
        newest = name.substr(prefix.size());
      next += version->vna_next;
    }
    at += need->vn_next;
  }
}

std::string dpl::rt::neededGlibc() {
  std::string newest;
  // The first one is the executable.
  dl_iterate_phdr(
      [](dl_phdr_info *program, size_t, void *result) {
        const VersionTables tables = findTables(*program);
        if (tables.strings && tables.needs)
          collect(tables, *static_cast<std::string *>(result));
        return 1;
      },
      &newest);
  return newest;
}
