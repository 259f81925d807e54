//===- Context.cpp - what all parts of Import share -----------------------===//

#include "compiler/Import/Context.h"

#include "compiler/Prelude/Prelude.h"

using namespace dpl;
using namespace dpl::importer;
using llvm::StringRef;

Context::Context(mlir::MLIRContext *mlir, const SourceManager &sources,
                 const Program &program, const ImportOptions &options,
                 DiagnosticEngine &diags)
    : sources(sources), program(program), options(options), diags(diags),
      module(mlir::ModuleOp::create(mlir::UnknownLoc::get(mlir))),
      builder(mlir) {}

mlir::Location Context::loc(Range range) {
  const SourceBuffer *buffer = sources.buffer(range.begin);
  if (!buffer)
    return builder.getUnknownLoc();
  LineColumn at = buffer->lineColumn(range.begin);
  mlir::Location place =
      mlir::FileLineColLoc::get(mlir(), buffer->name(), at.line, at.column);
  if (frames.empty() || frame().path.empty())
    return place;
  return mlir::NameLoc::get(builder.getStringAttr(frame().path), place);
}

bool Context::isPrelude(Range range) const {
  const SourceBuffer *buffer = sources.buffer(range.begin);
  return buffer && isPreludeName(buffer->name());
}

Context::Placed::Placed(Context &context, Range range) : range(range) {
  size_t depth = context.frames.size();
  while (depth && context.isPrelude(this->range))
    if (const Frame *f = context.frames[--depth]; f->call.isValid()) {
      prelude = f;
      this->range = f->call;
    }
  for (const Frame *f : llvm::ArrayRef(context.frames).take_front(depth))
    if (f->function && f->call.isValid() &&
        f->function->functionKind != FunctionKind::Model)
      contexts.emplace_back(context.diags, diag::in_layer, f->call,
                            f->function->name.text, f->inputs);
}

void Context::Placed::describe(DiagnosticEngine::Builder &builder) const {
  if (!prelude)
    return;
  builder.label(diag::in_layer_here, Range(), prelude->function->name.text,
                prelude->inputs);
  if (prelude->inputDecl.isValid())
    builder.note(diag::declared_here, prelude->inputDecl, prelude->inputName);
}

/// More is a mistake, or an attack, that would eat the machine's memory.
static constexpr int64_t kLongestList = 1'000'000;
static constexpr int64_t kMostSteps = 3'000'000;

llvm::LogicalResult Context::checkLength(int64_t length, Range range) {
  if (length <= kLongestList)
    return llvm::success();
  return report(diag::list_length, range, length, kLongestList);
}

llvm::LogicalResult Context::countSteps(int64_t count, Range range) {
  steps += count;
  if (steps <= kMostSteps)
    return llvm::success();
  return report(diag::too_many_steps, range, kMostSteps);
}

void Context::reportShape(StringRef code, const llvm::Twine &message,
                          Range range) {
  using Id = diag::Message<Severity::Error, diag::Text>;
  static constexpr std::pair<llvm::StringLiteral, Id> codes[] = {
#define CODE(name) {llvm::StringLiteral(#name), diag::name}
      CODE(window_rank),
      CODE(tensor_size),
      CODE(window_positive),
      CODE(window_size),
      CODE(conv2d_window),
      CODE(pool_window),
      CODE(conv_filter_rank),
      CODE(conv_channels),
      CODE(conv_groups),
      CODE(einsum_rank),
      {llvm::StringLiteral("einsum_label"), diag::einsum_labels},
      CODE(einsum_size),
      CODE(axis_range),
      CODE(reshape_count),
      CODE(broadcast_axes),
      CODE(broadcast_size),
      CODE(broadcast_shapes),
      CODE(transpose_axes),
      CODE(slice_rank),
      CODE(slice_range),
      CODE(pad_rank),
      CODE(pad_size),
      CODE(take_shape),
#undef CODE
  };
  for (const auto &[name, id] : codes)
    if (name == code) {
      report(id, range, message);
      return;
    }
  llvm_unreachable("a shape rule's code without a message");
}

bool Context::reserveSymbol(StringRef name) {
  return symbols.try_emplace(name, 0).second;
}

std::string Context::uniqueSymbol(StringRef base) {
  std::string name = base.str();
  while (!reserveSymbol(name))
    name = (base + "_" + llvm::Twine(++symbols[base])).str();
  return name;
}

void Context::eraseUnused(mlir::func::FuncOp function) {
  for (mlir::Operation &op : llvm::make_early_inc_range(
           llvm::reverse(function.getBody().front().getOperations())))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
}

mlir::OpBuilder Context::declarations() {
  for (mlir::Operation &op : *module->getBody())
    if (mlir::isa<mlir::func::FuncOp>(op))
      return mlir::OpBuilder(&op);
  return mlir::OpBuilder::atBlockEnd(module->getBody());
}
