#ifndef ZHIWEN_BASE_FOR_EACH_UNTIL_ERROR_H_
#define ZHIWEN_BASE_FOR_EACH_UNTIL_ERROR_H_

#include <cstddef>

#include "base/first_error.h"
#include "zhiwen/executor.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Calls work(worker, i) for each i in [0, count) on the workers of an executor, as
// ParallelForWorkers does, until one fails. Returns that error.
template <typename Work>
Status ForEachUntilError(Executor& executor, size_t count, size_t grain, const Work& work) {
  FirstError error;
  ParallelForWorkers(executor, count, grain, [&](size_t worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end && !error.is_set(); ++i) error.Keep(work(worker, i));
  });
  return error.Take();
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FOR_EACH_UNTIL_ERROR_H_
