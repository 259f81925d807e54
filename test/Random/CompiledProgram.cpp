//===- CompiledProgram.cpp - A module as machine code, in this process ----===//

#include "test/Random/CompiledProgram.h"

#include "compiler/Dialect/Dpl/IR/Dpl.h"
#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Program/Description.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace mlir;
using namespace dpl;
using namespace dpl::test;
using dpl::reference::BatchValue;
using dpl::reference::Store;

CompiledProgram::CompiledProgram() = default;
CompiledProgram::~CompiledProgram() = default;

/// Leaves nothing of the step programs whose names end with `suffix` but their
/// entry in the description.
static void dropPrograms(ModuleOp module, StringRef suffix) {
  Builder b(module.getContext());
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    auto info = kernel->getAttrOfType<DictionaryAttr>(DplDialect::kKernelAttr);
    auto program = info ? info.getAs<StringAttr>("program") : StringAttr();
    if (program && program.getValue().ends_with(suffix))
      kernel.erase();
  }
  for (auto program : module.getOps<StepProgramOp>()) {
    if (!program.getSymName().ends_with((suffix + ".program").str()))
      continue;
    NamedAttrList entries(program.getEntries());
    entries.set("phases", b.getArrayAttr({}));
    program.setEntriesAttr(entries.getDictionary(module.getContext()));
  }
}

static LogicalResult emit(ModuleOp module, const PipelineOptions &options,
                          StringRef without, SmallVectorImpl<char> &object) {
  std::string description, hash = hashProgram(module);
  std::vector<std::string> names;
  for (const PhaseInfo &info : allPhases()) {
    if (info.phase > Phase::Import &&
        failed(runPhase(info.phase, module, options)))
      return module.emitError("the phase ") << info.name << " failed";
    if (info.phase == Phase::Kernels && !without.empty())
      dropPrograms(module, without);
    if (info.phase != Phase::Memory)
      continue;
    description = describeProgram(
        module, {"random.dpl", "dplc", options.target.cpu,
                 options.target.triple, options.target.needs, hash});
    for (func::FuncOp kernel : kernelsOf(module))
      names.push_back(kernel.getName().str());
  }
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (op.getName().getDialectNamespace() == "dpl")
      op.erase();
  SmallVector<StringRef> kernels(names.begin(), names.end());
  if (failed(cpu::addProgramTable(module, kernels, description)))
    return failure();
  return cpu::emitObject(module, options.target, cpu::OptLevel::O1, object);
}

std::unique_ptr<CompiledProgram>
CompiledProgram::compile(ModuleOp module, const PipelineOptions &options,
                         StringRef without, std::string &error) {
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          error += diagnostic.str() + "\n";
        return success();
      });
  SmallVector<char, 0> object;
  if (failed(emit(module, options, without, object))) {
    error += "the module does not compile\n";
    return nullptr;
  }
  std::unique_ptr<CompiledProgram> result(new CompiledProgram);
  auto loaded = [&](llvm::Error failure) {
    if (failure)
      error += llvm::toString(std::move(failure));
    return error.empty();
  };
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!loaded(jit.takeError()))
    return nullptr;
  result->jit = std::move(*jit);
  if (!loaded(result->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(object.data(), object.size()), "kernels"))))
    return nullptr;
  auto address = result->jit->lookup("dpl_main_program");
  if (!loaded(address.takeError()))
    return nullptr;
  result->program = address->toPtr<const dpl_program *>();
  auto description = rt::readProgram(*result->program);
  if (!description.ok()) {
    error = description.status().text();
    return nullptr;
  }
  result->about = description.take();
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Writes samples as numbers of type T, and copies of the last behind them up
/// to `places`.
template <typename T>
static void writeSamples(const BatchValue &value, int64_t places, T *to) {
  for (int64_t s = 0; s < places; ++s)
    for (double v :
         value.at(std::min<int64_t>(s, value.tensors.size() - 1)).data)
      *to++ = (T)v;
}

static rt::Result<std::vector<rt::AlignedMemory>>
makeFields(const rt::desc::DatasetSpec &dataset, const Batch &batch,
           int64_t tile) {
  std::vector<rt::AlignedMemory> fields;
  int64_t places = rt::roundUp(batch.samples, tile);
  for (const rt::desc::FieldSpec &field : dataset.fields) {
    size_t bytes = places * rt::elementCount(field.shape) *
                   (int64_t)rt::dtypeSize(field.dtype);
    DPL_LET(rt::AlignedMemory memory, rt::AlignedMemory::allocate(bytes));
    const BatchValue &value = batch.fields.find(field.name)->second;
    if (field.dtype == rt::DType::F32)
      writeSamples(value, places, memory.as<float>());
    else if (field.dtype == rt::DType::I32)
      writeSamples(value, places, memory.as<int32_t>());
    else
      return rt::Status::error(rt::Exit::Runtime,
                               "the test has no fields of this type");
    fields.push_back(std::move(memory));
  }
  return fields;
}

static void toTensors(const Store &store, rt::TensorSet &set) {
  for (size_t i = 0; i < set.size(); ++i) {
    const std::vector<double> &from =
        store.tensors.find(set[i].name)->second.data;
    std::copy(from.begin(), from.end(), set[i].data.begin());
  }
}

static void fromTensors(const rt::TensorSet &set, Store &store) {
  for (const rt::Tensor &tensor : set)
    store.tensors[tensor.name].data.assign(tensor.data.begin(),
                                           tensor.data.end());
}

static double numberOf(const rt::desc::Value &value) {
  if (const auto *whole = std::get_if<int64_t>(&value.held))
    return (double)*whole;
  const auto *real = std::get_if<double>(&value.held);
  return real ? *real : 0;
}

static rt::Status runSteps(const dpl_program &program,
                           const rt::Description &about, StringRef name,
                           ArrayRef<Batch> batches, const RunMode &mode,
                           Store &store) {
  const rt::desc::ProgramSpec *spec = about.findProgram(name.str());
  if (!spec)
    return rt::Status::error(rt::Exit::Runtime,
                             "there is no program " + name.str());
  DPL_LET(std::unique_ptr<rt::Device> device,
          rt::openDevice("cpu:" + std::to_string(mode.threads)));
  std::string names[] = {name.str()};
  DPL_LET(std::unique_ptr<rt::Executor> executor,
          rt::Executor::create(program, about, names, *device,
                               {mode.deterministic}));
  toTensors(store, executor->parameters());
  toTensors(store, executor->states());
  std::vector<double> options;
  for (const rt::desc::OptionSpec &option : about.options)
    options.push_back(numberOf(option.defaultValue));
  executor->computeSettings(options, {});
  const rt::desc::DatasetSpec *dataset =
      about.findDataset(about.findIterator(spec->iterator)->dataset);
  for (const Batch &batch : batches) {
    DPL_LET(std::vector<rt::AlignedMemory> fields,
            makeFields(*dataset, batch, spec->tile));
    std::vector<std::byte *> pointers;
    for (const rt::AlignedMemory &field : fields)
      pointers.push_back(field.data());
    auto reports = executor->run(
        0, {pointers, batch.samples, batch.samples, batch.counters.samples,
            batch.counters.seed, (int64_t)batch.counters.epoch});
    for (size_t i = 0; i < reports.size(); ++i)
      store.reports.push_back(
          {spec->reports[i].name, reports[i].sum, reports[i].count});
  }
  fromTensors(executor->parameters(), store);
  fromTensors(executor->states(), store);
  return rt::Status::success();
}

std::string CompiledProgram::run(StringRef name, ArrayRef<Batch> batches,
                                 const RunMode &mode, Store &store) const {
  rt::Status status = runSteps(*program, about, name, batches, mode, store);
  return status.ok() ? "" : status.text();
}
