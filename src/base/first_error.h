#ifndef ZHIWEN_BASE_FIRST_ERROR_H_
#define ZHIWEN_BASE_FIRST_ERROR_H_

// Keeps the first error of several workers. The other workers check is_set() and stop.

#include <atomic>
#include <mutex>
#include <utility>

#include "zhiwen/result.h"

namespace zhiwen {

class FirstError {
 public:
  // Keeps the error of `status`, if there is one and none was kept before.
  void Keep(Status status) {
    if (status) return;
    const std::scoped_lock lock(mutex_);
    if (!status_) return;
    status_ = std::move(status);
    set_.store(true, std::memory_order_relaxed);
  }

  bool is_set() const { return set_.load(std::memory_order_relaxed); }

  // Returns the error. Called when all workers have returned.
  Status Take() { return std::move(status_); }

 private:
  std::mutex mutex_;
  Status status_;
  std::atomic<bool> set_{false};
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FIRST_ERROR_H_
