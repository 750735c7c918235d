#ifndef ZHIWEN_EXECUTOR_H_
#define ZHIWEN_EXECUTOR_H_

// Executor: where parallel work runs. Modules receive one and never create threads.

#include <cstddef>
#include <functional>
#include <memory>

namespace zhiwen {

class Executor {
 public:
  virtual ~Executor() = default;

  // How many tasks can run at once, at least 1.
  virtual size_t concurrency() const = 0;

  // Runs task(worker) once for each worker in [0, concurrency()), and returns when all have
  // returned. The calling thread is worker 0. Tasks share work among themselves (an atomic counter,
  // a queue). Not reentrant.
  virtual void RunOnAll(const std::function<void(size_t worker)>& task) = 0;
};

// Runs everything on the calling thread.
std::unique_ptr<Executor> MakeInlineExecutor();

// Keeps `threads` − 1 threads waiting; `threads` ≥ 1.
std::unique_ptr<Executor> MakeThreadPool(size_t threads);

// Calls body(begin, end) for pieces of [0, count), each of `grain` or less, handed out in ascending
// order; together they are all of it. Which worker runs a piece is not defined: results must go to
// places of their own.
void ParallelFor(Executor& executor, size_t count, size_t grain,
                 const std::function<void(size_t begin, size_t end)>& body);

}  // namespace zhiwen

#endif  // ZHIWEN_EXECUTOR_H_
