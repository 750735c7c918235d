#include "zhiwen/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "zhiwen/environment.h"

namespace zhiwen {
namespace {

struct ExecutorKind {
  std::string name;
  std::unique_ptr<Executor> (*make)();
};

class EveryExecutor : public testing::TestWithParam<ExecutorKind> {
 protected:
  std::unique_ptr<Executor> executor_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(
    Kinds, EveryExecutor,
    testing::Values(ExecutorKind{"Inline", MakeInlineExecutor},
                    ExecutorKind{"OneThread", [] { return MakeThreadPool(1); }},
                    ExecutorKind{"TwoThreads", [] { return MakeThreadPool(2); }},
                    ExecutorKind{"NineThreads", [] { return MakeThreadPool(9); }}),
    [](const auto& kind) { return kind.param.name; });

TEST_P(EveryExecutor, RunsATaskOnceOnEachWorkerAndTheCallerIsWorkerZero) {
  std::vector<int> runs(executor_->concurrency());
  std::thread::id worker_zero;
  executor_->RunOnAll([&](size_t worker) {
    ++runs[worker];
    if (worker == 0) worker_zero = std::this_thread::get_id();
  });
  EXPECT_EQ(runs, std::vector<int>(executor_->concurrency(), 1));
  EXPECT_EQ(worker_zero, std::this_thread::get_id());
}

TEST_P(EveryExecutor, ManySmallRunsLoseNoneAndSeeEachOthersWrites) {
  uint64_t plain = 0;  // written by worker i mod n in run i: runs order each other
  for (size_t run = 0; run < 5000; ++run) {
    executor_->RunOnAll([&](size_t worker) {
      if (worker == run % executor_->concurrency()) ++plain;
    });
  }
  EXPECT_EQ(plain, 5000u);
}

TEST_P(EveryExecutor, ParallelForCoversEachIndexOnceInChunksOfTheGrain) {
  for (const size_t count : {0, 1, 2, 7, 64, 1000}) {
    for (const size_t grain : {0, 1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> visits(count);
      std::atomic<bool> too_long{false};
      ParallelFor(*executor_, count, grain, [&](size_t begin, size_t end) {
        if (begin >= end || end - begin > std::max<size_t>(grain, 1)) too_long = true;
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_FALSE(too_long);
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << count << ' ' << grain;
    }
  }
}

// Every caller gets a run of its own, even when others call at the same time.
TEST_P(EveryExecutor, CallersOnSeveralThreadsEachGetAllWorkers) {
  std::atomic<size_t> right{0};
  const auto call = [&] {
    for (size_t run = 0; run < 300; ++run) {
      // Not atomic: a worker is in only one place of a run.
      std::vector<int> runs(executor_->concurrency());
      std::thread::id worker_zero;
      executor_->RunOnAll([&](size_t worker) {
        ++runs[worker];
        if (worker == 0) worker_zero = std::this_thread::get_id();
      });
      const bool is_right = runs == std::vector<int>(executor_->concurrency(), 1) &&
                            worker_zero == std::this_thread::get_id();
      right += is_right ? 1 : 0;
    }
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) callers.emplace_back(call);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 4 * 300u);
}

TEST_P(EveryExecutor, ParallelForSharesTheWorkOfSeveralCallers) {
  std::vector<std::vector<int>> visits(4, std::vector<int>(1000));
  std::vector<std::thread> callers;
  for (std::vector<int>& own : visits) {
    callers.emplace_back([&] {
      for (int run = 0; run < 20; ++run) {
        ParallelFor(*executor_, own.size(), 7, [&](size_t begin, size_t end) {
          for (size_t i = begin; i < end; ++i) ++own[i];
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::vector<int>& own : visits) EXPECT_EQ(own, std::vector<int>(1000, 20));
}

TEST_P(EveryExecutor, ATaskMayUseAnotherExecutor) {
  const auto other = GetParam().make();
  std::atomic<size_t> runs{0};
  executor_->RunOnAll([&](size_t) { other->RunOnAll([&](size_t) { ++runs; }); });
  EXPECT_EQ(runs, executor_->concurrency() * other->concurrency());
}

TEST_P(EveryExecutor, ATaskThatUsesItsOwnExecutorEndsTheProgram) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto call_again = [this](size_t) { executor_->RunOnAll([](size_t) {}); };
  EXPECT_DEATH(executor_->RunOnAll(call_again), "");
  const auto run_one_piece = [this](size_t) {
    ParallelFor(*executor_, 1, 1, [](size_t, size_t) {});
  };
  EXPECT_DEATH(executor_->RunOnAll(run_one_piece), "");
  const auto call_through_another = [&](size_t) { MakeInlineExecutor()->RunOnAll(call_again); };
  EXPECT_DEATH(executor_->RunOnAll(call_through_another), "");
}

TEST(ParallelFor, AGrainNearTheLargestNumberDoesNotOverflow) {
  const auto pool = MakeThreadPool(2);
  std::atomic<size_t> covered{0};
  ParallelFor(*pool, 10, ~size_t{0}, [&](size_t begin, size_t end) { covered += end - begin; });
  EXPECT_EQ(covered, 10u);
}

TEST(ThreadPool, HasAsManyWorkersAsAskedForAndRunsThemAtTheSameTime) {
  const auto pool = MakeThreadPool(4);
  ASSERT_EQ(pool->concurrency(), 4u);
  std::atomic<size_t> arrived{0};
  pool->RunOnAll([&](size_t) {  // returns only when all four are inside
    ++arrived;
    while (arrived < 4) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 4u);
}

TEST(ThreadPool, WaitingWorkersUseNoProcessorTime) {
  const auto pool = MakeThreadPool(4);
  pool->RunOnAll([](size_t) {});
  const auto before = SystemClock().ProcessorTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(SystemClock().ProcessorTime() - before, std::chrono::milliseconds(100));
}

TEST(ThreadPool, ATaskThatThrowsEndsTheProgramInsteadOfBeingLost) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(MakeThreadPool(2)->RunOnAll([](size_t worker) {
    if (worker == 1) throw std::runtime_error("lost");
  }),
               "");
}

}  // namespace
}  // namespace zhiwen
