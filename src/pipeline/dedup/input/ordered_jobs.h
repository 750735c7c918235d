#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_ORDERED_JOBS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_ORDERED_JOBS_H_

// Runs a pass over inputs: one worker at a time produces jobs in order, all workers process them,
// and one worker at a time commits them in order. What a pass writes does not depend on threads.
//
// Guarantees  job n is committed after job n − 1; at most `in_flight` jobs exist at once. A job
//             that is alone is processed when all before it are committed, and none is produced
//             until it is committed itself: a large job has all the memory for itself
// Threads     produce and commit are never called by two workers at once, but one worker may
//             produce while another commits; process is called by all
// Fails       with the first error of any of the three, after all workers have stopped

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "zhiwen/executor.h"
#include "zhiwen/result.h"

namespace zhiwen {

template <typename Job>
struct JobSteps {
  std::function<Result<bool>(Job&)> produce;  // false: there are no more jobs
  std::function<Status(size_t worker, Job&)> process;
  std::function<Status(Job&)> commit;
  std::function<bool(const Job&)> is_alone = nullptr;  // of a job that was produced; none is
};

template <typename Job>
class OrderedJobs {
 public:
  // Jobs are made anew when needed and used again afterwards: `steps` clears what they hold.
  static Status Run(Executor& executor, size_t in_flight, const JobSteps<Job>& steps) {
    OrderedJobs jobs(in_flight, steps);
    executor.RunOnAll([&](size_t worker) { jobs.Work(worker); });
    return std::move(jobs.status_);
  }

 private:
  OrderedJobs(size_t in_flight, const JobSteps<Job>& steps)
      : steps_(steps), slots_(in_flight == 0 ? 1 : in_flight), in_order_(slots_.size()) {
    for (Slot& slot : slots_) free_.push_back(&slot);
  }

  struct Slot {
    Job job;
    bool processed = false;
  };

  // A slot is free when the job that was in it is committed. The one that became free last is used
  // next: its memory is in the cache.
  void Work(size_t worker) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return stopped_ || ended_ || (!producing_ && HasRoom()); });
      if (stopped_ || ended_) break;
      producing_ = true;
      Slot& slot = *free_.back();
      free_.pop_back();
      lock.unlock();
      auto more = steps_.produce(slot.job);
      lock.lock();
      producing_ = false;
      if (!more || !*more) {
        ended_ = true;
        if (!more) Stop(Fail(std::move(more)));
        changed_.notify_all();
        break;
      }
      in_order_[produced_ % slots_.size()] = &slot;
      ++produced_;
      alone_ = steps_.is_alone && steps_.is_alone(slot.job);
      if (alone_) {
        changed_.wait(lock, [&] { return stopped_ || committed_ + 1 == produced_; });
        if (stopped_) break;
      } else {
        changed_.notify_one();
      }
      lock.unlock();
      Status status = steps_.process(worker, slot.job);
      lock.lock();
      slot.processed = true;
      if (!status) Stop(std::move(status));
      CommitReady(lock);
    }
    changed_.notify_all();
  }

  bool HasRoom() const { return !alone_ && produced_ - committed_ < slots_.size(); }

  // Commits what is ready, unless somebody is at it: he will see it.
  void CommitReady(std::unique_lock<std::mutex>& lock) {
    if (committing_) return;
    committing_ = true;
    while (!stopped_ && committed_ < produced_) {
      Slot& slot = *in_order_[committed_ % slots_.size()];
      if (!slot.processed) break;
      lock.unlock();
      Status status = steps_.commit(slot.job);
      lock.lock();
      slot.processed = false;
      if (!status) {
        Stop(std::move(status));
        break;
      }
      ++committed_;
      if (committed_ == produced_) alone_ = false;
      free_.push_back(&slot);
      changed_.notify_all();
    }
    committing_ = false;
  }

  void Stop(Status status) {
    if (status_) status_ = std::move(status);
    stopped_ = true;
    changed_.notify_all();
  }

  const JobSteps<Job>& steps_;
  std::vector<Slot> slots_;
  std::vector<Slot*> free_;
  std::vector<Slot*> in_order_;  // ring of jobs that are produced and not committed
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t produced_ = 0, committed_ = 0;
  bool producing_ = false, committing_ = false, ended_ = false, stopped_ = false;
  bool alone_ = false;  // the job produced last
  Status status_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_ORDERED_JOBS_H_
