//===- ProgramsTest.cpp - whole programs and what Sema says of them -------===//

#include "test/Sema/Analyzed.h"

#include "llvm/Support/Casting.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;
using llvm::cast;
using llvm::StringRef;

namespace {

TEST(Programs, TheFirstSeed) {
  auto file = llvm::MemoryBuffer::getFile(DPL_PROGRAMS "/a1_cnn.dpl");
  ASSERT_TRUE(static_cast<bool>(file));
  Analyzed a((*file)->getBuffer());
  ASSERT_EQ(a.rendered(), "");

  const Program &p = *a.program;
  ASSERT_EQ(p.datasets().size(), 2u);
  EXPECT_EQ(p.datasets()[0]->name, "train_set");
  ASSERT_EQ(p.datasets()[0]->stages.size(), 2u);
  EXPECT_EQ(p.datasets()[0]->stages[0].function()->name.text, "mnist");
  EXPECT_EQ(p.datasets()[0]->stages[1].function()->name.text, "to_float");
  ASSERT_EQ(p.iterators().size(), 2u);
  EXPECT_EQ(p.iterators()[1]->dataset, p.datasets()[1]);

  ASSERT_EQ(p.trainings().size(), 1u);
  const Training &t = *p.trainings()[0];
  EXPECT_EQ(t.models[0]->name.text, "CNN");
  EXPECT_EQ(t.data, p.iterators()[0]);
  ASSERT_EQ(t.losses.size(), 1u);
  EXPECT_TRUE(t.losses[0].isFunction);
  EXPECT_EQ(t.losses[0].name, "");
  ASSERT_EQ(t.metrics.size(), 1u);
  EXPECT_EQ(t.metrics[0].name, "accuracy");
  EXPECT_EQ(t.optimizer.call->kind, Call::Kind::Make);
  EXPECT_EQ(t.devices.size(), 3u);
  EXPECT_EQ(t.out->value, "result");
  ASSERT_EQ(t.every.size(), 2u);
  ASSERT_EQ(t.every[0].actions.size(), 6u);
  EXPECT_EQ(t.every[0].actions[3].call->data[0].variadic.size(), 6u);
  ASSERT_EQ(t.evaluations.size(), 1u);
  EXPECT_EQ(t.evaluations[0].name, "val");
  EXPECT_EQ(t.evaluations[0].iterator, p.iterators()[1]);
  EXPECT_EQ(p.settings().size(), 1u);
}

/// The expression of `let r = ..` in the model of a program.
struct Let : Analyzed {
  explicit Let(StringRef expr, StringRef before = "")
      : Analyzed(inModel(
            ("\n  " + before + "\n  let r = " + expr + "\n  r").str())) {
    EXPECT_EQ(rendered(), "");
  }
  const Expr *expr() const {
    auto *model = cast<FunctionDecl>(decl("M"));
    return cast<LetStmt>(model->body->statements.drop_back().back())->value;
  }
  const Call *call() const { return program->call(expr()); }
  StringRef text(const Expr *e) const {
    return e ? sources.text(e->range) : "default";
  }
};

TEST(Calls, OfOneListRun) {
  Let let("relu(x)");
  EXPECT_EQ(let.call()->kind, Call::Kind::Run);
  EXPECT_EQ(let.call()->function->name.text, "relu");
  EXPECT_EQ(let.text(let.call()->data[0].value), "x");
}

TEST(Calls, OfSettingsMake) {
  Let let("conv2d(16, pad: 1, kernel: 3)");
  EXPECT_EQ(let.call()->kind, Call::Kind::Make);
  ASSERT_EQ(let.call()->settings.size(), 4u);
  EXPECT_EQ(let.text(let.call()->settings[0].value), "16");
  EXPECT_EQ(let.text(let.call()->settings[1].value), "3");
  EXPECT_EQ(let.text(let.call()->settings[2].value), "default");
  EXPECT_EQ(let.text(let.call()->settings[3].value), "1");
}

TEST(Calls, OfBothListsRun) {
  Let let("linear(10)(x)");
  EXPECT_EQ(let.call()->kind, Call::Kind::Run);
  EXPECT_EQ(let.text(let.call()->settings[0].value), "10");
  EXPECT_EQ(let.text(let.call()->data[0].value), "x");
}

// `x |> f(a)` is f(a)(x) with two lists, f(x, a) with one.
TEST(Pipes, FollowTheDeclaration) {
  Let two("x |> linear(10)");
  EXPECT_EQ(two.text(two.call()->settings[0].value), "10");
  EXPECT_EQ(two.text(two.call()->data[0].value), "x");
  Let one("x |> reshape([3])");
  EXPECT_EQ(one.call()->settings.size(), 0u);
  EXPECT_EQ(one.text(one.call()->data[0].value), "x");
  EXPECT_EQ(one.text(one.call()->data[1].value), "[3]");
}

TEST(Pipes, MayGiveBothLists) {
  Let let("x |> softmax_cross_entropy(smoothing: 0.1)(x)");
  EXPECT_EQ(let.call()->kind, Call::Kind::Run);
  EXPECT_EQ(let.text(let.call()->settings[0].value), "0.1");
  EXPECT_EQ(let.call()->data.size(), 2u);
}

TEST(Settings, AreDroppedBeforeTensors) {
  Let piped("x |> batch_norm");
  EXPECT_EQ(piped.call()->kind, Call::Kind::Run);
  EXPECT_EQ(piped.text(piped.call()->settings[0].value), "default");
  Let data("accuracy(x * 2, x)");
  EXPECT_EQ(data.call()->kind, Call::Kind::Run);
  Let settings("accuracy(1 + 1)");
  EXPECT_EQ(settings.call()->kind, Call::Kind::Make);
}

TEST(Makers, MakeWhereTheyAreMentioned) {
  Let let("x |> [batch_norm, relu]");
  auto *list = cast<ListExpr>(cast<PipeExpr>(let.expr())->stage);
  EXPECT_EQ(let.call()->kind, Call::Kind::Apply);
  EXPECT_EQ(let.call()->callee, list);
  EXPECT_EQ(let.program->call(list->elements[0])->kind, Call::Kind::Make);
  EXPECT_EQ(let.program->call(list->elements[1]), nullptr);
}

TEST(Values, AreApplied) {
  Let let("x |> f", "let f = linear(10)");
  EXPECT_EQ(let.call()->kind, Call::Kind::Apply);
  EXPECT_EQ(let.call()->function->name.text, "linear");
  Let direct("f(x)", "let f = linear(10)");
  EXPECT_EQ(direct.call()->kind, Call::Kind::Apply);
  EXPECT_EQ(direct.text(direct.call()->data[0].value), "x");
}

TEST(Values, HaveMembers) {
  Let let("f.weight", "let f = linear(10)");
  EXPECT_EQ(let.codes(), "");
}

TEST(Symbols, OfASizeAreOne) {
  Analyzed a("layer L(x: f32[n, m]) -> f32[m, n] {\n"
             "  param w: f32[n, m] = he_uniform\n  x + w\n}\n");
  ASSERT_EQ(a.rendered(), "");
  auto *fn = cast<FunctionDecl>(a.decl("L"));
  auto dim = [](const TypeNode *type, unsigned i) {
    return cast<NameExpr>(cast<NamedType>(type)->dims[i].expr);
  };
  const Symbol *n = a.program->symbol(dim(fn->data[0].type, 0));
  EXPECT_EQ(n->kind, Symbol::Kind::Size);
  EXPECT_EQ(a.program->symbol(dim(fn->result, 1)), n);
  auto *param = cast<ParamStmt>(fn->body->statements[0]);
  EXPECT_EQ(a.program->symbol(dim(param->type, 0)), n);
  EXPECT_NE(a.program->symbol(dim(param->type, 1)), n);
}

TEST(Symbols, ComeFromTheInnermostBlock) {
  Analyzed a("fn f(x) {\n  let y = x\n"
             "  let z = if training { let y = 1\n y } else { y }\n  z\n}\n");
  ASSERT_EQ(a.rendered(), "");
  auto *fn = cast<FunctionDecl>(a.decl("f"));
  auto *outer = cast<LetStmt>(fn->body->statements[0]);
  auto *z = cast<LetStmt>(fn->body->statements[1]);
  auto *conditional = cast<IfExpr>(z->value);
  auto *otherwise = cast<NameExpr>(conditional->elseBlock->result());
  auto *then = cast<NameExpr>(conditional->thenBlock->result());
  const Symbol *y = a.program->symbol(outer->names[0]);
  EXPECT_EQ(a.program->symbol(otherwise), y);
  EXPECT_NE(a.program->symbol(then), y);
  EXPECT_EQ(y->stmt, outer);
}

TEST(Symbols, OfMembersPreferSettings) {
  Analyzed a("const part: train | test = test\n"
             "dataset d = mnist(\"a\", split: part)\n"
             "dataset e = mnist(\"a\", split: train)\n");
  ASSERT_EQ(a.rendered(), "");
  auto kind = [&](unsigned i) {
    const Call *call = a.program->datasets()[i]->stages[0].call;
    return a.program->symbol(cast<NameExpr>(call->data[1].value))->kind;
  };
  EXPECT_EQ(kind(0), Symbol::Kind::Const);
  EXPECT_EQ(kind(1), Symbol::Kind::Member);
}

// The prelude's `n` is a size, whatever the user calls `n`.
TEST(Symbols, OfThePreludeAreItsOwn) {
  EXPECT_EQ(semaCodes("const n = 3\nfn f(x: f32[n]) = x |> linear(n)\n"), "");
}

TEST(Datasets, AreFlatChains) {
  Analyzed a("dataset a = mnist(\"a\", split: train)\n"
             "dataset b = a |> to_float\n"
             "iterator i = serial(b |> normalize(0.5, std: 0.5), batch: 2)\n");
  ASSERT_EQ(a.rendered(), "");
  const Dataset &set = *a.program->iterators()[0]->dataset;
  EXPECT_EQ(set.decl, nullptr);
  EXPECT_EQ(set.name, "i");
  ASSERT_EQ(set.stages.size(), 3u);
  EXPECT_EQ(set.stages[2].function()->name.text, "normalize");
  ASSERT_EQ(set.fields.size(), 2u);
  EXPECT_EQ(set.fields[1].name.text, "y");
}

TEST(Datasets, HaveAnnotatedFields) {
  Analyzed a(
      "dataset t: (x: f32[8], y: f32) = csv(\"a\", x: [\"b\"], y: \"c\")\n");
  ASSERT_EQ(a.rendered(), "");
  EXPECT_EQ(a.program->datasets()[0]->fields.size(), 2u);
}

TEST(Imports, BringFunctionsAndConsts) {
  Analyzed a("import \"imported.dpl\"\nfn f(x) = x |> Wide(2 * width)\n",
             DPL_SEMA_TESTS "/test.dpl");
  ASSERT_EQ(a.rendered(), "");
  EXPECT_NE(a.decl("Wide"), nullptr);
  // Never data, models or trainings.
  EXPECT_EQ(a.decl("M"), nullptr);
  EXPECT_TRUE(a.program->datasets().empty());
  EXPECT_TRUE(a.program->trainings().empty());
}

TEST(Imports, BringNoData) {
  EXPECT_EQ(
      Analyzed("import \"imported.dpl\"\niterator i = serial(d, batch: 2)\n",
               DPL_SEMA_TESTS "/test.dpl")
          .codes(),
      "2:21 unknown_name\n");
}

} // namespace
