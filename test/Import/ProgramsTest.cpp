//===- ProgramsTest.cpp - whole programs ----------------------------------===//

#include "test/Import/Imported.h"

#include "mlir/IR/Verifier.h"
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

using namespace dpl::test;
using testing::HasSubstr;

static std::string read(const std::string &path) {
  std::ifstream in(std::string(DPL_SOURCE) + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return text.str();
}

TEST(Programs, FashionMnistHasTheNamesAndSizesOfPyTorch) {
  Imported program(read("dsl-examples/fashion-mnist/fashion.dpl"));
  ASSERT_EQ(program.rendered(), "");
  EXPECT_TRUE(succeeded(mlir::verify(*program.module)));
  EXPECT_EQ(program.parameters(), "conv1.weight: tensor<16x1x3x3xf32>\n"
                                  "conv1.bias: tensor<16xf32>\n"
                                  "conv2.weight: tensor<32x16x3x3xf32>\n"
                                  "conv2.bias: tensor<32xf32>\n"
                                  "fc1.weight: tensor<128x6272xf32>\n"
                                  "fc1.bias: tensor<128xf32>\n"
                                  "fc2.weight: tensor<10x128xf32>\n"
                                  "fc2.bias: tensor<10xf32>\n");
}

TEST(Programs, TheTableOfTheTrainingHasEveryEntry) {
  Imported program(read("test/Syntax/programs/a1_cnn.dpl"));
  ASSERT_EQ(program.rendered(), "");
  std::string ir = program.ir();
  for (const char *part : {
           "dpl.option @lr : \"float\" = 1.000000e-02 : f64 help \"learning "
           "rate\"",
           "dpl.iterator @train_iter \"multiprocess\" of @train_set batch 64",
           "devices = [\"cuda:0\", \"cuda:1\", \"cuda:2\"]",
           "stop = {count = 10 : i64, unit = \"epoch\"}",
           "out = \"result\"",
           "{iterator = \"test_iter\", program = \"eval.CNN.test_iter\"}",
           "{args = {name = \"val\"}, name = \"evaluate\", positional = "
           "[\"test_iter\"]}",
           "{args = {}, name = \"observe_lr\", positional = []}",
           "{args = {keep = 3 : i64}, name = \"snapshot\", positional = []}",
           "{args = {file = \"loss.png\"}, name = \"plot\", positional = "
           "[\"main/loss\", \"val/main/loss\"]}",
           "count = 100 : i64, unit = \"iteration\"}",
       })
    EXPECT_THAT(ir, HasSubstr(part));
}

TEST(Programs, UnnamedLayersAreNumberedByTheirMaker) {
  Imported program(read("dsl-examples/cifar10/cifar10.dpl"));
  ASSERT_EQ(program.rendered(), "");
  EXPECT_EQ(program.parameters(),
            "block1.conv2d1.weight: tensor<16x3x3x3xf32>\n"
            "block1.conv2d1.bias: tensor<16xf32>\n"
            "block2.conv2d1.weight: tensor<32x16x3x3xf32>\n"
            "block2.conv2d1.bias: tensor<32xf32>\n"
            "block3.conv2d1.weight: tensor<64x32x3x3xf32>\n"
            "block3.conv2d1.bias: tensor<64xf32>\n"
            "linear1.weight: tensor<256x1024xf32>\n"
            "linear1.bias: tensor<256xf32>\n"
            "linear2.weight: tensor<10x256xf32>\n"
            "linear2.bias: tensor<10xf32>\n");
  EXPECT_THAT(program.ir(),
              HasSubstr("std = [5.000000e-01, 5.000000e-01, 5.000000e-01]"));
}

TEST(Programs, ResizingChangesTheTypeOfTheField) {
  auto program = [](const std::string &transforms, const char *type) {
    return "dataset set = cifar10(\"data\", split: train) |> " + transforms +
           "\niterator batches = serial(set, batch: 8, repeat: true)\n"
           "model M(x: " +
           type +
           ") -> f32[10] = x |> flatten |> linear(10)\n"
           "train M {\n data batches\n loss softmax_cross_entropy\n"
           " optimizer sgd(lr: 0.1)\n stop 1 epoch\n}\n";
  };
  EXPECT_EQ(codesOf(program("resize([24, 28]) |> to_float", "f32[3, 24, 28]")),
            "");
  EXPECT_EQ(codesOf(program("resize(20) |> to_float |> normalize(mean: 0.5, "
                            "std: [0.5, 0.25, 0.5])",
                            "f32[3, 20, 20]")),
            "");
  EXPECT_EQ(codesOf(program("to_float |> resize(20)", "f32[3, 20, 20]")),
            "1:60 type_element\n");
  EXPECT_EQ(codesOf(program("resize([8, 8, 3])", "f32[3, 8, 8]")),
            "1:55 type_count\n");
  EXPECT_EQ(codesOf(program("resize([0, 3])", "f32[3, 8, 8]")),
            "1:55 out_of_range\n");
  EXPECT_EQ(codesOf(program("resize(1_000_000)", "f32[3, 8, 8]")),
            "1:48 tensor_size\n");
}

TEST(Programs, AModelThatNothingTrainsIsCompiledToo) {
  Imported program("model M(x: f32[4]) -> f32[2] = x |> linear(2)\n");
  ASSERT_EQ(program.codes(), "");
  EXPECT_THAT(program.ir(), HasSubstr("dpl.model @M @M.forward"));
}
