//===- LinkTrainerTest.cpp - From an object to an executable --------------===//

#include "compiler/Target/Cpu/LinkTrainer.h"
#include "compiler/Target/Cpu/CodeGen.h"
#include "compiler/Target/Cpu/Phases.h"
#include "test/Target/Cpu/KernelText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

using namespace dpl::cpu;
using namespace dpl::test;
using testing::HasSubstr;

namespace {
class LinkTrainerTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("dpl-link", folder));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  /// An object whose only kernel doubles three numbers.
  void makeObject(llvm::StringRef path) {
    KernelText k("twice");
    Tensor x = k.output({3});
    k.store(k.map({x}, {"%r = arith.addf %a0, %a0 : f32", "%r"}), x);
    auto target = describeTarget("native", collect());
    ASSERT_TRUE(succeeded(target));
    mlir::DialectRegistry registry;
    registerCpuDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(k.text(), &context);
    ASSERT_TRUE(module);
    mlir::PassManager pm(&context);
    buildCpuPipeline(pm, {*target});
    ASSERT_TRUE(succeeded(pm.run(*module)));
    ASSERT_TRUE(succeeded(addProgramTable(*module, {"twice"}, "numbers ")));
    ASSERT_TRUE(
        succeeded(emitObjectFile(*module, *target, OptLevel::O1, path)));
  }

  std::function<void(const llvm::Twine &)> collect() {
    return
        [this](const llvm::Twine &message) { errors.push_back(message.str()); };
  }

  llvm::SmallString<128> folder;
  std::vector<std::string> errors;
};

std::string outputOf(const std::string &program, const std::string &log) {
  std::optional<llvm::StringRef> redirects[] = {
      std::nullopt, llvm::StringRef(log), std::nullopt};
  int status =
      llvm::sys::ExecuteAndWait(program, {program}, std::nullopt, redirects);
  EXPECT_EQ(status, 0);
  auto text = llvm::MemoryBuffer::getFile(log);
  return text ? (*text)->getBuffer().str() : "";
}

std::vector<std::string> neededLibraries(const std::string &program) {
  std::vector<std::string> names;
  auto binary = llvm::object::ObjectFile::createObjectFile(program);
  if (!binary) {
    ADD_FAILURE() << llvm::toString(binary.takeError());
    return names;
  }
  auto *object =
      llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  auto entries = llvm::cantFail(object->getELFFile().dynamicEntries());
  const char *strings = nullptr;
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      strings = reinterpret_cast<const char *>(
          llvm::cantFail(object->getELFFile().toMappedAddr(entry.getPtr())));
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      names.push_back(strings + entry.getVal());
  return names;
}
} // namespace

TEST_F(LinkTrainerTest, RunsAndNeedsOnlyTheCLibrary) {
  makeObject(file("program.o"));
  ASSERT_TRUE(succeeded(
      linkTrainer(file("program.o"), file("trainer"), TINY_RUNTIME, collect())))
      << testing::PrintToString(errors);
  EXPECT_EQ(outputOf(file("trainer"), file("log")), "numbers 246\n");
  for (const std::string &name : neededLibraries(file("trainer")))
    EXPECT_THAT(name, testing::AnyOf(testing::StartsWith("libc.so"),
                                     testing::StartsWith("libm.so"),
                                     testing::StartsWith("ld-linux")));
}

TEST_F(LinkTrainerTest, FailureNamesTheLinkersComplaintAndLeavesNothing) {
  std::error_code error;
  llvm::raw_fd_ostream(file("empty.o"), error) << "no object";
  ASSERT_TRUE(failed(
      linkTrainer(file("empty.o"), file("trainer"), TINY_RUNTIME, collect())));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("empty.o"));
  std::error_code stop;
  for (llvm::sys::fs::directory_iterator it(folder, stop), end; it != end;
       it.increment(stop))
    EXPECT_EQ(llvm::sys::path::filename(it->path()), "empty.o");
}

TEST_F(LinkTrainerTest, MissingRuntime) {
  ASSERT_TRUE(failed(linkTrainer(file("program.o"), file("trainer"),
                                 file("none.a"), collect())));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("none.a"));
}

TEST_F(LinkTrainerTest, MissingLinker) {
  std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  bool failed = llvm::failed(
      linkTrainer(file("program.o"), file("trainer"), TINY_RUNTIME, collect()));
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(failed);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("c++, g++, clang++"));
}

TEST_F(LinkTrainerTest, RuntimeIsFoundBesideTheCompiler) {
  ASSERT_TRUE(failed(findRuntimeArchive(file("bin/dplc"), collect())));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr(file("lib/dpl/libdpl_runtime.a")));
  ASSERT_FALSE(llvm::sys::fs::create_directories(file("lib/dpl")));
  std::error_code error;
  llvm::raw_fd_ostream(file("lib/dpl/libdpl_runtime.a"), error) << "archive";
  auto found = findRuntimeArchive(file("bin/dplc"), collect());
  ASSERT_TRUE(succeeded(found));
  EXPECT_EQ(*found, file("lib/dpl/libdpl_runtime.a"));
}
