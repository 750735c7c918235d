#include "base/process/child_process.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ChildOutput RunShell(const std::string& script, std::string_view input = {},
                     const ChildLimits& limits = {}) {
  return RunChild({.program = "sh",
                   .arguments = {"-c", script, "sh", std::string(kChildInput)},
                   .input = input,
                   .limits = limits})
      .value();
}

TEST(ChildProcess, ReadsTheInputByName) {
  const std::string input("一\0二\n", 8);
  const auto child = RunChild({.program = "cat",
                               .arguments = {std::string(kChildInput), std::string(kChildInput)},
                               .input = input});
  EXPECT_EQ(child->output, input + input);  // opened twice: from its beginning each time
  EXPECT_EQ(child->end, ChildEnd::kExited);
  EXPECT_EQ(child->status, 0);
}

TEST(ChildProcess, SaysHowTheProgramEnded) {
  const ChildOutput failed = RunShell("echo out; echo why >&2; exit 3");
  EXPECT_EQ(failed.end, ChildEnd::kExited);
  EXPECT_EQ(failed.status, 3);
  EXPECT_EQ(failed.output, "out\n");
  EXPECT_EQ(failed.errors, "why\n");
  const ChildOutput crashed = RunShell("kill -SEGV $$");
  EXPECT_EQ(crashed.end, ChildEnd::kSignal);
  EXPECT_EQ(crashed.status, SIGSEGV);
}

TEST(ChildProcess, EndsThoseThatHang) {
  using std::chrono::milliseconds;
  const auto begin = std::chrono::steady_clock::now();
  const ChildOutput hangs = RunShell("sleep 1000", {}, {.time = milliseconds(50)});
  EXPECT_EQ(hangs.end, ChildEnd::kTimedOut);
  // Without output to wait for, and with a child of its own that keeps the pipe.
  const ChildOutput silent = RunShell("exec >&- 2>&-; sleep 1000", {}, {.time = milliseconds(50)});
  EXPECT_EQ(silent.end, ChildEnd::kTimedOut);
  const ChildOutput parent = RunShell("sleep 1000 & echo $!", {}, {.time = milliseconds(300)});
  EXPECT_EQ(parent.end, ChildEnd::kTimedOut);
  const pid_t grandchild = std::atoi(parent.output.c_str());
  ASSERT_GT(grandchild, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  for (int i = 0; i < 100 && kill(grandchild, 0) == 0; ++i) {
    std::this_thread::sleep_for(milliseconds(10));  // until its new parent has reaped it
  }
  const ChildOutput state = RunShell("cat /proc/" + std::to_string(grandchild) + "/status");
  EXPECT_TRUE(state.output.empty() || state.output.find("Z (zombie)") != std::string::npos);
}

TEST(ChildProcess, LimitsProcessorTime) {
  const ChildOutput busy =
      RunShell("while :; do :; done", {}, {.processor_time = std::chrono::seconds(1)});
  EXPECT_EQ(busy.end, ChildEnd::kTimedOut);
}

TEST(ChildProcess, LimitsMemory) {
  // One line without an end, which tail keeps in memory.
  const auto eats = RunChild({.program = "tail",
                              .arguments = {"/dev/zero"},
                              .limits = {.memory_bytes = size_t{64} << 20}});
  EXPECT_TRUE(eats->end == ChildEnd::kSignal || eats->status != 0);
  EXPECT_THAT(eats->errors, HasSubstr("memory"));
}

TEST(ChildProcess, LimitsOutput) {
  const auto talks =
      RunChild({.program = "yes", .arguments = {}, .limits = {.output_bytes = 100'001}});
  EXPECT_EQ(talks->end, ChildEnd::kTooMuchOut);
  EXPECT_EQ(talks->output.size(), 100'001U);
  const ChildOutput complains = RunShell("yes >&2 & sleep 0.1; kill $!; echo done");
  EXPECT_EQ(complains.output, "done\n");
  EXPECT_EQ(complains.errors.size(), 4096U);
}

TEST(ChildProcess, WritesNoFile) {
  const std::string path = ::testing::TempDir() + "written_by_child";
  const ChildOutput writes = RunShell("echo x > " + path + "; wc -c < " + path);
  EXPECT_THAT(writes.output, ::testing::AnyOf("", "0\n"));
}

TEST(ChildProcess, KnowsNothingOfUs) {
  setenv("ZHIWEN_SECRET", "1", 1);
  const auto environment = RunChild({.program = "env", .arguments = {}});
  EXPECT_EQ(environment->output, "LANG=C.UTF-8\nPATH=/usr/bin:/bin\n");
  const ChildOutput open = RunShell("ls /proc/$$/fd; cat; grep NoNewPrivs /proc/$$/status", "x");
  EXPECT_THAT(open.output, StartsWith("0\n1\n2\n3\n"));
  EXPECT_THAT(open.output, HasSubstr("NoNewPrivs:\t1"));
}

TEST(ChildProcess, SaysThatThereIsNoProgram) {
  const auto none = RunChild({.program = "no-such-program", .arguments = {}});
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  const std::string path = std::getenv("PATH");
  setenv("PATH", "", 1);
  const auto nowhere = RunChild({.program = "cat", .arguments = {}});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kNotFound);
}

TEST(ChildProcess, RunsFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> sound(8);
  for (size_t i = 0; i < sound.size(); ++i) {
    threads.emplace_back([i, &sound] {
      const std::string input(size_t{1} << (10 + i), static_cast<char>('a' + i));
      for (int round = 0; round < 4; ++round) {
        const auto child =
            RunChild({.program = "cat", .arguments = {std::string(kChildInput)}, .input = input});
        sound[i] += child && child->output == input ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sound, ::testing::Each(4));
}

}  // namespace
}  // namespace zhiwen
