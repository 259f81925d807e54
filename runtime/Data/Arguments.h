//===- Data/Arguments.h - Named settings of readers, transforms -*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_ARGUMENTS_H
#define DPL_RUNTIME_DATA_ARGUMENTS_H

#include "runtime/Base/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dpl::rt {

/// A literal: what JSON can hold without objects.
struct Argument {
  using List = std::vector<Argument>;
  std::variant<bool, int64_t, double, std::string, List> value;

  Argument(bool v) : value(v) {}
  Argument(int v) : value(static_cast<int64_t>(v)) {}
  Argument(int64_t v) : value(v) {}
  Argument(double v) : value(v) {}
  Argument(std::string v) : value(std::move(v)) {}
  Argument(const char *v) : value(std::string(v)) {}
  Argument(List v) : value(std::move(v)) {}
  /// As it is written in a source file.
  std::string text() const;
};

/// The settings that a description gives to a reader or a transform. Look-ups
/// that fail are Exit::Usage with the name, the value and what was expected.
class Arguments {
public:
  Arguments() = default;
  Arguments(std::initializer_list<std::pair<std::string, Argument>> entries)
      : entries(entries) {}
  void add(std::string name, Argument value) {
    entries.emplace_back(std::move(name), std::move(value));
  }

  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }

  const Argument *find(std::string_view name) const;
  Result<std::string> text(std::string_view name) const;
  /// One number, or a list of them; integers count as numbers.
  Result<std::vector<double>> numbers(std::string_view name) const;
  /// A list of whole numbers.
  Result<std::vector<int64_t>> integers(std::string_view name) const;
  /// One of `members`; returns its place.
  Result<size_t> member(std::string_view name,
                        std::initializer_list<std::string_view> members) const;
  /// Fails on an argument that is none of `known`.
  Status checkNames(std::initializer_list<std::string_view> known) const;

private:
  std::vector<std::pair<std::string, Argument>> entries;
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_ARGUMENTS_H
