//===- PreludeTest.cpp - the prelude's files ------------------------------===//

#include "compiler/Prelude/Prelude.h"
#include "compiler/Import/Primitives.h"
#include "test/Import/Imported.h"

#include "llvm/ADT/StringSet.h"
#include <gmock/gmock.h>

using namespace dpl;
using namespace dpl::test;
using testing::HasSubstr;

/// What a doc comment has between fences: its example.
static std::string exampleOf(llvm::StringRef doc) {
  return doc.split("```dpl\n").second.split("```").first.str();
}

static bool needsExample(const FunctionDecl &f) {
  auto *result = llvm::dyn_cast_if_present<NamedType>(f.result);
  bool isIterator = result && result->name.text == "iterator";
  return !isIterator && (!f.isExtern || f.functionKind == FunctionKind::Reader);
}

TEST(Prelude, EveryLayerLossOptimizerAndReaderHasAnExampleThatCompiles) {
  Imported empty("");
  unsigned examples = 0;
  for (const Decl *decl : empty.program->decls()) {
    auto *function = llvm::dyn_cast<FunctionDecl>(decl);
    if (!function || !needsExample(*function))
      continue;
    std::string example = exampleOf(function->doc);
    EXPECT_NE(example, "") << function->name.text.str();
    EXPECT_EQ(Imported(example).rendered(), "") << example;
    EXPECT_THAT(example, HasSubstr(function->name.text.str()));
    ++examples;
  }
  EXPECT_GE(examples, 12u);
}

TEST(Prelude, EveryDeclarationHasADoc) {
  Imported empty("");
  for (const Decl *decl : empty.program->decls())
    EXPECT_FALSE(decl->doc.empty()) << nameOf(*decl).text.str();
}

/// What is declared is implemented, and the other way round.
TEST(Prelude, DeclarationsAndPrimitivesAgree) {
  Imported empty("");
  llvm::StringSet<> declared;
  for (const Decl *decl : empty.program->decls()) {
    auto *f = llvm::dyn_cast<FunctionDecl>(decl);
    auto *result =
        f ? llvm::dyn_cast_if_present<NamedType>(f->result) : nullptr;
    bool isAction = result && result->name.text == "action";
    if (!f || !f->isExtern || f->functionKind != FunctionKind::Fn ||
        f->twoLists || isAction)
      continue;
    declared.insert(f->name.text);
    EXPECT_TRUE(importer::findPrimitive(f->name.text)) << f->name.text.str();
  }
  for (auto table : {importer::mathPrimitives(), importer::shapePrimitives(),
                     importer::indexPrimitives(), importer::windowPrimitives(),
                     importer::randomPrimitives()})
    for (const importer::Primitive &primitive : table)
      EXPECT_TRUE(declared.contains(primitive.name)) << primitive.name.str();
}

TEST(Prelude, FilesAreSortedAndNamed) {
  llvm::StringRef last;
  for (const PreludeFile &file : prelude()) {
    EXPECT_TRUE(isPreludeName(file.name));
    EXPECT_LT(last, file.name);
    last = file.name;
  }
  EXPECT_FALSE(isPreludeName("linear.dpl"));
}

TEST(Prelude, InitializersAreTables) {
  auto init = [](const std::string &text) {
    Imported program("model M(x: f32[4]) -> f32[2] {\n param w: f32[2, 4] = " +
                     text + "\n einsum(x[n] * w[o, n] -> [o])\n}\n");
    std::string ir = program.ir();
    size_t at = ir.find("init ");
    return at == std::string::npos ? program.codes()
                                   : ir.substr(at, ir.find('}', at) - at + 1);
  };
  EXPECT_EQ(init("he_uniform"),
            "init {fan_in = 4 : i64, kind = \"he_uniform\"}");
  EXPECT_THAT(init("he_normal"), HasSubstr("std = 0.7071"));
  EXPECT_EQ(init("uniform(-1.0, high: 1.0)"),
            "init {high = 1.000000e+00 : f64, kind = \"uniform\", low = "
            "-1.000000e+00 : f64}");
  EXPECT_THAT(init("lecun_normal"), HasSubstr("std = 5.000000e-01"));
  EXPECT_THAT(init("lecun_uniform"), HasSubstr("high = 0.866025"));
  // Fan-in 4, fan-out 2: variance 1/3, bound 1.
  EXPECT_THAT(init("xavier_normal"), HasSubstr("std = 0.57735"));
  EXPECT_EQ(init("xavier_uniform"), init("uniform(-1.0, high: 1.0)"));
  EXPECT_THAT(init("xavier_uniform(2.0)"), HasSubstr("low = -2.000000e+00"));
  EXPECT_EQ(init("truncated_normal(std: 0.5)"),
            "init {high = 2.000000e+00 : f64, kind = \"truncated_normal\", low "
            "= -2.000000e+00 : f64, mean = 0.000000e+00 : f64, std = "
            "5.000000e-01 : f64}");
  EXPECT_EQ(init("ones"), "init {kind = \"ones\"}");
  EXPECT_EQ(init("constant(0.5)"),
            "init {kind = \"constant\", value = 5.000000e-01 : f64}");
}

TEST(Prelude, FanInNeedsTwoAxes) {
  EXPECT_EQ(codesOf("model M(x: f32[4]) -> f32[4] {\n param w: f32[4] = "
                    "he_uniform\n x * w\n}\n"),
            "2:2 init_fan\n");
}

TEST(Prelude, IgnoredLabelsDoNotCount) {
  Imported program(R"(
dataset set: (x: f32[3], y: class(5)?) = mnist("data", split: train)
iterator batches = serial(set, batch: 4, repeat: true)
model M(x: f32[3]) -> f32[5] = x |> linear(5)
train M {
  data batches
  loss softmax_cross_entropy
  metrics accuracy
  optimizer sgd(lr: 0.1)
  stop 1 epoch
}
)");
  ASSERT_EQ(program.rendered(), "");
  EXPECT_THAT(program.function("softmax_cross_entropy"),
              HasSubstr("dpl.compare lt"));
  EXPECT_THAT(program.ir(),
              HasSubstr("{classes = 5 : i64, dtype = \"i32\", name = \"y\", "
                        "optional = true, shape = []}"));
}
