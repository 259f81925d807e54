//===- JsonReader.cpp - Typed reading of JSON with exact places -----------===//

#include "runtime/Program/JsonReader.h"

#include <algorithm>
#include <cmath>

namespace dpl::rt::json_reader {

void Node::fail(const std::string &what) const {
  if (!sink.first)
    sink.first =
        (place.empty() ? std::string("top level") : place) + ": " + what;
}

Node Node::element(size_t index) const {
  return Node(value[index], place + "[" + std::to_string(index) + "]", sink);
}

Node Node::field(const std::string &key) const {
  return Node(value[key], place.empty() ? key : place + "." + key, sink);
}

void Node::expected(std::string_view wanted) const {
  std::string text = value.dump();
  if (text.size() > 40)
    text = text.substr(0, 37) + "...";
  fail("expected " + std::string(wanted) + ", found " + text);
}

void read(const Node &node, std::string &out) {
  if (!node.value.is_string())
    return node.expected("text");
  out = node.value.get_ref<const std::string &>();
}

void read(const Node &node, bool &out) {
  if (!node.value.is_boolean())
    return node.expected("true or false");
  out = node.value.get<bool>();
}

void read(const Node &node, int64_t &out) {
  if (!node.value.is_number_integer())
    return node.expected("an integer");
  out = node.value.get<int64_t>();
}

void read(const Node &node, uint32_t &out) {
  int64_t wide = 0;
  read(node, wide);
  if (wide < 0 || wide > INT32_MAX)
    return node.expected("an index");
  out = static_cast<uint32_t>(wide);
}

void read(const Node &node, double &out) {
  if (!node.value.is_number())
    return node.expected("a number");
  out = node.value.get<double>();
}

Fields::Fields(const Node &node) : object(node) {
  if (!node.value.is_object())
    node.expected("an object");
}

bool Fields::has(const char *key) const {
  return object.value.is_object() && object.value.contains(key);
}

const Node *Fields::find(const char *key, bool needed) {
  seen.emplace_back(key);
  if (object.failed() || !object.value.is_object())
    return nullptr;
  if (!object.value.contains(key)) {
    if (needed)
      object.fail("the field '" + std::string(key) + "' is missing");
    return nullptr;
  }
  current.emplace(object.field(key));
  return &*current;
}

void Fields::done() const {
  if (object.failed() || !object.value.is_object())
    return;
  for (auto it = object.value.begin(); it != object.value.end(); ++it)
    if (std::find(seen.begin(), seen.end(), it.key()) == seen.end())
      return object.fail("unknown field '" + it.key() + "'");
}

} // namespace dpl::rt::json_reader
