//===- KernelText.cpp - Writes test kernels in linalg ---------------------===//

#include "test/Target/Cpu/KernelText.h"

#include <iterator>
#include <sstream>

namespace dpl::test {

template <typename List, typename Render>
static std::string join(const List &list, Render render) {
  std::string text;
  for (const auto &entry : list)
    text += (text.empty() ? "" : ", ") + render(entry);
  return text;
}

static std::string shaped(const std::string &kind, const Shape &shape,
                          const std::string &element,
                          const std::string &layout = "") {
  std::string text = kind + "<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + layout + ">";
}

static std::string list(const Shape &values) {
  return "[" + join(values, [](int64_t v) { return std::to_string(v); }) + "]";
}

static std::vector<std::string> words(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

static std::string typeOf(const Tensor &tensor) { return tensor.type(); }
static std::string nameOf(const Tensor &tensor) { return tensor.name; }

std::string Tensor::type() const { return shaped("tensor", shape, element); }

Tensor KernelText::argument(const Shape &shape, const std::string &element,
                            int64_t stride, const std::string &access) {
  std::string argument = "%arg" + std::to_string(arguments.size());
  std::string layout;
  if (stride)
    layout = ", strided<[" + std::to_string(stride) + ", 1]>";
  std::string type = shaped("memref", shape, element, layout);
  arguments.push_back(argument + ": " + type + " {llvm.noalias}");
  return emit(shape, element,
              "bufferization.to_tensor " + argument + " " + access + " : " +
                  type + " to " + shaped("tensor", shape, element));
}

Tensor KernelText::input(const Shape &shape, const std::string &element,
                         int64_t stride) {
  return argument(shape, element, stride, "restrict");
}

Tensor KernelText::output(const Shape &shape, const std::string &element) {
  return argument(shape, element, 0, "restrict writable");
}

std::string KernelText::size(int place) {
  std::string argument = "%arg" + std::to_string(arguments.size());
  arguments.push_back(
      argument + ": index {dpl.size = " + std::to_string(place) + " : i64}");
  return argument;
}

Tensor KernelText::emit(const Shape &shape, const std::string &element,
                        const std::string &text) {
  Tensor result{fresh(), shape, element};
  body += "  " + result.name + " = " + text + "\n";
  return result;
}

Tensor KernelText::empty(const Shape &shape, const std::string &element) {
  return emit(shape, element,
              "tensor.empty() : " + shaped("tensor", shape, element));
}

Tensor KernelText::fill(const Shape &shape, const std::string &value) {
  Tensor constant = emit({}, "f32", "arith.constant " + value + " : f32");
  Tensor into = empty(shape);
  return emit(shape, "f32",
              "linalg.fill ins(" + constant.name + " : f32) outs(" + into.name +
                  " : " + into.type() + ") -> " + into.type());
}

Tensor KernelText::zeros(const Shape &shape) {
  Tensor constant = emit({}, "f32", "arith.constant 0.0 : f32");
  Tensor into =
      emit(shape, "f32",
           "bufferization.alloc_tensor() : " + shaped("tensor", shape, "f32"));
  return emit(shape, "f32",
              "linalg.fill ins(" + constant.name + " : f32) outs(" + into.name +
                  " : " + into.type() + ") -> " + into.type());
}

std::vector<Tensor> KernelText::generic(const Generic &op) {
  std::vector<std::string> loops = words(op.domain);
  std::vector<std::string> reduced = words(op.reductions);
  std::string dims = join(loops, [](const std::string &l) { return l; });
  auto affine = [&](const std::string &map) {
    return "affine_map<(" + dims + ") -> (" + map + ")>";
  };
  std::vector<std::string> maps = op.maps;
  maps.resize(op.inputs.size() + op.outputs.size(), op.map);
  std::string kinds = join(loops, [&](const std::string &loop) {
    for (const std::string &r : reduced)
      if (r == loop)
        return std::string("\"reduction\"");
    return std::string("\"parallel\"");
  });
  std::vector<std::string> operands;
  for (size_t i = 0; i < op.inputs.size(); ++i)
    operands.push_back("%a" + std::to_string(i) + ": " + op.inputs[i].element);
  for (size_t i = 0; i < op.outputs.size(); ++i)
    operands.push_back("%o" + std::to_string(i) + ": " + op.outputs[i].element);

  std::string result = fresh();
  size_t count = op.outputs.size();
  body += "  " + result + (count > 1 ? ":" + std::to_string(count) : "") +
          " = linalg.generic {indexing_maps = [" + join(maps, affine) +
          "], iterator_types = [" + kinds + "]}";
  if (!op.inputs.empty())
    body += " ins(" + join(op.inputs, nameOf) + " : " +
            join(op.inputs, typeOf) + ")";
  std::string types = join(op.outputs, typeOf);
  body += " outs(" + join(op.outputs, nameOf) + " : " + types + ") {\n  ^bb0(" +
          join(operands, [](const std::string &o) { return o; }) + "):\n";
  for (size_t i = 0; i + 1 < op.body.size(); ++i)
    body += "    " + op.body[i] + "\n";
  body += "    linalg.yield " + op.body.back() + " : " +
          join(op.outputs, [](const Tensor &t) { return t.element; }) +
          "\n  } -> " + (count > 1 ? "(" + types + ")" : types) + "\n";

  std::vector<Tensor> results = op.outputs;
  for (size_t i = 0; i < count; ++i)
    results[i].name = count > 1 ? result + "#" + std::to_string(i) : result;
  return results;
}

Tensor KernelText::map(const std::vector<Tensor> &inputs,
                       const std::vector<std::string> &body) {
  const Shape &shape = inputs.front().shape;
  std::string domain, index;
  for (size_t i = 0; i < shape.size(); ++i) {
    std::string loop = "d" + std::to_string(i);
    domain += (i ? " " : "") + loop;
    index += (i ? ", " : "") + loop;
  }
  std::vector<std::string> maps(inputs.size(), index);
  return generic({domain, "", inputs, maps, {empty(shape)}, index, body})[0];
}

Tensor KernelText::contract(const std::string &domain,
                            const std::string &reductions, const Tensor &a,
                            const std::string &mapA, const Tensor &b,
                            const std::string &mapB, const Tensor &into,
                            const std::string &mapInto) {
  return generic(
      {domain,
       reductions,
       {a, b},
       {mapA, mapB},
       {into},
       mapInto,
       {"%p = arith.mulf %a0, %a1 fastmath<contract> : f32",
        "%s = arith.addf %o0, %p fastmath<contract> : f32", "%s"}})[0];
}

Tensor KernelText::slice(const Tensor &x, const Shape &offsets,
                         const Shape &sizes, const Shape &strides) {
  return emit(sizes, x.element,
              "tensor.extract_slice " + x.name + list(offsets) + " " +
                  list(sizes) + " " + list(strides) + " : " + x.type() +
                  " to " + shaped("tensor", sizes, x.element));
}

Tensor KernelText::insert(const Tensor &x, const Tensor &into,
                          const Shape &offsets, const Shape &strides) {
  return emit(into.shape, into.element,
              "tensor.insert_slice " + x.name + " into " + into.name +
                  list(offsets) + " " + list(x.shape) + " " + list(strides) +
                  " : " + x.type() + " into " + into.type());
}

void KernelText::store(const Tensor &value, const Tensor &output) {
  // The tensor of an argument is defined by the line after its own number.
  std::string marker = "  " + output.name + " = bufferization.to_tensor ";
  size_t at = body.find(marker) + marker.size();
  std::string argument = body.substr(at, body.find(' ', at) - at);
  body += "  bufferization.materialize_in_destination " + value.name +
          " in restrict writable " + argument + " : (" + value.type() + ", " +
          shaped("memref", output.shape, output.element) + ") -> ()\n";
}

std::string KernelText::text() const {
  return "func.func @" + name + "(" +
         join(arguments, [](const std::string &a) { return a; }) + ") {\n" +
         body + "  return\n}\n";
}

std::vector<std::string> reluBody() {
  return {"%zero = arith.constant 0.0 : f32",
          "%neg = arith.cmpf ogt, %zero, %a0 : f32",
          "%r = arith.select %neg, %zero, %a0 : f32", "%r"};
}

} // namespace dpl::test
