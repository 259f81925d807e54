//===- SourceProgram.cpp - A random program, by layers --------------------===//

#include "test/Random/SourceProgram.h"
#include "test/Random/SourceWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace dpl;
using namespace dpl::test;
using llvm::StringRef;

/// What every program has beside its model: layers of users.
static constexpr StringRef kOwnLayers = R"(
layer Block(channels: int)(x: f32[c, h, w]) -> f32[channels, h, w] =
  x |> conv2d(channels, kernel: 3, pad: 1) |> tanh

layer Scale(init: initializer = ones)(x: f32[.., n]) -> f32[.., n] {
  param weight: f32[n] = init
  x * weight
}

layer Residual(twice: bool)(x: f32[.., n]) -> f32[.., n] {
  let inner = linear(n)
  let y = x + tanh(inner(x))
  if twice { y + tanh(inner(y)) } else { y }
}
)";

std::string dpl::test::text(int64_t n) { return std::to_string(n); }

std::string dpl::test::text(const Sizes &sizes) {
  std::string s;
  for (int64_t n : sizes)
    s += (s.empty() ? "" : ", ") + text(n);
  return "[" + s + "]";
}

int64_t dpl::test::product(const Sizes &sizes) {
  int64_t n = 1;
  for (int64_t size : sizes)
    n *= size;
  return n;
}

const Named &SourceWriter::pick(size_t least, size_t most) {
  for (int i = 0; i < 30; ++i) {
    int64_t n = pool.size();
    int64_t low = between(0, 2) ? std::max<int64_t>(0, n - 3) : 0;
    const Named &x = pool[between(low, n - 1)];
    if (x.sizes.size() >= least && x.sizes.size() <= most)
      return x;
  }
  // An input of the wanted rank is always there.
  for (const Named &x : pool)
    if (x.sizes.size() >= least && x.sizes.size() <= most)
      return x;
  return pool[0];
}

const Named *SourceWriter::sameAs(const Named &x) {
  std::vector<const Named *> same;
  for (const Named &y : pool)
    if (y.sizes == x.sizes)
      same.push_back(&y);
  return same[between(0, same.size() - 1)];
}

//===----------------------------------------------------------------------===//
// The program around the model
//===----------------------------------------------------------------------===//

/// A vector of five that depends on everything.
std::string SourceWriter::output() {
  std::string result = "(" + pool.back().name + " |> flatten |> linear(5))";
  for (const Named &x : pool)
    if (!llvm::is_contained(used, x.name) && &x != &pool.back())
      result += " + 0.3 * mean(" + x.name + ")";
  return result;
}

std::string SourceWriter::training() {
  static constexpr const char *const losses[] = {
      "softmax_cross_entropy",
      "softmax_cross_entropy(smoothing: 0.1)",
      "softmax_cross_entropy(weights: [1.0, 0.5, 2.0, 0.0, 1.5])",
      "mean_squared_error(out, t)",
      "sigmoid_cross_entropy(out, 0.5 + 0.5 * t)",
      "sum((out - t) ** 2)"};
  static constexpr const char *const solvers[] = {
      "sgd(lr: lr)", "sgd(lr: 0.3, momentum: 0.9)",
      "sgd(lr: lr, momentum: 0.8, nesterov: true)",
      "sgd(lr: lr, momentum: 0.5, weight_decay: 0.01)"};
  std::string result = "  data it\n  loss " + oneOf(losses) + "\n";
  if (chance(2))
    result += "  metrics accuracy, second: accuracy(k: 2)\n";
  result += "  optimizer " + oneOf(solvers) + "\n  stop 1 epoch\n";
  if (choice.number % 8 == 0)
    result += "  every 1 epoch { evaluate(ev) }\n";
  return result;
}

std::string SourceWriter::write() {
  random.next();
  pool.push_back({"x", {between(1, 3), between(2, 6), between(1, 7)}});
  pool.push_back({"v", {between(1, 7), between(1, 9)}});
  std::string fields;
  for (const Named &input : pool)
    fields += input.name + ": f32" + text(input.sizes) + ", ";
  std::string head =
      "option lr = 0.2 \"learning rate\"\n"
      "extern reader noise(path: string) -> (" +
      fields + "t: f32[5], y: class(5)?)\ndataset d = noise(\"d\")\n" +
      "iterator it = serial(d, batch: " + text(between(1, 21)) +
      ", repeat: true)\niterator ev = serial(d, batch: " + text(between(1, 9)) +
      ")\n" + kOwnLayers.str() + "\nmodel M(" +
      StringRef(fields).drop_back(2).str() + ") -> f32[5] {\n";
  for (unsigned i = 0, n = choice.operations(); i < n; ++i) {
    if (choice.without.count(i))
      continue;
    random = choice.operation(i);
    Made made;
    while (!made)
      made = (this->*makers()[between(0, makers().size() - 1)])();
    std::string name = "h" + text(i);
    body += "  let " + name + " = " + made->first + "\n";
    pool.push_back({name, made->second});
  }
  random = choice.operation(1000);
  body += "  " + output() + "\n";
  return head + layers + body + "}\n\ntrain M {\n" + training() + "}\n";
}

std::string dpl::test::randomProgram(const Choice &choice) {
  return SourceWriter(choice).write();
}
