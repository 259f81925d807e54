//===- Info.cpp - info ----------------------------------------------------===//

#include "runtime/Base/Glibc.h"
#include "runtime/Base/Text.h"
#include "runtime/Program/StepTables.h"
#include "runtime/Train/Commands.h"
#include "runtime/Train/Session.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace dpl::rt {
namespace {

/// Columns of text, each as wide as its widest cell.
class Table {
public:
  void row(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  std::string text() const {
    std::vector<size_t> widths;
    for (auto &row : rows)
      for (size_t i = 0; i < row.size(); ++i) {
        widths.resize(std::max(widths.size(), i + 1));
        widths[i] = std::max(widths[i], row[i].size());
      }
    std::string text;
    for (auto &row : rows) {
      std::string line = " ";
      for (size_t i = 0; i < row.size(); ++i)
        line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

private:
  std::vector<std::vector<std::string>> rows;
};

std::string scaled(double value, const char *unit) {
  const char *prefixes[] = {"", "k", "M", "G", "T"};
  size_t p = 0;
  for (; value >= 1000 && p + 1 < std::size(prefixes); ++p)
    value /= 1000;
  char text[48];
  std::snprintf(text, sizeof(text), p == 0 ? "%.0f %s%s" : "%.2f %s%s", value,
                prefixes[p], unit);
  return text;
}

std::string shapes(const std::vector<Shape> &list) {
  std::string text;
  for (const Shape &shape : list)
    text += (text.empty() ? "" : ", ") + shapeText(shape);
  return text;
}

std::string modelText(const Description &description,
                      const desc::ModelSpec &model) {
  int64_t total = 0, flops = 0;
  Table table;
  table.row({"path", "layer", "input", "output", "parameters", "FLOPs"});
  for (const desc::LayerSpec &layer : model.layers) {
    int64_t count = 0;
    for (const desc::ParameterSpec &parameter : description.parameters)
      if (std::find(layer.parameters.begin(), layer.parameters.end(),
                    parameter.name) != layer.parameters.end())
        count += elementCount(parameter.shape);
    flops += layer.flops;
    table.row({layer.path, layer.layer, shapes(layer.input),
               shapes(layer.output), std::to_string(count),
               scaled(static_cast<double>(layer.flops), "")});
  }
  for (const desc::ParameterSpec &parameter : description.parameters)
    if (parameter.model == model.name)
      total += elementCount(parameter.shape);
  return "model " + model.name + "\n" + table.text() +
         concat("  ", total, " parameters, ",
                scaled(4 * static_cast<double>(total), "B"), ", ",
                scaled(static_cast<double>(flops), "FLOP"),
                " a sample forward\n\n");
}

std::string parameterText(const Description &description) {
  Table table;
  table.row({"parameter", "shape", "role"});
  for (const desc::ParameterSpec &parameter : description.parameters)
    table.row({parameter.name, shapeText(parameter.shape), parameter.role});
  for (const desc::StateSpec &state : description.states)
    table.row({state.name, shapeText(state.shape), "state of " + state.owner});
  return "parameters and states\n" + table.text() + "\n";
}

std::string dataText(const Description &description) {
  Table table;
  table.row({"iterator", "kind", "data set", "reader", "batch", "order"});
  for (const desc::IteratorSpec &iterator : description.iterators)
    table.row({iterator.name, std::string(toString(iterator.kind)),
               iterator.dataset,
               description.findDataset(iterator.dataset)->reader,
               std::to_string(iterator.batch),
               iterator.shuffle ? "shuffled" : "as stored"});
  return "data\n" + table.text() + "\n";
}

std::string programText(const Description &description, bool deterministic,
                        int workers) {
  Table table;
  table.row({"program", "tile", "batch", "phases", "kernels", "saved", "sums",
             "arena", "all"});
  for (const desc::ProgramSpec &program : description.programs) {
    Regions regions = Regions::plan(program, workers, deterministic);
    std::set<uint32_t> kernels;
    for (const desc::PhaseSpec &phase : program.phases)
      for (const desc::TaskSpec &task : phase.tasks)
        kernels.insert(task.kernel);
    auto bytes = [](int64_t count) {
      return scaled(static_cast<double>(count), "B");
    };
    table.row({program.name, std::to_string(program.tile),
               std::to_string(program.capacity),
               std::to_string(program.phases.size()),
               std::to_string(kernels.size()), bytes(regions.sizes.saved),
               bytes(regions.sizes.sums), bytes(regions.sizes.arena),
               bytes(regions.bytes)});
  }
  return concat("step programs and their memory, ", workers, " threads\n") +
         table.text() + "\n";
}

/// Words in lines of a width that fits a terminal, each behind two spaces.
std::string wrapped(const std::vector<std::string> &words) {
  constexpr size_t width = 78;
  std::string text, line = " ";
  for (const std::string &word : words) {
    if (line.size() + 1 + word.size() > width) {
      text += line + "\n";
      line = " ";
    }
    line += " " + word;
  }
  return words.empty() ? "" : text + line + "\n";
}

std::string targetText(const dpl_program &program,
                       const desc::TargetSpec &target) {
  std::vector<std::string> words = {"instructions:"};
  words.insert(words.end(), target.needs.begin(), target.needs.end());
  if (target.needs.empty())
    words.push_back("those that every such processor has");
  std::string glibc = neededGlibc();
  return concat("target\n  ", target.triple, "  ", target.cpu, "\n",
                wrapped(words), "  ",
                glibc.empty() ? "no C library" : "glibc " + glibc + " or newer",
                "\n  ", program.kernel_count, " kernels\n");
}

} // namespace

std::string infoText(const dpl_program &program, const Description &description,
                     const RunConfig &config, int workers) {
  std::string text =
      concat(description.source, ", compiled by ", description.compiler,
             ", program ", description.hash, "\n\n");
  for (const desc::ModelSpec &model : description.models)
    text += modelText(description, model);
  text += parameterText(description) + dataText(description) +
          programText(description, config.deterministic, workers);
  Table options;
  for (size_t i = 0; i < description.options.size(); ++i)
    options.row({"--" + description.options[i].name,
                 valueText(config.options[i]), description.options[i].help});
  if (!description.options.empty())
    text += "options\n" + options.text() + "\n";
  return text + targetText(program, description.target);
}

} // namespace dpl::rt
