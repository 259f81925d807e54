//===- Options.cpp - The command line of dplc -----------------------------===//

#include "compiler/Driver/Options.h"
#include "compiler/Support/Nearest.h"

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm::opt;
using namespace dpl;
using llvm::StringRef;

namespace {
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "compiler/Driver/Options.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "compiler/Driver/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE
#define OPTTABLE_PREFIXES_TABLE_CODE
#include "compiler/Driver/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info infos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "compiler/Driver/Options.inc"
#undef OPTION
};

class DplcOptTable : public GenericOptTable {
public:
  DplcOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, infos) {}
};

/// Fills in the options; false after an error.
class Reader {
public:
  explicit Reader(const InputArgList &args) : args(args) {}

  bool read(DriverOptions &options);

private:
  bool fail(const llvm::Twine &message) {
    llvm::errs() << "dplc: error: " << message << "\n";
    return false;
  }
  bool readInputs(DriverOptions &options);
  bool readConstants(DriverOptions &options);
  bool readPhase(DriverOptions &options);
  bool readPage(DriverOptions &options);
  template <typename T> bool readNumber(ID id, std::optional<T> &to) {
    const Arg *arg = args.getLastArg(id);
    if (!arg)
      return true;
    T n;
    if (StringRef(arg->getValue()).getAsInteger(10, n) || n < 1)
      return fail(
          llvm::formatv("`{0}` needs a whole number of at least 1, not `{1}`",
                        arg->getSpelling(), arg->getValue()));
    to = n;
    return true;
  }

  const InputArgList &args;
};
} // namespace

bool Reader::readInputs(DriverOptions &options) {
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (!inputs.empty() && inputs.front() == "gradcheck") {
    options.command = Command::Gradcheck;
    inputs.erase(inputs.begin());
  }
  if (inputs.empty())
    return fail("no input file; usage: dplc FILE.dpl -o TRAINER");
  if (inputs.size() > 1)
    return fail(
        llvm::formatv("two input files, `{0}` and `{1}`; dplc compiles one",
                      inputs[0], inputs[1]));
  options.input = inputs.front();
  return true;
}

bool Reader::readConstants(DriverOptions &options) {
  for (const std::string &text : args.getAllArgValues(OPT_D)) {
    auto [name, value] = StringRef(text).split('=');
    if (name.empty() || !StringRef(text).contains('='))
      return fail(llvm::formatv("`-D {0}`: expected NAME=VALUE", text));
    options.constants[name] = value.str();
  }
  return true;
}

bool Reader::readPhase(DriverOptions &options) {
  const Arg *arg = args.getLastArg(OPT_stop_after_EQ);
  if (!arg)
    return true;
  options.stopAfter = phaseNamed(arg->getValue());
  if (options.stopAfter)
    return true;
  std::string names;
  for (const PhaseInfo &info : allPhases())
    names += (names.empty() ? "" : ", ") + info.name.str();
  return fail(
      llvm::formatv("no phase `{0}`; phases: {1}", arg->getValue(), names));
}

bool Reader::readPage(DriverOptions &options) {
  if (const Arg *arg = args.getLastArg(OPT_explain)) {
    StringRef code = arg->getValue();
    options.command = Command::Explain;
    options.page = findPage(code);
    if (options.page)
      return true;
    std::vector<StringRef> codes;
    for (const Page &page : pages())
      codes.push_back(page.code);
    StringRef near = nearest(code, codes);
    return fail(near.empty()
                    ? llvm::formatv("no message has the code `{0}`; "
                                    "codes stand in [] behind messages",
                                    code)
                          .str()
                    : llvm::formatv("no message has the code `{0}`; "
                                    "did you mean `{1}`?",
                                    code, near)
                          .str());
  }
  StringRef name = args.getLastArgValue(OPT_docs_EQ);
  options.command = Command::Docs;
  options.docs = name == "layers" ? DocsPage::Layers : DocsPage::Diagnostics;
  return name == "layers" || name == "diagnostics" ||
         fail(llvm::formatv("`--docs={0}`: expected layers or diagnostics",
                            name));
}

bool Reader::read(DriverOptions &options) {
  if (args.hasArg(OPT_help)) {
    options.command = Command::Help;
    return true;
  }
  if (args.hasArg(OPT_version)) {
    options.command = Command::Version;
    return true;
  }
  if (args.hasArg(OPT_explain, OPT_docs_EQ))
    return readPage(options);
  if (!readInputs(options) || !readConstants(options) || !readPhase(options) ||
      !readNumber(OPT_seed_EQ, options.seed) ||
      !readNumber(OPT_samples_EQ, options.samples) ||
      !readNumber(OPT_elements_EQ, options.elements))
    return false;
  StringRef form = args.getLastArgValue(OPT_diagnostics_EQ, "text");
  if (form != "text" && form != "json")
    return fail(
        llvm::formatv("`--diagnostics={0}`: expected text or json", form));
  options.jsonDiagnostics = form == "json";
  options.timing = args.hasArg(OPT_timing);
  options.march = args.getLastArgValue(OPT_march_EQ, "native").str();
  options.output = args.getLastArgValue(OPT_o).str();
  bool gradcheck = options.command == Command::Gradcheck;
  if (gradcheck &&
      (args.hasArg(OPT_o) || options.stopAfter || args.hasArg(OPT_march_EQ)))
    return fail("gradcheck makes no trainer: it takes neither -o, --march nor "
                "--stop-after");
  if (!gradcheck && (options.seed || options.samples || options.elements))
    return fail("--seed, --samples and --elements belong to gradcheck");
  if (!gradcheck && !options.stopAfter && options.output.empty())
    return fail("no output; give one with -o TRAINER");
  return true;
}

std::optional<DriverOptions>
dpl::parseOptions(llvm::ArrayRef<const char *> arguments) {
  DplcOptTable table;
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(arguments, missingIndex, missingCount);
  if (missingCount) {
    llvm::errs() << "dplc: error: `" << args.getArgString(missingIndex)
                 << "` needs a value\n";
    return std::nullopt;
  }
  for (const Arg *arg : args.filtered(OPT_UNKNOWN)) {
    std::string text = arg->getAsString(args), nearest;
    llvm::errs() << "dplc: error: unknown option `" << text << "`";
    if (table.findNearest(text, nearest) <= 2)
      llvm::errs() << "; did you mean `" << nearest << "`?";
    llvm::errs() << "\n";
    return std::nullopt;
  }
  DriverOptions options;
  if (!Reader(args).read(options))
    return std::nullopt;
  return options;
}

void dpl::printHelp(llvm::raw_ostream &os) {
  DplcOptTable().printHelp(os, "dplc [gradcheck] FILE.dpl [options]",
                           "compiles a learning program to a trainer");
  os << "\nPHASES:\n";
  for (const PhaseInfo &info : allPhases())
    os << llvm::formatv("  {0,-10} {1}\n", info.name, info.sentence);
}
