//===- SourceTest.cpp - places in texts -----------------------------------===//

#include "compiler/Support/Source.h"

#include <gtest/gtest.h>

using namespace dpl;

TEST(Source, FindsLineAndColumn) {
  SourceManager sources;
  const SourceBuffer &buffer = sources.add("a", "one\ntwo\n");
  EXPECT_EQ(buffer.lineColumn(buffer.begin()), (LineColumn{1, 1}));
  EXPECT_EQ(buffer.lineColumn(buffer.begin().advanced(3)), (LineColumn{1, 4}));
  EXPECT_EQ(buffer.lineColumn(buffer.begin().advanced(5)), (LineColumn{2, 2}));
  EXPECT_EQ(buffer.lineColumn(buffer.end()), (LineColumn{3, 1}));
}

TEST(Source, GivesLinesWithoutTheirEnds) {
  SourceManager sources;
  const SourceBuffer &buffer = sources.add("a", "one\r\ntwo");
  EXPECT_EQ(buffer.line(1), "one");
  EXPECT_EQ(buffer.line(2), "two");
}

// The end of a buffer and the beginning of the next are different places.
TEST(Source, TellsBuffersApart) {
  SourceManager sources;
  const SourceBuffer &a = sources.add("a", "");
  const SourceBuffer &b = sources.add("b", "text");
  EXPECT_EQ(sources.buffer(a.end()), &a);
  EXPECT_EQ(sources.buffer(b.begin()), &b);
  EXPECT_EQ(sources.buffer(b.end()), &b);
  EXPECT_EQ(sources.buffer(b.end().advanced(1)), nullptr);
  EXPECT_EQ(sources.buffer(Location()), nullptr);
}

TEST(Source, GivesTheTextOfARange) {
  SourceManager sources;
  sources.add("a", "first");
  const SourceBuffer &b = sources.add("b", "second");
  EXPECT_EQ(sources.text({b.begin().advanced(1), b.begin().advanced(3)}), "ec");
  EXPECT_EQ(sources.text(Range()), "");
}

TEST(Source, JoinsRanges) {
  Range a{Location{2}, Location{4}};
  Range b{Location{7}, Location{9}};
  EXPECT_EQ(Range::join(b, a), (Range{Location{2}, Location{9}}));
  EXPECT_EQ(Range::join(a, Range()), a);
  EXPECT_EQ(Range::join(Range(), a), a);
}

TEST(Source, SaysWhyAFileCannotBeRead) {
  SourceManager sources;
  std::string error;
  EXPECT_EQ(sources.load("/dev/zero", error), nullptr);
  EXPECT_EQ(error, "it is a device");
  EXPECT_EQ(sources.load("/no/such/file", error), nullptr);
  EXPECT_EQ(error, "No such file or directory");
}
