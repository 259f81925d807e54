//===- GoldenTest.cpp - messages as a person reads them -------------------===//
//
// golden/NAME.dpl has the messages of golden/NAME.txt, word for word.
//
//===----------------------------------------------------------------------===//

#include "test/Import/Imported.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

using namespace dpl::test;

namespace {

std::string contents(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(static_cast<bool>(file)) << path.str();
  return file ? (*file)->getBuffer().str() : "";
}

TEST(Golden, MessagesAreAsWritten) {
  std::error_code error;
  unsigned programs = 0;
  for (llvm::sys::fs::directory_iterator
           it(DPL_SOURCE "/test/Import/golden", error),
       end;
       it != end && !error; it.increment(error)) {
    llvm::SmallString<128> path(it->path());
    if (llvm::sys::path::extension(path) != ".dpl")
      continue;
    std::string program = contents(path);
    llvm::sys::path::replace_extension(path, "txt");
    EXPECT_EQ(Imported(program).rendered(), contents(path)) << path.c_str();
    ++programs;
  }
  EXPECT_FALSE(error) << error.message();
  EXPECT_GE(programs, 10u);
}

} // namespace
