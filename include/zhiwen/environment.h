#ifndef ZHIWEN_ENVIRONMENT_H_
#define ZHIWEN_ENVIRONMENT_H_

// What a pipeline takes from the outside: clock, cancellation, progress, warnings. The core creates
// none of them, which is what makes fault tests possible.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Wall and processor time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::nanoseconds Monotonic() const = 0;      // since an arbitrary start
  virtual std::chrono::nanoseconds ProcessorTime() const = 0;  // of all threads of the process
  virtual std::chrono::sys_seconds Now() const = 0;            // UTC
};

const Clock& SystemClock();

// Set from a signal handler or another thread; long work looks at it often.
class Cancellation {
 public:
  // `code` is kInterrupted or kTerminated. Safe in a signal handler.
  void Request(ErrorCode code) { code_.store(static_cast<int>(code), std::memory_order_relaxed); }
  bool requested() const { return code_.load(std::memory_order_relaxed) >= 0; }
  // Ok, or the error with the requested code.
  Status Check() const;

 private:
  std::atomic<int> code_{-1};
};

// How far a stage is; called from several threads, often.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // `stage` is a short name ("read", "verify"); done and total in `unit` ("bytes", "pairs"). total
  // 0: unknown.
  virtual void Advance(std::string_view stage, uint64_t done, uint64_t total,
                       std::string_view unit) = 0;
};

// Receives warnings, one sentence each, without a final newline.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void Warn(std::string_view message) = 0;
};

ProgressSink& NoProgress();
LogSink& NoLog();

}  // namespace zhiwen

#endif  // ZHIWEN_ENVIRONMENT_H_
