#ifndef ZHIWEN_EXECUTOR_H_
#define ZHIWEN_EXECUTOR_H_

// An executor runs parallel work. Modules receive one and never create threads.
//
// Guarantees  each call of RunOnAll is a run of its own: its workers are numbered from 0, its
//             caller is worker 0, and the caller sees what its workers wrote when it returns.
//             Memory that a worker number names therefore belongs to one run
// Threads     any number of threads may call RunOnAll at once. Runs of one executor may overlap or
//             wait for each other. A task must neither call RunOnAll of the executor that runs it
//             nor wait for another run of it. Nobody may use an executor while it is destroyed
// Fails       a task that throws, and one that calls RunOnAll of the executor that runs it, end the
//             program

#include <cstddef>
#include <functional>
#include <memory>

namespace zhiwen {

class Executor {
 public:
  virtual ~Executor() = default;

  // Returns how many workers a run has, at least 1; it is always the same.
  virtual size_t concurrency() const = 0;

  // Runs task(worker) once for each worker in [0, concurrency()), all at the same time, and returns
  // when all have returned. Workers share the work among themselves (an atomic counter, a queue).
  virtual void RunOnAll(const std::function<void(size_t worker)>& task) = 0;
};

// Runs everything on the calling thread; concurrency() is 1.
std::unique_ptr<Executor> MakeInlineExecutor();

// Keeps `threads` − 1 threads waiting, or as many as the system gives; `threads` ≥ 1. One run at a
// time; others wait for it.
std::unique_ptr<Executor> MakeThreadPool(size_t threads);

// Calls body(begin, end) for pieces of [0, count), each of `grain` or less, which are handed out in
// ascending order and together are all of it. Any worker may run a piece, so each writes its
// results to places of its own. The rules of RunOnAll hold, also where one piece runs on the
// calling thread.
void ParallelFor(Executor& executor, size_t count, size_t grain,
                 const std::function<void(size_t begin, size_t end)>& body);

// Does the same; the body also gets the number of the worker that runs the piece.
void ParallelForWorkers(Executor& executor, size_t count, size_t grain,
                        const std::function<void(size_t worker, size_t begin, size_t end)>& body);

}  // namespace zhiwen

#endif  // ZHIWEN_EXECUTOR_H_
