//===- Value.cpp - what an expression evaluates to ------------------------===//

#include "compiler/Import/Value.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace dpl;
using namespace dpl::importer;
using llvm::ArrayRef;
using llvm::StringRef;

const Value *Record::find(StringRef name) const {
  for (auto [n, v] : llvm::zip(names, values))
    if (n == name)
      return &v;
  return nullptr;
}

std::optional<double> Value::asNumber() const {
  if (auto *i = as<int64_t>())
    return static_cast<double>(*i);
  if (auto *d = as<double>())
    return *d;
  return std::nullopt;
}

std::string importer::floatText(double value) {
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  llvm::SmallString<32> text;
  llvm::APFloat(value).toString(text, /*FormatPrecision=*/0,
                                /*FormatMaxPadding=*/6,
                                /*TruncateZero=*/true);
  if (text.find_first_of(".eEn") == StringRef::npos)
    text += ".0";
  return text.str().str();
}

std::string importer::durationText(const Duration &d) {
  std::string count = d.count == std::floor(d.count)
                          ? std::to_string(static_cast<int64_t>(d.count))
                          : floatText(d.count);
  return count + " " + unitName(d.unit).str() + (d.count == 1 ? "" : "s");
}

std::string Value::text() const {
  if (auto *i = as<int64_t>())
    return std::to_string(*i);
  if (auto *d = as<double>())
    return floatText(*d);
  if (auto *b = as<bool>())
    return *b ? "true" : "false";
  if (auto *s = as<std::string>())
    return "\"" + *s + "\"";
  if (auto *d = as<Duration>())
    return durationText(*d);
  if (auto *m = as<Member>())
    return "`" + m->name + "`";
  if (HostScalarPtr s = asScalar()) {
    const HostScalar *option = s->firstOption();
    return option ? "option `" + option->option->name.text.str() + "`"
                  : floatText(s->literal);
  }
  if (const List *l = asList()) {
    std::string result = "[";
    llvm::interleave(
        *l, [&](const Value &v) { result += v.text(); },
        [&] { result += ", "; });
    return result + "]";
  }
  if (const Record *r = asRecord())
    return "a record of " + llvm::join(r->names, ", ");
  if (CallablePtr c = asCallable())
    return keyword(c->function->functionKind).str() + " `" +
           c->function->name.text.str() + "`";
  if (auto *t = as<Tensor>())
    return t->type.text();
  if (asRatio())
    return "a ratio";
  return "nothing";
}

std::string Value::key() const {
  if (auto *d = as<double>())
    return llvm::formatv("{0:x}", llvm::bit_cast<uint64_t>(*d)).str() + "f";
  if (HostScalarPtr s = asScalar())
    return "<" + s->key() + ">";
  if (const List *l = asList()) {
    std::string result = "[";
    for (const Value &v : *l)
      result += v.key() + ",";
    return result + "]";
  }
  if (const Record *r = asRecord()) {
    std::string result = "(";
    for (auto [n, v] : llvm::zip(r->names, r->values))
      result += n + ":" + v.key() + ",";
    return result + ")";
  }
  if (CallablePtr c = asCallable()) {
    // A layer is itself; functions with equal settings are the same.
    std::string result =
        llvm::formatv("{0}", static_cast<const void *>(c->function)).str();
    if (c->isLayer())
      return result + "@" +
             (c->hasPath
                  ? c->path
                  : llvm::formatv("{0}", static_cast<const void *>(c.get()))
                        .str());
    for (const Value &v : c->settings)
      result += "," + v.key();
    return result;
  }
  if (auto *t = as<Tensor>())
    return t->type.text() + (t->type.perSample ? "*" : "");
  if (const Ratio *r = asRatio())
    return "ratio" + r->sum.type.text() + r->count.type.text();
  return text();
}

void importer::forEachTensor(const Value &value,
                             llvm::function_ref<void(const Tensor &)> visit) {
  if (auto *t = value.as<Tensor>())
    visit(*t);
  if (const List *l = value.asList())
    for (const Value &v : *l)
      forEachTensor(v, visit);
  if (const Record *r = value.asRecord())
    for (const Value &v : r->values)
      forEachTensor(v, visit);
  if (const Ratio *r = value.asRatio()) {
    visit(r->sum);
    visit(r->count);
  }
}

Value importer::mapTensors(const Value &value,
                           llvm::function_ref<Tensor(const Tensor &)> map) {
  if (auto *t = value.as<Tensor>())
    return map(*t);
  if (const List *l = value.asList()) {
    List result;
    for (const Value &v : *l)
      result.push_back(mapTensors(v, map));
    return Value::list(std::move(result));
  }
  if (const Record *r = value.asRecord()) {
    Record result{r->names, {}};
    for (const Value &v : r->values)
      result.values.push_back(mapTensors(v, map));
    return Value::record(std::move(result));
  }
  if (const Ratio *r = value.asRatio()) {
    Tensor sum = map(r->sum);
    return Value::ratio(std::move(sum), map(r->count));
  }
  return value;
}

static void
visitCallables(const Value &value, llvm::SmallVector<int64_t> &indices,
               llvm::function_ref<void(Callable &, ArrayRef<int64_t>)> visit) {
  if (CallablePtr c = value.asCallable())
    visit(*c, indices);
  if (const List *l = value.asList())
    for (auto [i, v] : llvm::enumerate(*l)) {
      indices.push_back(i);
      visitCallables(v, indices, visit);
      indices.pop_back();
    }
}

void importer::forEachCallable(
    const Value &value,
    llvm::function_ref<void(Callable &, ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t> indices;
  visitCallables(value, indices, visit);
}
