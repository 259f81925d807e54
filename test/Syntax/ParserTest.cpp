//===- ParserTest.cpp - what the tree holds -------------------------------===//

#include "test/Syntax/Parsed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;
using llvm::cast;
using llvm::isa;

namespace {

/// The value of `const a = ..`.
struct Value : Parsed {
  explicit Value(const std::string &text) : Parsed("const a = " + text + "\n") {
    EXPECT_EQ(rendered(), "");
  }
  const Expr *expr() const {
    return cast<SettingDecl>(file.decls.front())->value;
  }
  llvm::StringRef text(Range range) const { return sources.text(range); }
};

TEST(Expressions, BindAsTheGrammarSays) {
  Value value("-a ** 2 + b * c");
  auto *sum = cast<BinaryExpr>(value.expr());
  EXPECT_EQ(sum->op, BinaryOp::Add);
  auto *minus = cast<UnaryExpr>(sum->lhs);
  EXPECT_EQ(cast<BinaryExpr>(minus->operand)->op, BinaryOp::Pow);
  EXPECT_EQ(cast<BinaryExpr>(sum->rhs)->op, BinaryOp::Mul);
}

TEST(Expressions, LeanToTheLeft) {
  Value value("a - b - c");
  EXPECT_EQ(value.text(cast<BinaryExpr>(value.expr())->lhs->range), "a - b");
}

TEST(Expressions, PowersLeanToTheRight) {
  Value value("a ** b ** c");
  EXPECT_EQ(value.text(cast<BinaryExpr>(value.expr())->rhs->range), "b ** c");
}

TEST(Expressions, PipesLeanToTheLeft) {
  Value value("x |> f |> g(1)");
  auto *pipe = cast<PipeExpr>(value.expr());
  EXPECT_TRUE(isa<CallExpr>(pipe->stage));
  EXPECT_EQ(value.text(pipe->value->range), "x |> f");
}

TEST(Expressions, BracketsArePartOfTheRange) {
  Value value("(x |> f) + y");
  auto *sum = cast<BinaryExpr>(value.expr());
  EXPECT_TRUE(sum->lhs->parenthesized);
  EXPECT_EQ(value.text(sum->range), "(x |> f) + y");
}

TEST(Numbers, HaveValues) {
  EXPECT_EQ(cast<NumberExpr>(Value("50_304").expr())->integer, 50304);
  EXPECT_EQ(cast<NumberExpr>(Value("2.5").expr())->real, 2.5);
  auto *small = cast<NumberExpr>(Value("1e-3").expr());
  EXPECT_FALSE(small->isInteger);
  EXPECT_EQ(small->real, 1e-3);
}

TEST(Numbers, StopBeforeARange) {
  Value value("0..10");
  EXPECT_EQ(cast<BinaryExpr>(value.expr())->op, BinaryOp::Range);
}

TEST(Numbers, HaveUnits) {
  Value value("10 epochs");
  auto *quantity = cast<QuantityExpr>(value.expr());
  EXPECT_EQ(quantity->unit, Unit::Epoch);
  EXPECT_EQ(quantity->number->integer, 10);
}

TEST(Strings, ReplaceEscapes) {
  Value value(R"("a\n\"\\\u{2192}")");
  EXPECT_EQ(cast<StringExpr>(value.expr())->value, "a\n\"\\→");
}

TEST(Einsum, TakesTheLastSuffixAsLabels) {
  Value value("einsum(f(x)[0][i, k] * w[k] -> [i])");
  auto *einsum = cast<EinsumExpr>(value.expr());
  ASSERT_EQ(einsum->factors.size(), 2u);
  EXPECT_EQ(value.text(einsum->factors[0].operand->range), "f(x)[0]");
  EXPECT_EQ(einsum->factors[0].labels.size(), 2u);
  EXPECT_EQ(einsum->result.size(), 1u);
}

TEST(Dims, TellTheRestFromARange) {
  Value value("x[.., 0..2, _]");
  auto *index = cast<IndexExpr>(value.expr());
  EXPECT_TRUE(index->indices[0].isRest());
  EXPECT_TRUE(isa<BinaryExpr>(index->indices[1].expr));
  EXPECT_EQ(cast<NameExpr>(index->indices[2].expr)->name, "_");
}

TEST(Types, HoldEverySuffix) {
  Parsed parsed("fn f(a: class(n)?[t, ..], b: train | test, c: f32[], d: int)"
                " -> (u: f32, v: f32) = a\n");
  auto *fn = cast<FunctionDecl>(parsed.file.decls.front());
  auto *a = cast<NamedType>(fn->data[0].type);
  EXPECT_TRUE(a->argument && a->optional && a->hasDims);
  EXPECT_EQ(a->dims.size(), 2u);
  auto *b = cast<NamedType>(fn->data[1].type);
  EXPECT_TRUE(b->isClosedSet());
  EXPECT_EQ(b->alternatives[0].text, "test");
  EXPECT_TRUE(cast<NamedType>(fn->data[2].type)->hasDims);
  EXPECT_FALSE(cast<NamedType>(fn->data[3].type)->hasDims);
  EXPECT_EQ(cast<RecordType>(fn->result)->fields.size(), 2u);
}

TEST(Functions, HaveOneOrTwoLists) {
  Parsed parsed("fn f(x) = x\nlayer g(a: int)(x) = x\nextern fn h(x) -> f32\n");
  auto *f = cast<FunctionDecl>(parsed.file.decls[0]);
  EXPECT_FALSE(f->twoLists);
  EXPECT_EQ(f->data.size(), 1u);
  EXPECT_FALSE(f->body->braces);
  auto *g = cast<FunctionDecl>(parsed.file.decls[1]);
  EXPECT_TRUE(g->twoLists);
  EXPECT_EQ(g->settings[0].name.text, "a");
  EXPECT_EQ(cast<FunctionDecl>(parsed.file.decls[2])->body, nullptr);
}

TEST(Docs, GoToDeclarationsAndParameters) {
  Parsed parsed("/// One.\n/// Two.\nlayer f(\n  /// Size.\n  n: int)(x) {\n"
                "  /// Weights.\n  param w: f32[n] = zeros as bias\n  w\n}\n");
  auto *fn = cast<FunctionDecl>(parsed.file.decls.front());
  EXPECT_EQ(fn->doc, "One.\nTwo.");
  EXPECT_EQ(fn->settings[0].doc, "Size.");
  auto *param = cast<ParamStmt>(fn->body->statements.front());
  EXPECT_EQ(param->doc, "Weights.");
  EXPECT_EQ(param->role.text, "bias");
}

TEST(Trainings, HoldEntriesInOrder) {
  Parsed parsed("train G, D {\n  step d { update D }\n"
                "  optimizer sgd(lr: 1) on norm, bias\n"
                "  load b from \"f\" except b.fc\n"
                "  every 2 epochs { log; print(\"a\") }\n}\n");
  ASSERT_EQ(parsed.rendered(), "");
  auto *train = cast<TrainDecl>(parsed.file.decls.front());
  ASSERT_EQ(train->models.size(), 2u);
  ASSERT_EQ(train->entries.size(), 4u);
  EXPECT_EQ(cast<StepEntry>(train->entries[0])->name.text, "d");
  auto *optimizer = cast<KeyEntry>(train->entries[1]);
  EXPECT_EQ(optimizer->clauses[0].arguments.size(), 2u);
  auto *load = cast<KeyEntry>(train->entries[2]);
  EXPECT_EQ(load->clauses[0].word, ClauseWord::From);
  EXPECT_EQ(load->clauses[1].word, ClauseWord::Except);
  EXPECT_EQ(cast<EveryEntry>(train->entries[3])->actions.size(), 2u);
}

// `train`, `on`, `from`, `as` and units are names everywhere else.
TEST(Words, AreReservedOnlyWhereNeeded) {
  EXPECT_EQ(syntaxCodes("const train = 1\nconst on = train\nconst epochs = on\n"
                        "fn f(model, as, layer) = as\n"),
            "");
}

} // namespace
