//===- Data/ProcessWorkersTest.cpp - Processes that die or hang -----------===//

#include "runtime/Base/Clock.h"
#include "runtime/Data/Iterator.h"
#include "runtime/Testing/NumberReader.h"
#include "runtime/Testing/StatusMatchers.h"

#include <csignal>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dpl::rt;
using namespace dpl::rt::testing;

/// The children of a process, as the kernel lists them.
static std::vector<pid_t> childrenOf(pid_t pid) {
  const std::string task = std::to_string(pid);
  std::ifstream file("/proc/" + task + "/task/" + task + "/children");
  std::vector<pid_t> children;
  for (pid_t child; file >> child;)
    children.push_back(child);
  return children;
}

static std::unique_ptr<Iterator> start(NumberReader::Before before,
                                       double timeout = 60) {
  IteratorConfig config;
  config.name = "it";
  config.kind = IteratorKind::Multiprocess;
  config.batch = 4;
  config.workers = 3;
  config.repeat = true;
  config.timeout = timeout;
  auto iterator = makeIterator(numbers(40, std::move(before)), config).take();
  EXPECT_TRUE(iterator->start().ok());
  return iterator;
}

static void expectNothingLeft() {
  EXPECT_EQ(childrenOf(::getpid()).size(), 0u);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(ProcessWorkersTest, ThereAreAsManyAsAskedForAndTheyEndWithTheIterator) {
  {
    auto iterator = start({});
    EXPECT_EQ(childrenOf(::getpid()).size(), 3u);
    ASSERT_OK(iterator->next());
  }
  expectNothingLeft();
}

/// The batches lie in memory that the workers share, not in copies.
TEST(ProcessWorkersTest, BatchesAreMadeElsewhere) {
  static const pid_t here = ::getpid();
  auto iterator = start([](int64_t) {
    return ::getpid() == here ? Status::error(Exit::Data, "made here")
                              : Status::success();
  });
  for (int i = 0; i < 25; ++i)
    ASSERT_OK(iterator->next());
}

TEST(ProcessWorkersTest, KilledWorkerIsReportedWithinASecond) {
  for (size_t victim = 0; victim < 3; ++victim) {
    auto iterator = start({});
    for (int i = 0; i < 20; ++i)
      ASSERT_OK(iterator->next());
    const pid_t pid = childrenOf(::getpid())[victim];
    ::kill(pid, SIGKILL);
    const Stopwatch watch;
    Status status;
    while (status.ok() && watch.seconds() < 5)
      status = iterator->next().takeStatus();
    EXPECT_LT(watch.seconds(), 1);
    expectFailure(status, Exit::Runtime,
                  {"iterator `it`", "data worker " + std::to_string(victim),
                   "process " + std::to_string(pid), "signal 9", "Killed",
                   "memory"});
    expectFailure(iterator->next().status(), Exit::Runtime, {"signal 9"});
    EXPECT_FALSE(iterator->reset().ok());
    iterator.reset();
    expectNothingLeft();
  }
}

/// The user waits in next when it happens.
TEST(ProcessWorkersTest, DeathWhileABatchIsWaitedFor) {
  auto iterator = start([](int64_t sample) {
    if (sample == 9) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      ::raise(SIGSEGV);
    }
    return Status::success();
  });
  const Stopwatch watch;
  Status status;
  while (status.ok())
    status = iterator->next().takeStatus();
  EXPECT_LT(watch.seconds(), 1);
  expectFailure(status, Exit::Runtime,
                {"data worker 2", "signal 11", "Segmentation fault"});
  iterator.reset();
  expectNothingLeft();
}

TEST(ProcessWorkersTest, WorkerThatExitsIsReportedWithItsCode) {
  auto iterator = start([](int64_t sample) {
    if (sample == 4)
      ::_exit(7);
    return Status::success();
  });
  Status status;
  while (status.ok())
    status = iterator->next().takeStatus();
  expectFailure(status, Exit::Runtime, {"data worker 1", "code 7"});
}

TEST(ProcessWorkersTest, HangingSampleIsNamedAndNothingIsLeft) {
  auto iterator = start(
      [](int64_t sample) {
        while (sample == 10)
          ::pause();
        return Status::success();
      },
      0.3);
  const Stopwatch watch;
  Status status;
  while (status.ok())
    status = iterator->next().takeStatus();
  EXPECT_LT(watch.seconds(), 2);
  expectFailure(status, Exit::Runtime,
                {"batch 2 of epoch 0", "data worker 2", "(process ",
                 "sample 10 of data set `numbers`", "0.3 s", "timeout"});
  iterator.reset();
  expectNothingLeft();
}

TEST(ProcessWorkersTest, StoppedWorkerIsReported) {
  auto iterator = start({}, 0.3);
  ::kill(childrenOf(::getpid())[1], SIGSTOP);
  Status status;
  while (status.ok())
    status = iterator->next().takeStatus();
  expectFailure(status, Exit::Runtime, {"data worker 1", "0.3 s"});
  iterator.reset();
  expectNothingLeft();
}

/// A terminal's ctrl-C and a scheduler's TERM reach all processes; the trainer
/// still wants to finish its iteration.
TEST(ProcessWorkersTest, WorkersOutliveTheSignalsThatSteerATrainer) {
  auto iterator = start({});
  ASSERT_OK(iterator->next());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
    for (const pid_t pid : childrenOf(::getpid()))
      ::kill(pid, signal);
  for (int i = 0; i < 50; ++i)
    ASSERT_OK(iterator->next());
}

/// A trainer that is killed leaves no process behind. A middle process plays
/// the trainer; as subreaper this one inherits what it leaves.
TEST(ProcessWorkersTest, NothingIsLeftWhenTheTrainerIsKilled) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  int channel[2];
  ASSERT_EQ(::pipe(channel), 0);
  const pid_t trainer = ::fork();
  if (trainer == 0) {
    auto iterator = start({});
    const bool ok = iterator->next().ok();
    [[maybe_unused]] const ssize_t n = ::write(channel[1], &ok, 1);
    while (true)
      ::pause();
  }
  bool ok = false;
  ASSERT_EQ(::read(channel[0], &ok, 1), 1);
  EXPECT_TRUE(ok);
  EXPECT_EQ(childrenOf(trainer).size(), 3u);
  ::kill(trainer, SIGKILL);
  const Stopwatch watch;
  int ended = 0;
  while (ended < 4 && watch.seconds() < 2) {
    if (::waitpid(-1, nullptr, WNOHANG) > 0)
      ++ended;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(ended, 4);
  expectNothingLeft();
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  ::close(channel[0]);
  ::close(channel[1]);
}
