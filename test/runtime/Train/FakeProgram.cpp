//===- FakeProgram.cpp - A program whose kernels are C++ ------------------===//

#include "FakeProgram.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>

namespace dpl::rt::testing {
namespace {

using nlohmann::json;

constexpr int64_t N = fakeInputs, C = fakeClasses, T = fakeTile;
constexpr int64_t biasAt = C * N * 4, reportAt = 704, sumsBytes = 768;

//===--- Kernels ----------------------------------------------------------===//

const float *in(void *buffer) { return static_cast<const float *>(buffer); }
float *out(void *buffer) { return static_cast<float *>(buffer); }

/// (options, settings, time)
void settings(void *const *b, const int64_t *) {
  out(b[1])[0] = static_cast<float>(static_cast<double *>(b[0])[0]);
  out(b[1])[1] = 0.9f;
  const char *jump = std::getenv("FAKE_RATE_JUMPS_AT");
  if (jump && static_cast<double *>(b[2])[1] == std::atof(jump))
    out(b[1])[0] = std::numeric_limits<float>::infinity();
  if (const char *slow = std::getenv("FAKE_STEP_MICROSECONDS"))
    std::this_thread::sleep_for(std::chrono::microseconds(std::atoi(slow)));
}

/// (weight, bias, x, logits)
void forward(void *const *b, const int64_t *) {
  for (int64_t s = 0; s < T; ++s)
    for (int64_t c = 0; c < C; ++c) {
      float sum = in(b[1])[c];
      for (int64_t i = 0; i < N; ++i)
        sum += in(b[0])[c * N + i] * in(b[2])[s * N + i];
      out(b[3])[s * C + c] = sum;
    }
}

/// Softmax of one sample's logits; returns the loss and whether it is right.
std::pair<float, bool> softmax(const float *logits, int32_t label, float *p) {
  float most = *std::max_element(logits, logits + C), sum = 0;
  for (int64_t c = 0; c < C; ++c)
    sum += p[c] = std::exp(logits[c] - most);
  for (int64_t c = 0; c < C; ++c)
    p[c] /= sum;
  bool right = std::max_element(logits, logits + C) - logits == label;
  return {-(logits[label] - most - std::log(sum)), right};
}

void addReport(float *report, float loss, bool right) {
  report[0] += loss;
  report[1] += right ? 1.0f : 0.0f;
  report[2] += 1.0f;
}

/// (logits, x, y, sums)
void backward(void *const *b, const int64_t *sizes) {
  float *sums = out(b[3]);
  for (int64_t s = 0; s < sizes[DPL_SIZE_VALID]; ++s) {
    float p[C];
    int32_t label = static_cast<const int32_t *>(b[2])[s];
    auto [loss, right] = softmax(in(b[0]) + s * C, label, p);
    for (int64_t c = 0; c < C; ++c) {
      float g = p[c] - (c == label ? 1.0f : 0.0f);
      for (int64_t i = 0; i < N; ++i)
        sums[c * N + i] += g * in(b[1])[s * N + i];
      sums[biasAt / 4 + c] += g;
    }
    addReport(sums + reportAt / 4, loss, right);
  }
}

/// (logits, y, sums)
void evaluateTile(void *const *b, const int64_t *sizes) {
  for (int64_t s = 0; s < sizes[DPL_SIZE_VALID]; ++s) {
    float p[C];
    auto [loss, right] =
        softmax(in(b[0]) + s * C, static_cast<const int32_t *>(b[1])[s], p);
    addReport(out(b[2]) + reportAt / 4, loss, right);
  }
}

float sumCopies(const float *first, int64_t copies) {
  float sum = 0;
  for (int64_t copy = 0; copy < copies; ++copy)
    sum += first[copy * sumsBytes / 4];
  return sum;
}

/// (sums, reduced)
void reduce(void *const *b, const int64_t *sizes) {
  for (int64_t i = 0; i < sumsBytes / 4; ++i)
    out(b[1])[i] = sumCopies(in(b[0]) + i, sizes[DPL_SIZE_CHUNKS]);
}

/// (gradient, parameter, velocity, settings, batch)
void update(void *const *b, int64_t count, int64_t copies) {
  for (int64_t i = 0; i < count; ++i) {
    float g = sumCopies(in(b[0]) + i, copies) / in(b[4])[0];
    float v = in(b[3])[1] * out(b[2])[i] + g;
    out(b[2])[i] = v;
    out(b[1])[i] -= in(b[3])[0] * v;
  }
}

template <int64_t count>
void updateFused(void *const *b, const int64_t *sizes) {
  update(b, count, sizes[DPL_SIZE_CHUNKS]);
}
template <int64_t count> void updateReduced(void *const *b, const int64_t *) {
  update(b, count, 1);
}

/// (sums or reduced, report)
void reportFused(void *const *b, const int64_t *sizes) {
  for (int64_t i = 0; i < 3; ++i)
    out(b[1])[i] = sumCopies(in(b[0]) + i, sizes[DPL_SIZE_CHUNKS]);
}
void reportReduced(void *const *b, const int64_t *) {
  std::copy_n(in(b[0]), 3, out(b[1]));
}

constexpr dpl_kernel kernels[] = {
    settings,         forward,        backward,       evaluateTile,
    reduce,           updateFused<N>, updateFused<C>, updateReduced<N>,
    updateReduced<C>, reportFused,    reportReduced};

//===--- Description ------------------------------------------------------===//

json buffer(const char *space, int64_t index = 0, int64_t offset = 0,
            int64_t tile = 0, int64_t block = 0) {
  return {{"space", space},
          {"index", index},
          {"offset", offset},
          {"tile", tile},
          {"block", block}};
}

json task(int kernel, const char *domain, json buffers, int64_t count = 0) {
  json result = {
      {"kernel", kernel}, {"domain", domain}, {"buffers", std::move(buffers)}};
  if (count)
    result["count"] = count;
  return result;
}

json forwardTask() {
  return task(1, "tiles",
              {buffer("parameter", 0), buffer("parameter", 1),
               buffer("input", 0, 0, T * N * 4), buffer("arena")});
}

json tilePhase() {
  return {
      {"name", "tile"},
      {"tasks",
       {forwardTask(), task(2, "tiles",
                            {buffer("arena"), buffer("input", 0, 0, T * N * 4),
                             buffer("input", 1, 0, T * 4), buffer("sums")})}}};
}

json updatePhase(const char *space, int weightKernel, int biasKernel,
                 int reportKernel) {
  return {{"name", "update"},
          {"tasks",
           {task(weightKernel, "blocks",
                 {buffer(space, 0, 0, 0, N * 4),
                  buffer("parameter", 0, 0, 0, N * 4),
                  buffer("state", 0, 0, 0, N * 4), buffer("settings"),
                  buffer("batch")},
                 C),
            task(biasKernel, "once",
                 {buffer(space, 0, biasAt), buffer("parameter", 1),
                  buffer("state", 1), buffer("settings"), buffer("batch")}),
            task(reportKernel, "once",
                 {buffer(space, 0, reportAt), buffer("report")})}}};
}

json program(const char *name, const char *kind, json update,
             const char *iterator, int64_t capacity, json phases) {
  return {{"name", name},
          {"kind", kind},
          {"update", std::move(update)},
          {"iterator", iterator},
          {"tile", T},
          {"capacity", capacity},
          {"inputs", {"x", "y"}},
          {"arena", T * C * 4},
          {"uniform", 0},
          {"saved", json::array()},
          {"sums", sumsBytes},
          {"reduced", sumsBytes},
          {"buckets", json::array({{{"offset", 0}, {"bytes", sumsBytes}}})},
          {"reports",
           {{{"name", "loss"}, {"sum", 0}, {"count", 2}},
            {{"name", "accuracy"}, {"sum", 1}, {"count", 2}}}},
          {"phases", std::move(phases)}};
}

json field(const char *name, const char *dtype, json shape) {
  return {{"name", name}, {"dtype", dtype}, {"shape", std::move(shape)}};
}

json dataset(const char *name, const char *split) {
  json label = field("y", "i32", json::array());
  label["classes"] = C;
  json image = json::array({1, 4, 4});
  return {{"name", name},
          {"reader", "mnist"},
          {"args", {{"path", "data"}, {"split", split}}},
          {"transforms", json::array({{{"name", "to_float"}, {"field", "x"}}})},
          {"stored", {field("x", "u8", image), label}},
          {"fields", {field("x", "f32", image), label}}};
}

json parameter(const char *name, json shape, const char *role, json init) {
  return {{"name", name},   {"model", "Net"}, {"dtype", "f32"},
          {"shape", shape}, {"role", role},   {"init", std::move(init)}};
}

json state(const std::string &parameter, json shape) {
  return {{"name", parameter + ".v"}, {"owner", "optimizer"},
          {"parameter", parameter},   {"dtype", "f32"},
          {"shape", shape},           {"init", {{"kind", "zeros"}}}};
}

json train() {
  json every = {{{"count", 1},
                 {"unit", "epoch"},
                 {"actions",
                  {{{"name", "evaluate"},
                    {"args", {{"name", "val"}}},
                    {"positional", json::array({"test_iter"})}},
                   json{{"name", "observe_lr"}},
                   json{{"name", "log"}},
                   {{"name", "print"},
                    {"positional",
                     {"epoch", "iteration", "main/loss", "val/main/accuracy",
                      "lr", "elapsed_time"}}},
                   {{"name", "plot"},
                    {"args", {{"file", "loss.png"}}},
                    {"positional", {"main/loss", "val/main/loss"}}},
                   {{"name", "snapshot"}, {"args", {{"keep", 2}}}}}}},
                {{"count", 3},
                 {"unit", "iteration"},
                 {"actions", json::array({{{"name", "snapshot"},
                                           {"args", {{"keep", 2}}}}})}},
                {{"count", 2},
                 {"unit", "iteration"},
                 {"actions", json::array({json{{"name", "progress"}}})}}};
  return {{"models", json::array({"Net"})},
          {"data", "train_iter"},
          {"devices", nullptr},
          {"stop", {{"count", 4}, {"unit", "epoch"}}},
          {"out", "result"},
          {"step", {{"fused", "train.fused"}, {"bucketed", "train.bucketed"}}},
          {"evaluate",
           json::array({{{"iterator", "test_iter"}, {"program", "eval"}}})},
          {"every", every}};
}

json model() {
  json input = json::array({field("x", "f32", json::array({1, 4, 4}))});
  json output = json::array({field("out", "f32", json::array({C}))});
  return {{"name", "Net"},
          {"inputs", input},
          {"outputs", output},
          {"layers", json::array({{{"path", "fc"},
                                   {"layer", "linear"},
                                   {"input", json::array({json::array({N})})},
                                   {"output", json::array({json::array({C})})},
                                   {"parameters", {"fc.weight", "fc.bias"}},
                                   {"flops", 2 * N * C}}})}};
}

} // namespace

json fakeDescription() {
  json reduce = {
      {"name", "reduce"},
      {"reduce", true},
      {"tasks",
       json::array({task(4, "once", {buffer("sums"), buffer("reduced")})})}};
  json evalTile = {
      {"name", "tile"},
      {"tasks",
       {forwardTask(), task(3, "tiles",
                            {buffer("arena"), buffer("input", 1, 0, T * 4),
                             buffer("sums")})}}};
  json evalReport = {
      {"name", "report"},
      {"tasks",
       json::array({task(9, "once",
                         {buffer("sums", 0, reportAt), buffer("report")})})}};
  return {
      {"format", 1},
      {"source", "fake.dpl"},
      {"compiler", "hand 1.0"},
      {"target",
       {{"cpu", "any"}, {"needs", json::array()}, {"triple", "none"}}},
      {"hash", "f00d"},
      {"options",
       {{{"name", "lr"},
         {"type", "float"},
         {"default", 0.1},
         {"help", "learning rate"}},
        {{"name", "quiet"},
         {"type", "bool"},
         {"default", false},
         {"help", "a switch"}},
        {{"name", "warm_up"},
         {"type", "duration"},
         {"default", {{"count", 2}, {"unit", "epoch"}}},
         {"help", "warm-up"}}}},
      {"datasets",
       {dataset("train_set", "train"), dataset("test_set", "test")}},
      {"iterators",
       {{{"name", "train_iter"},
         {"kind", "serial"},
         {"dataset", "train_set"},
         {"batch", fakeBatch},
         {"shuffle", true},
         {"repeat", true}},
        {{"name", "test_iter"},
         {"kind", "serial"},
         {"dataset", "test_set"},
         {"batch", 8},
         {"shuffle", false},
         {"repeat", false}}}},
      {"parameters",
       {parameter("fc.weight", {C, N}, "weight",
                  {{"kind", "he_uniform"}, {"fan_in", N}}),
        parameter("fc.bias", json::array({C}), "bias", {{"kind", "zeros"}})}},
      {"states",
       {state("fc.weight", {C, N}), state("fc.bias", json::array({C}))}},
      {"settings",
       {{"kernel", 0},
        {"entries", {json{{"name", "lr"}}, json{{"name", "momentum"}}}}}},
      {"models", json::array({model()})},
      {"programs",
       {program("train.fused", "train", "fused", "train_iter", fakeBatch,
                {tilePhase(), updatePhase("sums", 5, 6, 9)}),
        program("train.bucketed", "train", "bucketed", "train_iter", fakeBatch,
                {tilePhase(), reduce, updatePhase("reduced", 7, 8, 10)}),
        program("eval", "eval", nullptr, "test_iter", 8,
                {evalTile, evalReport})}},
      {"train", train()}};
}

dpl_program fakeProgram(const std::string &description) {
  return {DPL_ABI_VERSION, std::size(kernels), kernels, description.data(),
          description.size()};
}

} // namespace dpl::rt::testing
