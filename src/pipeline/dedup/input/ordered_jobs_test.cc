#include "pipeline/dedup/input/ordered_jobs.h"

#include <gtest/gtest.h>

#include <atomic>

#include "zhiwen/executor.h"

namespace zhiwen {
namespace {

struct NumberJob {
  int number = 0;
};

// Every seventh job is alone.
struct WatchedRun {
  explicit WatchedRun(size_t threads) : executor(MakeThreadPool(threads)) {}

  Status Go(int jobs, int fails_at = -1) {
    return OrderedJobs<NumberJob>::Run(
        *executor, 4,
        {.produce = [&, jobs](NumberJob& job) -> Result<bool> {
           if (alone > 0) ++disturbed;
           job.number = produced;
           return produced++ < jobs;
         },
         .process = [&, fails_at](size_t, const NumberJob& job) -> Status {
           if (job.number == fails_at) return Fail(ErrorCode::kExhausted, "no more");
           if (job.number % 7 != 0) return {};
           ++alone;
           if (committed != job.number) ++disturbed;
           return {};
         },
         .commit = [&](const NumberJob& job) -> Status {
           if (job.number != committed) ++disturbed;
           ++committed;
           if (job.number % 7 == 0) --alone;
           return {};
         },
         .is_alone = [](const NumberJob& job) { return job.number % 7 == 0; }});
  }

  std::unique_ptr<Executor> executor;
  std::atomic<int> produced = 0, committed = 0, alone = 0, disturbed = 0;
};

TEST(OrderedJobs, AJobThatIsAloneComesAfterAllBeforeItAndBeforeAllBehindIt) {
  for (const size_t threads : {1, 2, 5}) {
    for (int round = 0; round < 30; ++round) {
      WatchedRun run(threads);
      ASSERT_TRUE(run.Go(100));
      EXPECT_EQ(run.committed, 100);
      EXPECT_EQ(run.disturbed, 0);
    }
  }
}

TEST(OrderedJobs, AFailureEndsARunThatWaitsForAJobToBeAlone) {
  for (const size_t threads : {1, 2, 5}) {
    for (int at = 0; at < 30; ++at) {
      WatchedRun run(threads);
      const Status status = run.Go(100, at);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().message, "no more");
      EXPECT_LE(run.committed, at);
    }
  }
}

}  // namespace
}  // namespace zhiwen
