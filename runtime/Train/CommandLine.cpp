//===- CommandLine.cpp - Flags and environment of a trainer ---------------===//

#include "runtime/Base/Text.h"
#include "runtime/Train/ParseNumber.h"
#include "runtime/Train/RunConfig.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <deque>
#include <span>

namespace dpl::rt {
namespace {

/// A flag as text, with where it came from.
struct Flag {
  CLI::Option *option = nullptr;
  std::string name; ///< with dashes
  std::string variable;
  std::vector<std::string> values;
  bool mayBeEmpty = false; ///< the text of an option

  /// Given by flag or variable.
  bool given() const { return option->count() > 0; }
  bool mayStandAlone() const { return option->get_expected_min() == 0; }
  /// A flag without a value, where it may stand alone, is `true`.
  std::string text() const {
    if (values.empty() || values.back().empty())
      return mayStandAlone() ? "true" : "";
    return values.back();
  }
};

/// Declares the flags, and turns what was given into a RunConfig.
class FlagParser {
public:
  explicit FlagParser(const Description &description);
  Result<CommandLineResult> parse(int argc, const char *const *argv);

private:
  Flag *add(const std::string &name, const std::string &type,
            const std::string &help, const std::string &shown = "");
  Flag *addSwitch(const std::string &name, const std::string &help);
  void addRunFlags();
  void addOptionFlags();
  void addCommands();
  Status usageError(const CLI::ParseError &error);
  Status checkOptionNames();
  std::string origin(const Flag &flag) const;

  Status readRun(RunConfig &config);
  Status readCounts(RunConfig &config);
  Status checkEmpty() const;
  Status readResume(RunConfig &config);
  Status readUpdate(RunConfig &config);
  Status readDevice(RunConfig &config);
  Status readOptions(RunConfig &config);
  void readCommand(RunConfig &config);

  const Description &description;
  CLI::App app;
  std::deque<Flag> flags; ///< stable addresses
  Flag *epochs, *batch, *devices, *out, *resume, *seed, *workers, *threads,
      *data, *weights, *deterministic, *update, *maxIterations, *dryRun,
      *printConfig;
  std::vector<Flag *> optionFlags;
  Status optionNames; ///< whether the program's options can be flags
  CLI::App *train, *eval, *info, *plot;
  std::string plotLog, plotFile;
  std::vector<std::string> plotKeys;
};

/// Of one iterator; more are a slip of the finger.
constexpr int64_t mostWorkers = 1024;

std::string variableName(const std::string &flag) {
  std::string name = "DPL_";
  for (char c : flag)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

FlagParser::FlagParser(const Description &description)
    : description(description),
      app("Trains `" + description.train.models.front() + "`, compiled from " +
          description.source + " by " + description.compiler) {
  app.fallthrough();
  app.set_version_flag("--version", description.source + " compiled by " +
                                        description.compiler);
  addRunFlags();
  addOptionFlags();
  addCommands();
}

Flag *FlagParser::add(const std::string &name, const std::string &type,
                      const std::string &help, const std::string &shown) {
  Flag &flag = flags.emplace_back();
  flag.name = "--" + name;
  flag.variable = variableName(name);
  std::string names = flag.name;
  if (name.find('_') != std::string::npos) {
    std::string dashed = name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    names += ",--" + dashed;
  }
  flag.option =
      app.add_option(names, flag.values,
                     shown.empty() ? help : help + " (default: " + shown + ")");
  flag.option->type_name(type)->expected(1)->envname(flag.variable);
  flag.option->allow_extra_args(false);
  flag.option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return &flag;
}

Flag *FlagParser::addSwitch(const std::string &name, const std::string &help) {
  Flag *flag = add(name, "[true|false]", help, "false");
  flag->option->expected(0, 1);
  return flag;
}

static std::string deviceDefault(const Description &description) {
  if (!description.train.devices)
    return "cpu";
  std::string text;
  for (const std::string &device : *description.train.devices)
    text += (text.empty() ? "" : ",") + device;
  return text;
}

void FlagParser::addRunFlags() {
  const desc::TrainSpec &spec = description.train;
  const desc::IteratorSpec &iterator = *description.findIterator(spec.data);
  OptionValues defaults(description);
  epochs = add("epochs", "N", "stop after so many epochs in all",
               durationText(defaults.count(spec.stopCount), spec.stopUnit));
  batch =
      add("batch", "SAMPLES",
          "global batch of training, at most " + std::to_string(iterator.batch),
          std::to_string(iterator.batch));
  devices = add("devices", "cpu[:THREADS]", "where to compute",
                deviceDefault(description));
  out = add("out", "DIR", "folder of the run: log, plots, snapshots",
            spec.out.empty() ? "result" : spec.out);
  resume = add("resume", "auto|SNAPSHOT|never",
               "go on from the newest good snapshot in the folder of the run, "
               "or from the named one",
               "never");
  resume->option->expected(0, 1);
  seed = add("seed", "N", "seed of initial values, shuffles and augmentation",
             "0");
  workers = add("workers", "N",
                "threads or processes of each iterator that "
                "has them");
  threads = add("threads", "N", "threads of the CPU device", "one per core");
  data = add("data", "[NAME=]DIR",
             "where data sets lie, all or the named one; may be repeated; "
             "DPL_DATA is the root of relative paths");
  data->option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  weights = add("weights", "FILE",
                "weights file or snapshot that training starts from, unless "
                "it resumes; eval: what is evaluated, otherwise the newest "
                "good snapshot of the run");
  deterministic = addSwitch("deterministic",
                            "the same bits for any number of threads; slower");
  update = add("update", "auto|fused|bucketed",
               "step program: the optimizer inside of the gradients, or after "
               "them",
               "auto");
  maxIterations = add("max-iterations", "N", "stop after so many iterations");
  dryRun = addSwitch("dry-run", "check everything, open the data, allocate, "
                                "and end before the first step");
  printConfig =
      addSwitch("print-config", "print the configuration as JSON and end");
  // DPL_DATA is the root of relative paths, not a value of --data.
  data->option->envname("");
}

void FlagParser::addOptionFlags() {
  optionNames = checkOptionNames();
  if (!optionNames.ok())
    return;
  for (const desc::OptionSpec &option : description.options) {
    std::string type(toString(option.type));
    std::string help = option.help;
    if (option.type == desc::OptionType::Duration) {
      desc::Unit unit = std::get<desc::Duration>(option.defaultValue.held).unit;
      type = "N " + std::string(toString(unit)) + "s";
    }
    Flag *flag = add(option.name, type, help, valueText(option.defaultValue));
    flag->option->group("Options of " + description.source);
    flag->mayBeEmpty = option.type == desc::OptionType::String;
    if (option.type == desc::OptionType::Bool)
      flag->option->expected(0, 1)->type_name("[true|false]");
    optionFlags.push_back(flag);
  }
}

void FlagParser::addCommands() {
  train = app.add_subcommand("train", "train (the default)");
  eval = app.add_subcommand("eval", "evaluate weights on the iterators that "
                                    "training evaluates");
  info = app.add_subcommand("info", "layers, shapes, parameters, FLOPs, "
                                    "kernels, memory plan, target");
  plot = app.add_subcommand("plot", "plot a log in the terminal");
  plot->add_option("log", plotLog,
                   "log of a run, or its folder; with --out, or without any, "
                   "that of the run")
      ->type_name("LOG");
  plot->add_option("keys", plotKeys, "what to plot; otherwise every loss")
      ->type_name("KEY");
  plot->add_option("--file", plotFile, "write a PNG instead")->type_name("PNG");
  app.require_subcommand(0, 1);
}

Status FlagParser::checkOptionNames() {
  for (const desc::OptionSpec &option : description.options)
    for (const Flag &flag : flags)
      if (flag.name == "--" + option.name || option.name == "help" ||
          option.name == "version")
        return Status::error(Exit::Runtime,
                             "option `" + option.name + "` of " +
                                 description.source +
                                 " has the name of a flag that every trainer "
                                 "has; give it another name");
  return Status::success();
}

std::string FlagParser::origin(const Flag &flag) const {
  const char *variable = std::getenv(flag.variable.c_str());
  bool fromVariable =
      variable && flag.values.size() == 1 && flag.values.front() == variable;
  return fromVariable ? flag.variable : flag.name;
}

Status FlagParser::usageError(const CLI::ParseError &error) {
  std::vector<std::string> left = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError *>(&error) && !left.empty()) {
    std::string name = left.front();
    std::vector<std::string> known;
    if (name.starts_with("-")) {
      name = name.substr(0, name.find('='));
      known = {"--help", "--version"};
      for (const Flag &flag : flags)
        known.push_back(flag.name);
      if (plot->parsed())
        known.push_back("--file");
    } else {
      known = {"train", "eval", "info", "plot"};
    }
    std::string near = nearestName(name, known);
    return Status::error(
        Exit::Usage,
        "unknown " + std::string(name.starts_with("-") ? "flag" : "command") +
            " `" + name + "`" +
            (near.empty() ? "; see --help" : "; did you mean `" + near + "`?"));
  }
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return Status::error(Exit::Usage, text + "; see --help");
}

Status FlagParser::readCounts(RunConfig &config) {
  if (epochs->given()) {
    DPL_LET(config.epochs, parseReal(epochs->text(), origin(*epochs)));
    if (*config.epochs <= 0)
      return Status::error(Exit::Usage, origin(*epochs) + ": `" +
                                            epochs->text() +
                                            "` is not positive");
  }
  if (batch->given()) {
    DPL_LET(config.batch, parseInteger(batch->text(), origin(*batch), 1));
    int64_t most = description.findIterator(description.train.data)->batch;
    if (*config.batch > most)
      return Status::error(Exit::Usage,
                           concat(origin(*batch), ": ", *config.batch,
                                  " is more than ", most, ", the batch that ",
                                  description.source,
                                  " declares and is compiled for"));
  }
  if (maxIterations->given()) {
    DPL_LET(config.maxIterations,
            parseInteger(maxIterations->text(), origin(*maxIterations), 1));
  }
  if (workers->given()) {
    DPL_LET(config.workers,
            parseInteger(workers->text(), origin(*workers), 1, mostWorkers));
  }
  if (seed->given()) {
    DPL_LET(int64_t value, parseInteger(seed->text(), origin(*seed), 0));
    config.seed = static_cast<uint64_t>(value);
  }
  return Status::success();
}

Status FlagParser::readResume(RunConfig &config) {
  if (!resume->given())
    return Status::success();
  std::string text = resume->text();
  if (text == "never") {
    config.resume = ResumeMode::Never;
  } else if (text == "true" || text == "auto") {
    config.resume = ResumeMode::Auto;
  } else {
    config.resume = ResumeMode::From;
    config.resumeFrom = text;
  }
  return Status::success();
}

Status FlagParser::readUpdate(RunConfig &config) {
  if (!update->given())
    return Status::success();
  std::string text = update->text();
  if (text == "auto")
    config.update = UpdateMode::Auto;
  else if (text == "fused")
    config.update = UpdateMode::Fused;
  else if (text == "bucketed")
    config.update = UpdateMode::Bucketed;
  else
    return Status::error(
        Exit::Usage, origin(*update) + ": unknown update `" + text + "`" +
                         knownNames(text, std::vector<std::string>{
                                              "auto", "fused", "bucketed"}));
  return Status::success();
}

Status FlagParser::readDevice(RunConfig &config) {
  std::string place = devices->given()
                          ? origin(*devices)
                          : "the `devices` line of " + description.source;
  std::string text =
      devices->given() ? devices->text() : deviceDefault(description);
  std::vector<std::string_view> names = split(text, ',');
  for (std::string_view name : names)
    if (name.starts_with("cuda"))
      return Status::error(
          Exit::Device,
          concat(place, " asks for `", name,
                 "`, but this trainer holds CPU code; run it with "
                 "`--devices cpu`"));
  if (names.size() > 1)
    return Status::error(Exit::Device,
                         place + " asks for several devices, `" + text +
                             "`; this trainer runs on one, `--devices cpu:N` "
                             "with N threads");
  config.device = text;
  if (threads->given()) {
    DPL_LET(int64_t count, parseInteger(threads->text(), origin(*threads), 1));
    std::string named = "cpu:" + std::to_string(count);
    if (text != "cpu" && text != named)
      return Status::error(Exit::Usage,
                           origin(*threads) + ": " + std::to_string(count) +
                               " threads contradict the device `" + text + "`");
    config.device = named;
  }
  return Status::success();
}

Status FlagParser::readOptions(RunConfig &config) {
  for (size_t i = 0; i < optionFlags.size(); ++i) {
    Flag &flag = *optionFlags[i];
    if (!flag.given())
      continue;
    DPL_TRY(config.options.set(i, flag.text(), origin(flag)));
  }
  return Status::success();
}

void FlagParser::readCommand(RunConfig &config) {
  if (eval->parsed())
    config.command = Command::Eval;
  else if (info->parsed())
    config.command = Command::Info;
  else if (plot->parsed())
    config.command = Command::Plot;
  if (weights->given())
    config.weights = weights->text();
  config.plotLog = plotLog;
  config.plotKeys = plotKeys;
  // The folder is known by --out, so that all words are keys.
  if (out->given() && !plotLog.empty()) {
    config.plotKeys.insert(config.plotKeys.begin(), plotLog);
    config.plotLog.clear();
  }
  if (!plotFile.empty())
    config.plotFile = plotFile;
}

Status FlagParser::readRun(RunConfig &config) {
  readCommand(config);
  auto readSwitch = [&](const Flag &flag, bool &value) -> Status {
    if (!flag.given())
      return Status::success();
    DPL_LET(value, parseBool(flag.text(), origin(flag)));
    return Status::success();
  };
  DPL_TRY(readCounts(config));
  DPL_TRY(readResume(config));
  DPL_TRY(readUpdate(config));
  DPL_TRY(readSwitch(*deterministic, config.deterministic));
  DPL_TRY(readSwitch(*dryRun, config.dryRun));
  DPL_TRY(readSwitch(*printConfig, config.printConfig));
  DPL_TRY(readOptions(config));
  std::string declared = description.train.out;
  config.out =
      out->given() ? out->text() : (declared.empty() ? "result" : declared);
  config.data = data->values;
  if (const char *root = std::getenv("DPL_DATA"))
    config.dataRoot = root;
  // What only prints needs no device.
  if (config.command == Command::Train || config.command == Command::Eval ||
      devices->given())
    DPL_TRY(readDevice(config));
  return Status::success();
}

/// CLI11 would take the next argument for the value of `--flag=`.
static Status checkEqualSigns(std::span<const char *const> words) {
  for (std::string_view word : words)
    if (word.starts_with("--") && word.ends_with('='))
      return Status::error(Exit::Usage,
                           concat("`", word, "` has no value behind the `=`"));
  return Status::success();
}

Status FlagParser::checkEmpty() const {
  for (const Flag &flag : flags)
    if (flag.given() && !flag.mayBeEmpty && flag.text().empty())
      return Status::error(Exit::Usage,
                           concat("the value of ", flag.name,
                                  " is empty; give one or leave it out"));
  return Status::success();
}

Result<CommandLineResult> FlagParser::parse(int argc, const char *const *argv) {
  if (!optionNames.ok())
    return std::move(optionNames);
  DPL_TRY(checkEqualSigns(std::span(argv, static_cast<size_t>(argc))));
  CommandLineResult result{RunConfig(description), std::nullopt};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    result.text = app.help();
    return result;
  } catch (const CLI::CallForAllHelp &) {
    result.text = app.help("", CLI::AppFormatMode::All);
    return result;
  } catch (const CLI::CallForVersion &version) {
    result.text = std::string(version.what()) + "\n";
    return result;
  } catch (const CLI::ParseError &error) {
    return usageError(error);
  }
  DPL_TRY(checkEmpty());
  DPL_TRY(readRun(result.config));
  return result;
}

} // namespace

Result<CommandLineResult> parseCommandLine(int argc, const char *const *argv,
                                           const Description &description) {
  return FlagParser(description).parse(argc, argv);
}

} // namespace dpl::rt
