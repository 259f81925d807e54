//===- AttributeToJson.cpp - Attributes as JSON ---------------------------===//

#include "compiler/Target/Program/AttributeToJson.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace json = llvm::json;

json::Value dpl::attributeToJson(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, json::Value>(attribute)
      .Case<DictionaryAttr>([](DictionaryAttr dictionary) {
        json::Object object;
        for (NamedAttribute entry : dictionary)
          object[entry.getName().strref()] = attributeToJson(entry.getValue());
        return json::Value(std::move(object));
      })
      .Case<ArrayAttr>([](ArrayAttr elements) {
        json::Array array;
        for (Attribute element : elements)
          array.push_back(attributeToJson(element));
        return json::Value(std::move(array));
      })
      .Case<DenseI64ArrayAttr>([](DenseI64ArrayAttr numbers) {
        return json::Value(json::Array(numbers.asArrayRef()));
      })
      .Case<FlatSymbolRefAttr>([](FlatSymbolRefAttr symbol) {
        return json::Value(symbol.getValue());
      })
      .Case<StringAttr>(
          [](StringAttr text) { return json::Value(text.getValue()); })
      .Case<BoolAttr>(
          [](BoolAttr flag) { return json::Value(flag.getValue()); })
      .Case<IntegerAttr>(
          [](IntegerAttr number) { return json::Value(number.getInt()); })
      .Case<FloatAttr>([](FloatAttr number) {
        return json::Value(number.getValueAsDouble());
      })
      .Default([](Attribute) { return json::Value(nullptr); });
}
