//===- SourceMakers.cpp - Lines of random programs ------------------------===//

#include "test/Random/SourceWriter.h"

using namespace dpl::test;

/// Elements of one sample of a value, at most.
static constexpr int64_t kMostElements = 72;

Made SourceWriter::makeActivation() {
  static constexpr const char *const names[] = {
      "relu",         "relu6",
      "tanh",         "sigmoid",
      "silu",         "softplus",
      "hard_sigmoid", "hard_swish",
      "leaky_relu",   "leaky_relu(0.2)",
      "elu",          "elu(alpha: 0.6)",
      "gelu",         "gelu(approximate: true)",
      "flatten",
  };
  const Named &x = pick();
  std::string name = oneOf(names);
  Sizes sizes = name == "flatten" ? Sizes{product(x.sizes)} : x.sizes;
  if (chance(3) && !x.sizes.empty()) {
    name = chance(2) ? "softmax" : "log_softmax";
    name += "(axis: " + text(between(-1, (int64_t)x.sizes.size() - 1)) + ")";
    sizes = x.sizes;
  }
  return Made({use(x) + " |> " + name, sizes});
}

Made SourceWriter::makeFunction() {
  const Named &x = pick();
  std::string v = use(x);
  switch (between(0, 8)) {
  case 0:
    return Made({"exp(tanh(" + v + "))", x.sizes});
  case 1:
    return Made({"log(abs(" + v + ") + 0.5)", x.sizes});
  case 2:
    return Made({"sqrt(abs(" + v + ") + 0.25)", x.sizes});
  case 3:
    return Made({"sin(" + v + ")", x.sizes});
  case 4:
    return Made({"erf(" + v + ")", x.sizes});
  case 5:
    return Made({"cos(" + v + ")", x.sizes});
  case 6:
    return Made({"tanh(" + v + ") ** 2", x.sizes});
  case 7:
    return Made({"abs(" + v + ") / 2 - 0.5", x.sizes});
  default:
    return Made({"stop_gradient(tanh(" + v + ")) * " + v, x.sizes});
  }
}

Made SourceWriter::makeBinary() {
  const Named &x = pick();
  std::string a = use(x), b = use(*sameAs(x));
  switch (between(0, 5)) {
  case 0:
    return Made({a + " - " + b, x.sizes});
  case 1:
    return Made({a + " * tanh(" + b + ")", x.sizes});
  case 2:
    return Made({a + " / (abs(" + b + ") + 0.5)", x.sizes});
  case 3:
    return Made({"max(" + a + ", " + b + ")", x.sizes});
  case 4:
    return Made({"min(" + a + ", 0.5 * " + b + ")", x.sizes});
  default:
    return Made({a + " + " + b, x.sizes});
  }
}

Made SourceWriter::makeChoice() {
  const Named &x = pick();
  std::string a = use(x), b = use(*sameAs(x));
  static constexpr const char *const compare[] = {"<",  "<=", ">",
                                                  ">=", "==", "!="};
  return Made({"where(" + a + " " + oneOf(compare) + " " + b + ", " + a +
                   ", 0.3 * " + b + ")",
               x.sizes});
}

Made SourceWriter::makeLinear() {
  const Named &x = pick(1);
  Sizes sizes = x.sizes;
  sizes.back() = between(1, 19);
  if (product(sizes) > kMostElements)
    return Made();
  std::string setting = text(sizes.back());
  if (chance(3))
    setting += ", bias: false";
  return Made({use(x) + " |> linear(" + setting + ")", sizes});
}

/// Positions of a window of `size` along `n` places; 0 if it does not fit.
static int64_t positions(int64_t n, int64_t size, int64_t stride, int64_t pad,
                         int64_t dilation) {
  int64_t rest = n + 2 * pad - (size - 1) * dilation - 1;
  return rest < 0 ? 0 : rest / stride + 1;
}

Made SourceWriter::makeConv() {
  const Named &x = pick(3, 3);
  if (x.sizes.size() != 3)
    return Made();
  Sizes kernel, stride, pad, dilation, sizes = {between(1, 9)};
  for (int i = 0; i < 2; ++i) {
    kernel.push_back(between(1, 3));
    stride.push_back(between(1, 3));
    pad.push_back(between(0, 2));
    dilation.push_back(between(1, 2));
    sizes.push_back(
        positions(x.sizes[i + 1], kernel[i], stride[i], pad[i], dilation[i]));
  }
  if (product(sizes) == 0 || product(sizes) > kMostElements)
    return Made();
  std::string settings = text(sizes[0]) + ", kernel: " + text(kernel) +
                         ", stride: " + text(stride) + ", pad: " + text(pad) +
                         ", dilation: " + text(dilation);
  if (chance(3))
    settings += ", bias: false";
  if (sizes[0] % x.sizes[0] == 0 && chance(2))
    settings += ", groups: " + text(x.sizes[0]);
  return Made({use(x) + " |> conv2d(" + settings + ")", sizes});
}

/// The same, rounded up: a last window that begins behind the elements is none.
static int64_t positionsUp(int64_t n, int64_t size, int64_t stride,
                           int64_t pad) {
  int64_t count = positions(n + stride - 1, size, stride, pad, 1);
  return count > 1 && (count - 1) * stride >= n + pad ? count - 1 : count;
}

Made SourceWriter::makePool() {
  const Named &x = pick(3, 3);
  if (x.sizes.size() != 3)
    return Made();
  Sizes window, stride, pad, sizes = {x.sizes[0]};
  bool up = chance(3);
  for (int i = 0; i < 2; ++i) {
    int64_t n = x.sizes[i + 1];
    window.push_back(between(1, 3));
    stride.push_back(between(1, 3));
    pad.push_back(between(0, window[i] / 2));
    if (positions(n, window[i], stride[i], pad[i], 1) == 0)
      return Made();
    sizes.push_back(up ? positionsUp(n, window[i], stride[i], pad[i])
                       : positions(n, window[i], stride[i], pad[i], 1));
  }
  if (product(sizes) == 0 || product(sizes) > kMostElements)
    return Made();
  std::string settings = text(window) + ", stride: " + text(stride) +
                         ", pad: " + text(pad) + (up ? ", rounding: up" : "");
  if (chance(2))
    return Made({use(x) + " |> max_pool2d(" + settings + ")", sizes});
  if (chance(2))
    settings += ", count_include_pad: false";
  return Made({use(x) + " |> avg_pool2d(" + settings + ")", sizes});
}

Made SourceWriter::makeNorm() {
  const Named &x = pick(1);
  if (x.sizes.empty())
    return Made();
  switch (between(0, 2)) {
  case 0:
    return Made({use(x) + " |> batch_norm(eps: 0.01)", x.sizes});
  case 1:
    return Made({use(x) + " |> layer_norm(eps: 0.01)", x.sizes});
  default:
    int64_t groups = x.sizes[0] % 2 == 0 && chance(2) ? 2 : x.sizes[0];
    return Made(
        {use(x) + " |> group_norm(" + text(groups) + ", eps: 0.01)", x.sizes});
  }
}

Made SourceWriter::makeDepthwise() {
  const Named &x = pick(3, 3);
  if (x.sizes.size() != 3)
    return Made();
  return Made({use(x) + " |> depthwise(3, pad: 1)", x.sizes});
}

Made SourceWriter::makeGlobalPool() {
  const Named &x = pick(2);
  if (x.sizes.size() < 2)
    return Made();
  return Made(
      {use(x) + (chance(2) ? " |> global_avg_pool" : " |> global_max_pool"),
       {x.sizes[0]}});
}

/// Two values one behind the other, or one with zeros around it, a part of it,
/// or backwards.
Made SourceWriter::makeJoin() {
  const Named &x = pick(1);
  Sizes sizes = x.sizes;
  if (sizes.empty() || 2 * product(sizes) > kMostElements)
    return Made();
  int64_t axis = between(0, sizes.size() - 1);
  Sizes zeros(sizes.size()), low = zeros;
  std::string a = use(x);
  switch (between(0, 3)) {
  case 0:
    sizes[axis] *= 2;
    return Made({"concat([" + a + ", " + use(*sameAs(x)) +
                     "], axis: " + text(axis) + ")",
                 sizes});
  case 1:
    low[axis] = between(1, 2);
    sizes[axis] += low[axis];
    if (product(sizes) > kMostElements)
      return Made();
    return Made(
        {"pad(" + a + ", low: " + text(low) + ", high: " + text(zeros) + ")",
         sizes});
  case 2:
    sizes[axis] = between(1, sizes[axis]);
    return Made({"slice(" + a + ", start: " + text(zeros) +
                     ", size: " + text(sizes) + ")",
                 sizes});
  default:
    return Made({"reverse(" + a + ", axes: [" + text(axis) + "])", sizes});
  }
}

Made SourceWriter::makeOwn() {
  const Named &x = pick(1);
  if (x.sizes.empty())
    return Made();
  if (x.sizes.size() == 3 && chance(2)) {
    Sizes sizes = x.sizes;
    sizes[0] = between(1, 5);
    if (product(sizes) > kMostElements)
      return Made();
    return Made({use(x) + " |> Block(" + text(sizes[0]) + ")", sizes});
  }
  std::string twice = chance(2) ? "true" : "false";
  return chance(2) ? Made({use(x) + " |> Scale", x.sizes})
                   : Made({use(x) + " |> Residual(" + twice + ")", x.sizes});
}

/// One layer that two values go through.
Made SourceWriter::makeShared() {
  const Named &x = pick(1), &y = pick(1);
  if (x.sizes.empty() || y.sizes.empty() || x.sizes.back() != y.sizes.back())
    return Made();
  std::string name = "shared" + text(layerCount++);
  layers += "  let " + name + " = linear(" + text(between(1, 7)) + ")\n";
  return Made({"mean(" + name + "(" + use(x) + ")) * mean(" + name + "(" +
                   use(y) + "))",
               {}});
}

/// Several layers as a list, which is a layer.
Made SourceWriter::makeList() {
  const Named &x = pick(1);
  if (x.sizes.empty())
    return Made();
  std::string name = "list" + text(layerCount++);
  std::string n = text(x.sizes.back());
  layers += "  let " + name + " = [linear(" + n + ") for i in 0.." +
            text(between(1, 3)) + "]\n";
  return Made({"tanh(" + use(x) + " |> " + name + ")", x.sizes});
}

Made SourceWriter::makeShape() {
  const Named &x = pick(1);
  Sizes sizes = x.sizes;
  if (sizes.empty())
    return Made();
  switch (between(0, 2)) {
  case 0: {
    Sizes order(sizes.size()), result;
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[between(0, i)]);
    for (int64_t axis : order)
      result.push_back(sizes[axis]);
    return Made({"transpose(" + use(x) + ", " + text(order) + ")", result});
  }
  case 1: {
    int64_t n = product(sizes), d = between(1, 4);
    Sizes result = n % d == 0 ? Sizes{n / d, d} : Sizes{1, n};
    return Made({"reshape(" + use(x) + ", " + text(result) + ")", result});
  }
  default: {
    int64_t n = between(1, 3);
    sizes.insert(sizes.begin(), n);
    if (product(sizes) > kMostElements || sizes.size() > 4)
      return Made();
    Sizes axes;
    for (size_t i = 1; i < sizes.size(); ++i)
      axes.push_back(i);
    return Made({"broadcast(" + use(x) + ", shape: " + text(sizes) +
                     ", axes: " + text(axes) + ")",
                 sizes});
  }
  }
}

Made SourceWriter::makeReduce() {
  const Named &x = pick(1);
  Sizes sizes = x.sizes;
  if (sizes.empty())
    return Made();
  int64_t axis = between(0, sizes.size() - 1);
  bool keep = chance(2);
  if (keep)
    sizes[axis] = 1;
  else
    sizes.erase(sizes.begin() + axis);
  static constexpr const char *const names[] = {"sum", "mean", "reduce"};
  std::string name = oneOf(names);
  std::string call = name + "(" + use(x) + ", axes: [" + text(axis) + "]" +
                     (keep ? ", keep: true" : "") +
                     (name == "reduce" ? ", kind: max" : "") + ")";
  return Made({name == "sum" ? "0.3 * " + call : call, sizes});
}

Made SourceWriter::makeTake() {
  const Named &x = pick(1);
  Sizes sizes = x.sizes;
  if (sizes.empty())
    return Made();
  int64_t axis = between(0, sizes.size() - 1);
  sizes.erase(sizes.begin() + axis);
  std::string at = ", axis: " + text(axis);
  return Made({"take(" + use(x) + ", argmax(" + use(*sameAs(x)) + at + ")" +
                   at + ", each: true)",
               sizes});
}

Made SourceWriter::makeEinsum() {
  const Named &x = pick(2, 2), &y = pick(2, 2);
  if (x.sizes.size() != 2 || y.sizes.size() != 2 || x.sizes[0] != y.sizes[0])
    return Made();
  Sizes sizes = {x.sizes[1], y.sizes[1]};
  if (product(sizes) > kMostElements)
    return Made();
  std::string a = use(x), b = use(y);
  return Made(
      {"tanh(einsum(" + a + "[i, j] * " + b + "[i, k] -> [j, k]))", sizes});
}

Made SourceWriter::makeDropout() {
  const Named &x = pick();
  switch (between(0, 2)) {
  case 0:
    return Made({use(x) + " |> dropout(0.4)", x.sizes});
  case 1:
    return Made({"random_uniform(" + text(x.sizes) + ") + " + use(x), x.sizes});
  default:
    return Made({use(x) + " - random_normal(" + text(x.sizes) + ")", x.sizes});
  }
}

Made SourceWriter::makeBatch() {
  const Named &x = pick();
  std::string v = use(x);
  return Made({v + " - batch_sum(" + v + ") / batch_sum(1.0)", x.sizes});
}

llvm::ArrayRef<SourceWriter::Maker> SourceWriter::makers() {
  using W = SourceWriter;
  static const Maker table[] = {
      &W::makeActivation, &W::makeActivation, &W::makeFunction,
      &W::makeBinary,     &W::makeBinary,     &W::makeLinear,
      &W::makeConv,       &W::makeConv,       &W::makePool,
      &W::makeNorm,       &W::makeNorm,       &W::makeOwn,
      &W::makeShared,     &W::makeList,       &W::makeShape,
      &W::makeReduce,     &W::makeTake,       &W::makeEinsum,
      &W::makeBatch,      &W::makeChoice,     &W::makeDepthwise,
      &W::makeDropout,    &W::makeGlobalPool, &W::makeJoin,
      &W::makeJoin};
  return table;
}
