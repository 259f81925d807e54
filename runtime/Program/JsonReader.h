//===- JsonReader.h - Typed reading of JSON with exact places ---*- C++ -*-===//
//
// A Node is a JSON value together with its place, `programs[0].phases[2]`. The
// first thing that is wrong is kept, with its place; what is read after it is
// left at its default, so that readers need no check after each field.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_PROGRAM_JSONREADER_H
#define DPL_RUNTIME_PROGRAM_JSONREADER_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dpl::rt::json_reader {

/// Keeps the first error.
struct ErrorSink {
  std::optional<std::string> first;
};

class Node {
public:
  Node(const nlohmann::json &value, std::string place, ErrorSink &sink)
      : value(value), place(std::move(place)), sink(sink) {}

  void fail(const std::string &what) const;
  bool failed() const { return sink.first.has_value(); }
  Node element(size_t index) const;
  Node field(const std::string &key) const;
  /// Fails with what is there instead of `wanted`.
  void expected(std::string_view wanted) const;

  const nlohmann::json &value;
  std::string place;
  ErrorSink &sink;
};

void read(const Node &node, std::string &out);
void read(const Node &node, bool &out);
void read(const Node &node, int64_t &out);
void read(const Node &node, uint32_t &out);
void read(const Node &node, double &out);

template <typename T> void read(const Node &node, std::vector<T> &out) {
  if (!node.value.is_array())
    return node.expected("a list");
  out.clear();
  for (size_t i = 0; i < node.value.size() && !node.failed(); ++i)
    read(node.element(i), out.emplace_back());
}

template <typename T> void read(const Node &node, std::optional<T> &out) {
  if (node.value.is_null())
    out.reset();
  else
    read(node, out.emplace());
}

/// A name out of a closed set.
template <typename E>
void readName(const Node &node, E &out,
              std::initializer_list<std::pair<std::string_view, E>> names) {
  std::string text;
  read(node, text);
  if (node.failed())
    return;
  std::string known;
  for (auto &[name, result] : names) {
    if (name == text) {
      out = result;
      return;
    }
    known += known.empty() ? "" : ", ";
    known += name;
  }
  node.fail("unknown value '" + text + "', expected one of: " + known);
}

/// The fields of an object; `done` complains about those that nobody read.
class Fields {
public:
  explicit Fields(const Node &node);

  template <typename T> void required(const char *key, T &out) {
    if (const auto *node = find(key, /*needed=*/true))
      read(*node, out);
  }
  template <typename T> void optional(const char *key, T &out) {
    if (const auto *node = find(key, /*needed=*/false))
      read(*node, out);
  }
  /// The node of a field that is read by other means, or null.
  const Node *find(const char *key, bool needed);
  bool has(const char *key) const;
  void done() const;

private:
  Node object;
  std::optional<Node> current;
  std::vector<std::string> seen;
};

} // namespace dpl::rt::json_reader

#endif // DPL_RUNTIME_PROGRAM_JSONREADER_H
