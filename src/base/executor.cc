// A run of the pool is a generation. The caller publishes the task under the mutex with a new
// generation number, every worker runs the task once, and the last to finish wakes the caller.
// Workers sleep in between, and other callers wait for their turn.

#include "zhiwen/executor.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace zhiwen {
namespace {

using Task = std::function<void(size_t worker)>;

// The run that the current thread takes part in, and the enclosing run whose task started it.
struct RunOfThread {
  const Executor* executor;
  const RunOfThread* outer;
};
thread_local const RunOfThread* innermost_run = nullptr;

// Ends the program when a task of `executor` is running on this thread: its run would wait for
// itself.
void CheckNotNested(const Executor& executor) noexcept {
  for (const RunOfThread* run = innermost_run; run != nullptr; run = run->outer) {
    if (run->executor == &executor) std::terminate();
  }
}

// A task that throws ends the program here, whichever thread runs it.
void RunTask(const Executor& executor, const Task& task, size_t worker) noexcept {
  const RunOfThread run = {&executor, innermost_run};
  innermost_run = &run;
  task(worker);
  innermost_run = run.outer;
}

class InlineExecutor final : public Executor {
 public:
  size_t concurrency() const override { return 1; }
  void RunOnAll(const Task& task) override {
    CheckNotNested(*this);
    RunTask(*this, task, 0);
  }
};

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(size_t threads) {
    try {
      for (size_t worker = 1; worker < threads; ++worker) {
        threads_.emplace_back([this, worker] { Work(worker); });
      }
    } catch (const std::system_error&) {
      // The system gives no more threads, so the pool continues with those it has.
    }
  }

  ~ThreadPool() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_arrived_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t concurrency() const override { return threads_.size() + 1; }

  void RunOnAll(const Task& task) override {
    CheckNotNested(*this);
    const std::lock_guard turn(turn_);
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      running_ = threads_.size();
      ++generation_;
    }
    work_arrived_.notify_all();
    RunTask(*this, task, 0);
    std::unique_lock lock(mutex_);
    all_returned_.wait(lock, [this] { return running_ == 0; });
    task_ = nullptr;
  }

 private:
  void Work(size_t worker) {
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      work_arrived_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (generation_ == seen) return;
      seen = generation_;
      const Task& task = *task_;
      lock.unlock();
      RunTask(*this, task, worker);
      lock.lock();
      if (--running_ == 0) all_returned_.notify_one();
    }
  }

  std::mutex turn_;   // held for a whole run, before mutex_
  std::mutex mutex_;  // guards the following members
  std::condition_variable work_arrived_, all_returned_;
  const Task* task_ = nullptr;
  size_t running_ = 0;
  uint64_t generation_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Executor> MakeInlineExecutor() { return std::make_unique<InlineExecutor>(); }

std::unique_ptr<Executor> MakeThreadPool(size_t threads) {
  return std::make_unique<ThreadPool>(threads);
}

void ParallelFor(Executor& executor, size_t count, size_t grain,
                 const std::function<void(size_t begin, size_t end)>& body) {
  ParallelForWorkers(executor, count, grain,
                     [&](size_t, size_t begin, size_t end) { body(begin, end); });
}

void ParallelForWorkers(Executor& executor, size_t count, size_t grain,
                        const std::function<void(size_t worker, size_t begin, size_t end)>& body) {
  if (count == 0) return;
  grain = std::max<size_t>(grain, 1);
  const size_t chunks = (count - 1) / grain + 1;
  std::atomic<size_t> next{0};
  const auto take_chunks = [&](size_t worker) {
    for (size_t chunk = next.fetch_add(1, std::memory_order_relaxed); chunk < chunks;
         chunk = next.fetch_add(1, std::memory_order_relaxed)) {
      const size_t begin = chunk * grain;
      body(worker, begin, begin + std::min(grain, count - begin));
    }
  };
  if (chunks > 1) return executor.RunOnAll(take_chunks);
  CheckNotNested(executor);  // waking the workers would take longer than the work
  RunTask(executor, take_chunks, 0);
}

}  // namespace zhiwen
