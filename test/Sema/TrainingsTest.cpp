//===- TrainingsTest.cpp - data, entries, actions, the log ----------------===//

#include "test/Sema/Analyzed.h"

#include <gtest/gtest.h>

using namespace dpl;
using namespace dpl::test;

namespace {

/// The codes for a training with these lines besides the needed ones, which
/// stand behind them.
std::string with(const std::string &lines) {
  return semaCodes(
      inTraining("\n" + lines +
                 "\n  data train_iter\n  loss softmax_cross_entropy\n"
                 "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n"
                 "  every 1 epoch { evaluate(test_iter) }"));
}

/// The codes for a training with exactly these lines and the evaluation.
std::string only(const std::string &lines) {
  return semaCodes(
      inTraining("\n" + lines + "\n  every 1 epoch { evaluate(test_iter) }"));
}

constexpr const char *kData = "  data train_iter\n";
constexpr const char *kRest = "  optimizer sgd(lr: 0.1)\n  stop 1 epoch";

TEST(Training, IsComplete) {
  EXPECT_EQ(with(""), "");
  EXPECT_EQ(only("  data train_iter\n  stop 1 epoch"), "1:7 missing_entry\n");
}

TEST(Training, NamesEachMissingEntry) {
  EXPECT_EQ(
      Analyzed("train M { }\nmodel M(x) = x\n").rendered(),
      R"(test.dpl:1:7: error: the training has no data, loss, optimizer, stop [missing_entry]
    1 | train M { }
      |       ^
)");
}

TEST(Training, HasKnownEntries) {
  EXPECT_EQ(with("  metrcs accuracy"), "2:3 unknown_entry\n");
  EXPECT_EQ(with("  clip_norm 1.0"), "2:3 unsupported_entry\n");
  EXPECT_EQ(with("  step d { update M }"), "2:8 unsupported_entry\n");
  EXPECT_EQ(with("  out \"a\"\n  out \"b\""), "3:3 entry_twice\n");
  EXPECT_EQ(with("  out \"a\" on bias"), "2:11 entry_clause\n");
}

TEST(Training, HasModels) {
  EXPECT_EQ(semaCodes("train N { }\nmodel NN(x) = x\n"),
            "1:7 not_a_model\n1:7 missing_entry\n");
  EXPECT_EQ(semaCodes("train A, B { }\nmodel A(x) = x\nmodel B(x) = x\n"),
            "1:10 several_models\n");
}

TEST(Entries, HaveTheirForms) {
  EXPECT_EQ(with("  out \"a\", \"b\""), "2:3 entry_form\n");
  EXPECT_EQ(with("  out 3"), "2:3 entry_form\n");
  EXPECT_EQ(with("  metrics { 1 }"), "2:3 entry_form\n");
  EXPECT_EQ(with("  devices \"cpu\", \"cuda:1\", \"gpu\", 0"),
            "2:28 unknown_device\n2:35 unknown_device\n");
  EXPECT_EQ(only(std::string(kData) + "  loss softmax_cross_entropy\n"
                                      "  optimizer relu\n  stop 10"),
            "4:13 not_an_optimizer\n5:8 not_a_duration\n");
  EXPECT_EQ(semaCodes(inTraining(
                "\n  data train_set\n  loss softmax_cross_entropy\n" +
                std::string(kRest))),
            "2:8 not_an_iterator\n");
}

TEST(Terms, HaveNames) {
  std::string rest = std::string(kRest) + "\n  loss softmax_cross_entropy";
  EXPECT_EQ(only(kData + rest +
                 "\n  metrics accuracy, top: accuracy(k: 5), err: out[0] - x"),
            "");
  EXPECT_EQ(only(kData + rest + "\n  metrics 2 * y"),
            "6:11 term_without_name\n");
  EXPECT_EQ(only(kData + rest + "\n  metrics accuracy, accuracy"),
            "6:21 term_twice\n");
  EXPECT_EQ(only(kData + rest + "\n  metrics loss: accuracy"),
            "6:11 term_called_loss\n");
}

TEST(Terms, SeeTheFieldsAndTheOutput) {
  EXPECT_EQ(
      only(kData + std::string(kRest) + "\n  loss mean_squared_error(out, z)"),
      "5:32 unknown_name\n");
}

TEST(Terms, MayBeValues) {
  EXPECT_EQ(only(kData + std::string(kRest) +
                 "\n  loss a: 0.5 * mean_squared_error(out, x), b: sum(out)"),
            "");
}

TEST(Fields, AreInTheData) {
  std::string training = "train M {\n  data it\n  loss softmax_cross_entropy\n"
                         "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n}\n"
                         "iterator it = serial(d, batch: 2)\n";
  EXPECT_EQ(semaCodes(training + "model M(image: f32[8]) = image\n"
                                 "dataset d = mnist(\"a\", split: train)\n"),
            "1:7 missing_field\n");
  EXPECT_EQ(semaCodes(training + "model M(x: f32[8]) = x\n"
                                 "dataset d: (x: f32[8], z: f32) = csv(\"a\", "
                                 "x: [\"b\"], y: \"c\")\n"),
            "3:8 missing_field\n");
  EXPECT_EQ(semaCodes(training +
                      "model M(x: f32[8]) = x\n"
                      "dataset d = csv(\"a\", x: [\"b\"], y: \"c\")\n"),
            "9:9 unknown_fields\n");
}

TEST(Fields, OfTransforms) {
  EXPECT_EQ(
      semaCodes(
          "dataset d = mnist(\"a\", split: train) |> to_float(field: z)\n"),
      "1:57 missing_field\n");
}

TEST(Datasets, AreReadersAndTransforms) {
  EXPECT_EQ(semaCodes("dataset d = 3\n"), "1:13 not_a_dataset\n");
  EXPECT_EQ(semaCodes("dataset d = 3 |> to_float\n"), "1:13 not_a_dataset\n");
  EXPECT_EQ(semaCodes("iterator i = 3\n"), "1:14 not_an_iterator\n");
}

TEST(Every, HasAnInterval) {
  EXPECT_EQ(with("  every 3 { log }"), "2:9 not_a_duration\n");
  EXPECT_EQ(with("  every 0 epochs { log }"), "2:9 empty_interval\n");
}

TEST(Actions, AreKnown) {
  EXPECT_EQ(with("  every 1 epoch { snapshoot(keep: 3) }"),
            "2:19 unknown_action\n");
  EXPECT_EQ(with("  every 1 epoch { snapshot(keep: true) }"),
            "2:34 type_mismatch\n");
  // `log` is an action here and a function elsewhere.
  EXPECT_EQ(with("  metrics m: log(out)\n  every 1 epoch { log }"), "");
}

TEST(Evaluations, HaveTheirOwnNames) {
  EXPECT_EQ(with("  every 1 epoch { evaluate(test_iter, name: \"val\"); "
                 "evaluate(train_iter, name: \"val\") }"),
            "2:53 evaluation_twice\n");
}

TEST(Evaluations, NeedAnIteratorOfTheirOwn) {
  EXPECT_EQ(with("  every 1 epoch { evaluate(train_iter, name: \"own\") }"),
            "2:19 evaluates_training_data\n");
}

TEST(Training, HappensOnce) {
  std::string one =
      inTraining("\n  data train_iter\n  loss softmax_cross_entropy\n"
                 "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n"
                 "  every 1 epoch { evaluate(test_iter) }");
  std::string train = one.substr(0, one.find("\n}\n") + 3);
  EXPECT_EQ(semaCodes(one + "\n" + train), "14:7 trained_twice\n");
}

TEST(Log, HoldsWhatIsReported) {
  EXPECT_EQ(with("  metrics accuracy\n  every 1 epoch { observe_lr\n"
                 "    print(\"epoch\", \"iteration\", \"main/loss\", "
                 "\"main/accuracy\", \"val/main/loss\", "
                 "\"val/main/accuracy\", \"lr\", \"elapsed_time\") }"),
            "");
  Analyzed a(inTraining("\n  data train_iter\n  loss softmax_cross_entropy\n"
                        "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n"
                        "  every 1 epoch { print(\"main/los\"); plot(\"lr\", "
                        "file: \"a.png\") }"));
  EXPECT_NE(
      a.rendered().find(
          R"(test.dpl:6:25: error: nothing reports `main/los` [unknown_log_key]
    6 |   every 1 epoch { print("main/los"); plot("lr", file: "a.png") }
      |                         ^^^^^^^^^^
test.dpl:6:26: hint: did you mean `main/loss`?
test.dpl:6:43: error: nothing reports `lr` [unknown_log_key]
    6 |   every 1 epoch { print("main/los"); plot("lr", file: "a.png") }
      |                                           ^^^^
test.dpl:6:43: hint: `observe_lr` does; add it to an `every`
)"),
      std::string::npos)
      << a.rendered();
}

/// What follows from an error is not reported, what has its own cause is.
TEST(OneCause, IsOneError) {
  std::string usual = "  optimizer sgd(lr: 0.1)\n  stop 1 epoch\n";
  auto with = [&](const std::string &entries) {
    return semaCodes(inTraining("\n  data train_iter\n" + usual + entries));
  };
  EXPECT_EQ(with("  loss softmax_cross_entropy\n  metrics acuracy\n"),
            "6:11 unknown_name\n");
  EXPECT_EQ(with("  loss softmax_cross_entropy\n  every 1 epoch {\n    "
                 "evaluate(tst_iter)\n    print(\"val/main/loss\")\n  }\n"),
            "7:14 unknown_name\n");
  EXPECT_EQ(with("  loss softmax_cross_entropy\n  every 1 epoch {\n    "
                 "evalute(test_iter)\n    print(\"val/main/loss\")\n  }\n"),
            "7:5 unknown_action\n");
  EXPECT_EQ(with("  loss softmax_cross_entropy\n  every 1 epoch {\n    "
                 "snapshot(kep: 1)\n    print(\"main/los\")\n  }\n"),
            "7:14 unknown_argument\n8:11 unknown_log_key\n");
  EXPECT_EQ(with("  los softmax_cross_entropy\n"), "5:3 unknown_entry\n");
  EXPECT_EQ(semaCodes("option w = 1.5\nfn f(x) = x |> linear(w)\n"),
            "2:23 type_mismatch\n");
}

TEST(Actions, NeedKeys) {
  EXPECT_EQ(semaCodes(inTraining(
                "\n  data train_iter\n  loss softmax_cross_entropy\n  "
                "optimizer sgd(lr: 0.1)\n  stop 1 epoch\n  every 1 epoch { "
                "print(); plot(file: \"a.png\") }\n")),
            "6:19 missing_argument\n6:28 missing_argument\n");
}

} // namespace
