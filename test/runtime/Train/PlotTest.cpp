//===- PlotTest.cpp - Axes, pictures, charts in text ----------------------===//

#include "runtime/Base/Files.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Testing/TemporaryFolder.h"
#include "runtime/Train/LogRows.h"
#include "runtime/Train/Plot/Canvas.h"
#include "runtime/Train/Plot/Font.h"
#include "runtime/Train/Plot/TerminalChart.h"

#include <cstring>
#include <png.h>

using namespace dpl::rt;
using namespace dpl::rt::testing;

namespace {

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;
};

Picture decode(const std::string &png) {
  png_image image;
  std::memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  Picture picture;
  if (!png_image_begin_read_from_memory(&image, png.data(), png.size()))
    return picture;
  image.format = PNG_FORMAT_RGB;
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0,
                            nullptr)) {
    picture.width = static_cast<int>(image.width);
    picture.height = static_cast<int>(image.height);
  }
  return picture;
}

Chart twoSeries() {
  return {"epoch",
          {{"main/loss", {{1, 2.0}, {2, 1.0}, {3, 0.5}}},
           {"val/main/loss", {{1, 1.8}, {2, 1.2}, {3, 0.9}}}}};
}

TEST(AxisTest, TicksAreRoundAndInside) {
  Axis axis = Axis::around(0.13, 2.37, 6);
  EXPECT_LE(axis.low, 0.13);
  EXPECT_GE(axis.high, 2.37);
  EXPECT_DOUBLE_EQ(axis.step, 0.2);
  EXPECT_EQ(axis.label(axis.ticks()[1]), "0.2");
}

TEST(AxisTest, ARangeWithoutExtentIsWidened) {
  Axis axis = Axis::around(3, 3, 5);
  EXPECT_LT(axis.low, 3);
  EXPECT_GT(axis.high, 3);
}

TEST(AxisTest, EpochsHaveWholeTicks) {
  EXPECT_GE(ChartAxes::of(twoSeries(), 8, 6).x.step, 1);
}

TEST(PngTest, ThePictureDecodesAndHoldsBothColours) {
  TemporaryFolder folder;
  ASSERT_OK(writeChart(twoSeries(), folder.file("plot.png")));
  Picture picture = decode(*readFile(folder.file("plot.png"), Exit::Runtime));
  ASSERT_EQ(picture.width, 960);
  ASSERT_EQ(picture.height, 600);
  auto count = [&](uint8_t red, uint8_t green, uint8_t blue) {
    int found = 0;
    for (size_t i = 0; i < picture.pixels.size(); i += 3)
      found += picture.pixels[i] == red && picture.pixels[i + 1] == green &&
               picture.pixels[i + 2] == blue;
    return found;
  };
  EXPECT_GT(count(31, 105, 186), 300);
  EXPECT_GT(count(226, 110, 32), 300);
  EXPECT_GT(count(255, 255, 255), 960 * 600 / 2);
}

TEST(PngTest, AnEmptyChartIsAPictureToo) {
  TemporaryFolder folder;
  ASSERT_OK(
      writeChart({"epoch", {{"main/loss", {}}}}, folder.file("plot.png")));
  EXPECT_EQ(decode(*readFile(folder.file("plot.png"), Exit::Runtime)).width,
            960);
}

TEST(CanvasTest, WhatIsOutsideIsCutOff) {
  Canvas canvas(8, 8);
  canvas.polyline({{-100, -100}, {100, 100}}, 2, 3, {0, 0, 0});
  canvas.text(5, 5, "wide", 2, {0, 0, 0});
  canvas.fill(-5, 6, 100, 100, {1, 2, 3});
  ASSERT_OK(canvas.png());
}

TEST(FontTest, LettersDiffer) {
  auto bits = [](char letter) {
    std::string text;
    for (int y = 0; y < Font::height; ++y)
      for (int x = 0; x < Font::width; ++x)
        text += Font::pixel(letter, x, y) ? '#' : ' ';
    return text;
  };
  for (char a = ' '; a < '~'; ++a)
    for (char b = static_cast<char>(a + 1); b <= '~'; ++b)
      EXPECT_NE(bits(a), bits(b)) << a << " and " << b;
}

TEST(TerminalChartTest, PlainHasAxesMarksAndLegend) {
  std::string text = terminalChart(twoSeries(), TerminalStyle::Plain, 40, 8);
  EXPECT_THAT(text, ::testing::HasSubstr("* main/loss   o val/main/loss"));
  EXPECT_THAT(text, ::testing::HasSubstr("epoch"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 8);
  for (char letter : text)
    EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter <= '~'));
}

TEST(TerminalChartTest, BrailleIsUtf8) {
  std::string text = terminalChart(twoSeries(), TerminalStyle::Braille, 40, 8);
  EXPECT_THAT(text, ::testing::HasSubstr("\xe2\xa0"));
}

TEST(LogRowsTest, RowsKeepOrderAndDigitsThroughASnapshot) {
  Observation observation;
  observation.set("epoch", 1);
  observation.set("iteration", 5);
  observation.set("elapsed_time", 0.25);
  observation.set("main/loss", 0.1 + 0.2);
  std::vector<nlohmann::ordered_json> rows = {logRow(observation)};
  EXPECT_EQ(logText(rows), "[\n {\"epoch\":1,\"iteration\":5,\"main/loss\":"
                           "0.30000000000000004,\"elapsed_time\":0.25}\n]\n");
  EXPECT_EQ(logText(restoreRows(saveRows(rows))), logText(rows));
}

TEST(LogRowsTest, ValuesThatAreNotFiniteAreNull) {
  Observation observation;
  observation.set("main/loss", std::numeric_limits<double>::infinity());
  EXPECT_EQ(logRow(observation).dump(), "{\"main/loss\":null}");
}

TEST(LogRowsTest, RowsWithinAnEpochAreDrawnOverIterations) {
  std::vector<nlohmann::ordered_json> rows(2);
  for (int i = 0; i < 2; ++i)
    rows[static_cast<size_t>(i)] = {
        {"epoch", 0}, {"iteration", 100 * (i + 1)}, {"main/loss", 1.0}};
  EXPECT_EQ(chartOfRows(rows, {"main/loss"}).xLabel, "iteration");
}

} // namespace
